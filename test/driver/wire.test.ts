/** Sends each message of the engine once to a process of each adapter, and to a run without a process. All must respond in the same way. */
import { seedData, startSandbox, wellKnown } from "../../sandbox";
import { words } from "../engine/service";
import { unknown } from "../lifecycles/phases";
import { adapters, secret } from "./adapters";
import { Clock } from "./clock";
import { createTimeline, opening, play, saying, type Scenario } from "./expecting";
import { ProviderProcess, removeMachines } from "./provider";
import { RunThread } from "./runs";
import type { Begin } from "./scenario";

const { legacyHook, operationsMail } = wellKnown.alertChannels;
const violated = { channelId: operationsMail, expect: { sslExpiry: false } };
const page = { statusPageId: seedData().accounts[0].statusPages[0]?.id, expect: { cards: { contains: {} } } };
const hidden = { ...words, description: secret("Canary.") };
const [kept, one, lost] = [words, saying("One."), saying("Lost.")];
const story = (description: string) => createTimeline("story", { cause: { description } });
const maintenance = opening("Database upgrade 42");
const observed = { mail: { channelId: operationsMail, expect: { sslExpiry: true } }, page };
const changed = {
  ...{ ...observed, maintenance, kept },
  ...story("Two."),
  ...{ hidden, one, lost, killed: saying("Killed.") },
};
const wrong = { ...words, status: "FINE" };
const post = "createIncidentUpdate";
const isUnconfirmed = expect.stringMatching(/\/update-[0-9a-f]{16}$/) as unknown;

/** @param isDynamic True for an adapter that receives neither an import nor the cancellation of a run. */
const messages = (isDynamic: boolean): Scenario => [
  {
    preview: {
      ...{ maintenance, kept, hidden, violated, twin: kept },
      pending: { channelId: unknown },
      wrong,
    },
    says: [
      /Incident "maintenance" opens an incident on .*\n {2}"Database upgrade 42", maintenance of Checkout\n/,
      /IncidentUpdate "kept" posts to .*\n.*\n.*\n {2}MONITORING, no subscriber is emailed:\n {2}\| We are watching it\./,
      "is emailed: (secret text)",
      "sslExpiry: expected false, but it is true",
      "already declares this update",
      "status must be one of",
    ],
    ...{ plans: ["create", "create", "create", "create"], fails: 3, hides: /Canary/, posts: [] },
  },
  {
    // The state records a create that fails, and the engine then calls `update`.
    faults: [{ kind: "reset", operation: post, skip: 3 }],
    up: { ...observed, maintenance, kept, ...story("Cause."), hidden, one, lost },
    ...{ fails: 1, says: ["The state records the attempt. Run `pulumi up` again"], hides: /Canary/ },
    posts: [{ name: maintenance.name }, kept.description, "Cause.", "Canary.", "One.", "Lost."],
    tracks: { kept: kept.description, one: "One." },
    keeps: { lost: { id: isUnconfirmed, unfinished: true } },
  },
  {
    dashboard: { one: { description: "Edited by hand." } },
    observed: { alertChannels: { sslExpiryThreshold: 22 }, statusPages: { customDomain: "" } },
    faults: [{ kind: "hang", operation: post, skip: 1, applied: true }],
    ...{ refresh: true, answers: true, killed: "SIGKILL", up: changed },
    posts: ["Two.", "Lost.", "Killed."],
    fails: 1,
    refreshed: {
      one: { outputs: { description: "One.", published: { description: "Edited by hand." } } },
      mail: { outputs: { sslExpiryThreshold: 22 } },
      page: { outputs: { customDomain: "" } },
    },
    page: ["Two."],
    says: [
      /IncidentUpdate( "lost")? on incident \S+: still unconfirmed/,
      /IncidentUpdate( "lost")?: the update that was sent may still appear on incident \S+ until/,
    ],
  },
  {
    // The update of the killed run is found, and the temporary ID of the lost update is replaced.
    ...{ refresh: true, up: changed, posts: [] },
    tracks: { lost: "Lost.", killed: "Killed." },
  },
  {
    preview: { ...story("Three."), mail: violated, page, hidden: saying("Plain.") },
    ...{ fails: 2, plans: ["update"], hides: /Canary/ },
    says: [
      "sslExpiry: expected false, but it is true.\nFix",
      "| Three.",
      "public (MONITORING, a secret text)",
    ],
  },
  ...(isDynamic ? [] : [imported, cancelled]),
  {
    env: { PULUMI_DEBUG_GRPC: "messages.json" },
    ...{ up: {}, posts: [] },
    says: [
      "removed from the state. The incident stays public. It is still open.",
      /\S+: removed from the state\. The update stays public\. To take it off the page, delete it in the dashboard/,
      "removed from the state; nothing changes on the service",
      ...(isDynamic
        ? [/^(?!.*Pulumi is recording this run.*Pulumi is recording).*Pulumi is recording this run/s]
        : []),
    ],
  },
];

const imported: Scenario[number] = {
  calls: [{ verb: "import", name: "hook", id: String(legacyHook) }],
  keeps: {
    hook: { id: String(legacyHook), inputs: { channelId: String(legacyHook) }, outputs: { type: "WEBHOOK" } },
  },
};
const cancelled: Scenario[number] = {
  ...{ cancels: true, up: { never: saying("Never.") }, fails: 1, posts: [] },
  says: ["The run was canceled. Nothing more was posted."],
};

const clocks: Clock[] = [];
const thread = new RunThread();
afterAll(async () => {
  for (const clock of clocks) clock.remove();
  await thread.remove();
  // Jest doesn't emit `exit` when its process ends.
  removeMachines();
});

/** Adds a clock that shortens waits. */
function hurried(begin: Begin): Begin {
  const clock = new Clock();
  clocks.push(clock);
  return (config, options) => begin(config, { ...options, env: { ...options.env, ...clock.env } });
}

const by = adapters.map((adapter): [string, Begin] => [
  `a process of the ${adapter.name} adapter`,
  async (config, options) => ProviderProcess.start(config, { ...options, adapter }),
]);

// The processes wait most of the time, so they run concurrently.
it.concurrent.each<[string, Begin]>([
  ...by,
  ["a run without an adapter", async (config, options) => thread.start(config, options)],
])("%s responds to each message of the engine", async (name, begin) => {
  const sandbox = await startSandbox();
  try {
    await play(messages(name.includes("dynamic")), hurried(begin), sandbox);
  } finally {
    await sandbox.close();
  }
});
