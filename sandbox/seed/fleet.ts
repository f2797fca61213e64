/** Alert channels in the shapes that a real service stores. All values are invented. */
import { alertChannel, type SandboxAlertChannel } from "../contract";

/** The service may have types that its contract doesn't. */
export type FleetAlertChannel = Omit<SandboxAlertChannel, "type"> & { type: string };

interface FleetChannel extends Partial<FleetAlertChannel> {
  /** Name for rule files. The service stores none. */
  readonly name: string;
  readonly type: string;
  readonly config: Record<string, unknown>;
  /** Days since the last change. Default: 30. */
  readonly age?: number;
}

type Subscription = SandboxAlertChannel["subscriptions"][number];

const check = (index: number): string => `7c2a9e10-4b1d-4f7e-9d30-${String(index).padStart(12, "0")}`;
const checks = (...indexes: number[]): Subscription[] =>
  indexes.map((index) => ({ id: 9000 + index, checkId: check(index), groupId: null, activated: true }));
const group = (groupId: number, activated = true): Subscription => ({
  id: groupId * 10,
  checkId: null,
  groupId,
  activated,
});

const alert = '"title": "{{ALERT_TITLE}}", "link": "{{RESULT_LINK}}"';
const gateway = "https://gateway.sms.example/v2/send";
const bot = "https://telegram.example/bot{{TELEGRAM_BOT_TOKEN}}/sendMessage";
const slackHook = "https://hooks.chat.example/services/T02/B07/not-a-secret-checkout";
const duty = "+12025550119";

const mail: FleetChannel[] = [
  { name: "operations-mail", type: "EMAIL", config: { address: "operations@acme.example" } },
  {
    name: "operations-mail-old",
    type: "EMAIL",
    config: { address: "Operations@acme.example" },
    age: 1200,
    sslExpiryThreshold: 7,
  },
  {
    name: "mail-to-ana",
    type: "EMAIL",
    config: { address: "ana.lee@mail.example" },
    subscriptions: checks(3),
    sendRecovery: false,
    sendDegraded: false,
  },
  {
    name: "certificates-mail",
    type: "EMAIL",
    config: { address: "certificates@acme.example" },
    sendFailure: false,
    sendRecovery: false,
    sslExpiryThreshold: 60,
  },
];

const slack: FleetChannel[] = [
  { name: "slack-incidents", type: "SLACK", config: { url: "{{SLACK_HOOK_URL}}", channel: "#incidents" } },
  {
    name: "slack-payments",
    type: "SLACK",
    config: { url: "https://hooks.chat.example/services/{{SLACK_HOOK_PATH}}", channel: "#payments" },
  },
  { name: "slack-checkout", type: "SLACK", config: { url: slackHook, channel: "#checkout" } },
  { name: "slack-checkout-leads", type: "SLACK", config: { url: slackHook, channel: "#checkout-leads" } },
  { name: "slack-without-hook", type: "SLACK", config: { url: "", channel: "" }, subscriptions: [] },
  { name: "slack-app-incidents", type: "SLACK_APP", config: { slackChannels: ["#incidents"] } },
  {
    name: "slack-app-warehouse",
    type: "SLACK_APP",
    config: { slackChannels: ["#warehouse", "#incidents"] },
    subscriptions: [group(81207, false)],
    autoSubscribe: true,
  },
];

const hooks: FleetChannel[] = [
  {
    name: "jira",
    type: "WEBHOOK",
    config: {
      name: "Jira",
      url: "{{JIRA_INSTANCE_URL}}/rest/api/3/issue",
      method: "POST",
      template: `{"fields": {${alert}}}`,
      headers: [
        { key: "Content-Type", value: "application/json" },
        { key: "Authorization", value: "Basic {{{JIRA_CREDENTIALS}}}" },
      ],
      queryParameters: [],
      webhookSecret: "",
      webhookType: null,
    },
  },
  {
    name: "runbooks",
    type: "WEBHOOK",
    config: {
      name: "Runbooks",
      url: "https://{{ALERT_HOST}}/hook",
      method: "POST",
      template: "",
      headers: [],
      queryParameters: [],
      webhookSecret: "{{{ALERT_HOOK_SECRET}}}",
    },
  },
  {
    name: "old-tickets",
    type: "WEBHOOK",
    config: {
      name: "Old tickets",
      url: "http://10.20.0.14:8080/alerts",
      method: "POST",
      webhookSecret: null,
    },
    age: 900,
    sslExpiry: false,
  },
  ...[duty, "+12025550134"].map((to, index) => ({
    name: `gateway-${index + 1}`,
    type: "WEBHOOK",
    config: {
      name: `Text message ${index + 1}`,
      url: gateway,
      method: "GET",
      template: "",
      headers: [],
      queryParameters: [
        { key: "to", value: to },
        { key: "token", value: "{{GATEWAY_TOKEN}}" },
      ],
      webhookSecret: "",
    },
  })),
];

