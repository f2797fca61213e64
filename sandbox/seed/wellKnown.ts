/**
 * Ids and API keys that are the same with every seed, for programs, tests and documentation. The keys are test data
 * and public on purpose; only a sandbox accepts them.
 */
export const wellKnown = {
  apiKeys: {
    /** Gives access to both accounts, by default to `quillmarket`. */
    quillmarket: "mon_sandbox_0123456789abcdef0123456789abcdef",
    /** Gives access to `labs` only. */
    labs: "mon_sandbox_fedcba9876543210fedcba9876543210",
  },
  accounts: {
    quillmarket: "6f1c2a7e-0d3b-4c58-9e41-5a7b8c9d0e1f",
    labs: "b27d94c0-58ae-4f13-8c6d-3e2f1a0b9c8d",
  },
  /** Open, unless their name ends in `Resolved`. */
  statusPageIncidents: {
    checkoutLatency: "inc_checkout_latency",
    cardDeclines: "inc_card_declines",
    webhookDelays: "inc_webhook_delays",
    searchLag: "inc_search_lag",
    labelPrinting: "inc_label_printing",
    loginLoopResolved: "inc_login_loop",
    labsPreview: "inc_labs_preview",
  },
  incidents: {
    /** Has no end. */
    paymentErrors: "0c9f7b52-6d1e-4a83-b5f0-2e8d7c6b5a49",
    databaseUpgrade: "3e5a1d84-97c2-4b60-8f1d-6a5b4c3d2e1f",
    imageCache: "a81d40f6-2b7e-4c95-9d03-1f2e3d4c5b6a",
    /** Has neither start nor end. */
    warehouseMove: "d4720e9b-5c16-4f38-a2b7-0f9e8d7c6b5a",
  },
  alertChannels: {
    onCall: 4101,
    opsgenie: 4102,
    slackIncidents: 4103,
    slackPayments: 4104,
    automation: 4105,
    legacyHook: 4106,
    operationsMail: 4107,
    operationsMailAgain: 4108,
    dutySms: 4109,
    managerCall: 4110,
    pausedPagerDuty: 4111,
    reportingHook: 4112,
    labsMail: 4201,
    labsSlack: 4202,
    labsSlackApp: 4203,
  },
} as const;