/** The integrations that the service stores as a webhook. */
const integrations: FleetChannel[] = [
  integration("WEBHOOK_MSTEAMS", {
    url: "https://acme.office.example/webhook/5f1c@9a/IncomingWebhook/not-a-secret-teams/7e",
  }),
  ...["-1001001", "-1001002"].map((chat, index) => ({
    ...integration("WEBHOOK_TELEGRAM", { url: bot, template: `chat_id=${chat}&text={{ALERT_TITLE}}` }),
    name: `telegram-${index + 1}`,
  })),
  integration("WEBHOOK_DISCORD", { url: "{{{DISCORD_HOOK_URL}}}" }),
  integration("WEBHOOK_INCIDENTIO", {
    url: "https://api.incident.example/v2/alert_events/http/01J0A",
    headers: [{ key: "authorization", value: "Bearer not-a-secret-incident" }],
  }),
  integration("WEBHOOK_FIREHYDRANT", { url: "https://signals.hydrant.example/v1/process/{{HYDRANT_TOKEN}}" }),
  integration("WEBHOOK_ROOTLY", {
    url: "https://webhooks.rootly.example/webhooks/incoming",
    webhookSecret: "{{ROOTLY_SECRET}}",
  }),
  integration("WEBHOOK_ILERT", { url: "https://api.ilert.example/api/v1/events/{{ILERT_KEY}}" }),
  integration("WEBHOOK_SPLUNK", {
    url: "https://alert.splunk.example/integrations/20131114/alert/{{SPLUNK_KEY}}",
  }),
  integration("WEBHOOK_GITLAB_ALERT", {
    url: "https://gitlab.example/acme/shop/alerts/notify/checks/1f.json",
    headers: [{ key: "Authorization", value: "Bearer {{GITLAB_TOKEN}}" }],
  }),
  integration("WEBHOOK_SPIKESH", { url: "https://hooks.spike.example/{{SPIKE_TOKEN}}/push-events" }),
  integration("WEBHOOK_CORALOGIX", {
    url: "https://ingress.coralogix.example/logs/v1/singles",
    headers: [
      { key: "content-type", value: "application/json" },
      { key: "authorization", value: "Bearer {{CORALOGIX_KEY}}" },
    ],
  }),
  // Added by the service after this release.
  integration("WEBHOOK_ZENDUTY", { url: "https://events.zenduty.example/integration/{{ZENDUTY_KEY}}/" }),
];

function integration(webhookType: string, config: Record<string, unknown>): FleetChannel {
  const name = webhookType.replace("WEBHOOK_", "").toLowerCase().replace("_", "-");
  const empty = { template: `{${alert}}`, headers: [], queryParameters: [], webhookSecret: "" };
  return { name, type: "WEBHOOK", config: { name, method: "POST", ...empty, ...config, webhookType } };
}

const onCall: FleetChannel[] = [
  { name: "duty-sms", type: "SMS", config: { number: duty, name: "Duty phone" } },
  {
    name: "duty-call",
    type: "CALL",
    config: { number: "+1 (202) 555-0119", name: "Duty phone" },
    autoSubscribe: true,
  },
  {
    name: "pagerduty",
    type: "PAGERDUTY",
    config: { serviceKey: "{{PAGERDUTY_KEY}}", account: "acme", serviceName: "On call" },
  },
  {
    name: "pagerduty-unfinished",
    type: "PAGERDUTY",
    config: { serviceKey: "", account: "", serviceName: "" },
    subscriptions: [group(81204, false), group(81205, false)],
  },
  {
    name: "opsgenie",
    type: "OPSGENIE",
    config: { apiKey: "not-a-secret-opsgenie", name: "Platform", region: "EU", priority: "P1" },
  },
  // Added by the service after this release.
  { name: "zulip", type: "ZULIP", config: { stream: "alerts", botToken: "not-a-secret-zulip" } },
];

const dayMs = 86_400_000;
const firstId = 218701;

/** As the service returns them, without names. */
export function fleet(now: Date): FleetAlertChannel[] {
  const ago = (age: number): string => new Date(now.getTime() - age * dayMs).toISOString();
  return rows.map(({ name: _, age = 30, ...row }, index) => ({
    id: firstId + index,
    sendRecovery: true,
    sendFailure: true,
    sendDegraded: true,
    sslExpiry: true,
    sslExpiryThreshold: 30,
    autoSubscribe: false,
    subscriptions: [...checks(1, 2), group(81201)],
    ...row,
    created_at: ago(age + 60),
    updated_at: age === 30 && index % 3 === 0 ? null : ago(age),
  }));
}

const rows: readonly FleetChannel[] = [...mail, ...slack, ...hooks, ...integrations, ...onCall];

/** Ids of the fleet by name, for `channels` in a rule file. */
export const fleetNames: Readonly<Record<string, number>> = Object.fromEntries(
  rows.map(({ name }, index) => [name, firstId + index]),
);

/** The channels that the contract allows, for an account of the sandbox. */
export function contractFleet(now: Date): SandboxAlertChannel[] {
  return fleet(now).flatMap(({ type: stored, ...channel }) => {
    const type = alertChannel.shape.type.safeParse(stored).data;
    return type === undefined ? [] : [{ ...channel, type }];
  });
}
