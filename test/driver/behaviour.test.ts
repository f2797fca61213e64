/** What a user does to a stack, and what happens, by both adapters. What they have no part in: test/lifecycles. */
import type { ResourceType } from "../../provider/engine";
import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { incidentId, words } from "../engine/service";
import { unknown } from "../lifecycles/phases";
import { keysOf } from "../../provider/lifecycles/timeline";
import { type Adapter, adapters, configOf, programInput, secret } from "./adapters";
import { Clock } from "./clock";
import { newMachine, type Properties, ProviderProcess, removeMachines } from "./provider";
import { type Resource, Stack } from "./stack";

const { legacyHook, operationsMail } = wellKnown.alertChannels;
const { searchLag } = wellKnown.statusPageIncidents;
const incident = `"Checkout is slow for shoppers in Europe" (${incidentId})`;
const saying = (description: string) => ({ ...words, description });

const channels = ["mail", "hook", "pending", "absent", "violated"];
const kindOf = (name: string): ResourceType =>
  channels.includes(name) ? "AlertChannel" : name === "page" ? "StatusPage" : "IncidentUpdate";
const violated = { channelId: operationsMail, expect: { sslExpiry: false } };
const absent = { channelId: 999_999 };
const lost = saying("Lost.");
const first = {
  kept: words,
  changed: { ...saying("We know the cause."), notifySubscribers: true },
  mail: { channelId: operationsMail, expect: { sslExpiry: true } },
  hook: { channelId: legacyHook, expect: { sendFailure: true } },
};
const mistakes = {
  twin: words,
  violated,
  absent,
  invalid: {
    ...{ incidentId: "a/b", status: "FINE", account: "eu", descripton: "typo" },
    description: "Canary \ud83d",
  },
  published: saying("Use `postgres://canary:Winter2026x@db.example.com/prod` until then."),
  mistaken: saying(`[object Canary] npm_${"cAnary9".repeat(5)}: ${wellKnown.apiKeys.quillmarket}`),
};

type Resources = Readonly<Record<string, Resource>>;

/** A project on one machine, each command of which runs in a process of its own, as the engine's do. */
function projectOf(adapter: Adapter, sandbox: Sandbox) {
  const stack = new Stack(kindOf);
  const config: Record<string, string> = configOf(sandbox);
  const env: Record<string, string> = {};
  const machine = newMachine();

  async function run(
    flag: "--refresh" | undefined,
    command: (provider: ProviderProcess) => Promise<string[]>,
  ) {
    const provider = await ProviderProcess.start(config, { adapter, machine, env });
    const failed = flag ? await stack.refresh(provider) : [];
    const refreshed = Object.fromEntries(stack.resources);
    sandbox.clearRequests();
    // What failed, or, of a preview, what is to be done.
    const steps = [...failed, ...(await command(provider))];
    await provider.end();
    const output = [provider.said, ...steps].join("\n");
    const resources = Object.fromEntries(stack.resources);
    return { steps, output, requests: [...sandbox.requests], resources, refreshed };
  }

  type Program = Record<string, Properties>;
  return {
    config,
    env,
    preview: (program: Program) => run(undefined, (provider) => stack.preview(provider, program)),
    /** Each of the resources depends on the one before it. */
    up: (program: Program, flag?: "--refresh") => run(flag, (provider) => stack.up(provider, program, true)),
    destroy: (flag: "--refresh") => run(flag, (provider) => stack.up(provider, {})),
  };
}

/** What a command did. */
type Ended = Awaited<ReturnType<ReturnType<typeof projectOf>["preview"]>>;

/** All commands of a project. */
async function run(adapter: Adapter) {
  const sandbox = await startSandbox();
  const project = projectOf(adapter, sandbox);
  const [last] = sandbox.incident(searchLag).incidentUpdates;
  sandbox.byHand.editUpdate(searchLag, last?.id ?? "", { description: "End." });
  const planned = await project.preview({
    ...{ ...first, ...mistakes, pending: { channelId: unknown } },
    ...storyOf("inserted", searchLag, "Inserted.", "End."),
  });

  const [page] = sandbox.data.accounts[0].statusPages;
  const program = {
    ...first,
    ...{ edited: saying("Edited."), deleted: saying("Deleted."), one: saying("One."), two: saying("Two.") },
    ...storyOf("story", incidentId, "Begin.", "End."),
    hidden: { ...words, description: secret("Canary.") },
    page: { statusPageId: page?.id, expect: { cards: { contains: {} } } },
  };
  // What was lost is looked for in vain until then.
  project.env["MONITORING_DEADLINE_MS"] = "2000";
  sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", skip: 9 });
  const created = await project.up({ ...program, lost });
  sandbox.faults.clear();

  editByHand(sandbox, created);
  const edited = {
    ...program,
    kept: saying(words.description.replaceAll(" ", " \u200b\r\n")),
    changed: { ...words, status: "RESOLVED", description: "All good.", notifySubscribers: true },
    ...{ one: program.two, two: program.one },
  };
  const replanned = await project.preview({
    ...{ ...edited, lost, mail: violated, hook: absent },
    hidden: saying("Plain."),
  });
  project.config["monitoring:resend"] = "a0000000";
  const changed = await project.up({ ...edited, lost }, "--refresh");
  project.config["monitoring:resend"] = codeIn(created);
  const clock = new Clock();
  Object.assign(project.env, clock.env);
  const answered = await project.up({ ...edited, lost });
  clock.remove();
  for (const name of Object.keys(clock.env)) Reflect.deleteProperty(project.env, name);
  project.env["PULUMI_DEBUG_GRPC"] = "messages.json";
  const destroyed = await project.destroy("--refresh");
  return { sandbox, planned, created, replanned, changed, answered, destroyed };
}

function editByHand({ byHand }: Sandbox, { resources }: Ended): void {
  const [edited, deleted] = ["edited", "deleted"].map((name) => resources[name]?.id.split("/")[1] ?? "");
  byHand.editUpdate(incidentId, edited ?? "", { description: "Edited by hand.", status: "RESOLVED" });
  byHand.deleteUpdate(incidentId, deleted ?? "");
  byHand.change(({ accounts: [{ alertChannels, statusPages }] }) => {
    for (const channel of alertChannels) channel.sslExpiryThreshold = 22;
    for (const each of statusPages) each.customDomain = "";
  });
}

/** The code that answers the question of a run. */
function codeIn({ output }: Ended): string {
  return /`pulumi config set monitoring:resend "?(?:a0{7} )?([0-9a-f]{8})"?`/.exec(output)?.[1] ?? "none";
}

const postsOf = ({ requests }: Ended) => requests.filter(({ method }) => method !== "GET");
const stepsOf = ({ steps }: Ended) => steps.filter((step) => /^(create|update|replace)$/.test(step)).sort();
const outputsOf = (resources: Resources, name: string) => resources[name]?.outputs;

/** The entries of an `IncidentTimeline`. */
function storyOf(name: string, incident: string, ...texts: string[]): Record<string, Properties> {
  const entries = texts.map((text) => ({ ...saying(text), incidentId: incident }));
  const keys = keysOf(entries);
  return Object.fromEntries(
    entries.map((entry, index) => [
      `${name}-${index + 1}`,
      { ...entry, onChange: "refuse", [programInput()]: { place: { keys, index } } },
    ]),
  );
}

const isUnconfirmed = expect.stringMatching(/\/update-[0-9a-f]{16}$/) as unknown;

type Ran = Awaited<ReturnType<typeof run>>;
/** The runs of both adapters, at once: most of their time they wait. */
const runs = new Map<Adapter, Promise<Ran>>();
beforeAll(() => adapters.forEach((adapter) => runs.set(adapter, run(adapter))));
// Jest doesn't tell the end of its process.
afterAll(removeMachines);

describe.each(adapters)("by the $name adapter,", (adapter) => {
  let ran: Ran;
  beforeAll(async () => (ran = await (runs.get(adapter) ?? run(adapter))));
  afterAll(() => ran.sandbox.close());

  /** What the state has of an update that is public. */
  const tracked = (description: string): object => {
    const found = ran.sandbox
      .incident(incidentId)
      .incidentUpdates.find((each) => each.description === description);
    return { id: `${incidentId}/${found?.id}`, outputs: { description, incidentUpdateId: found?.id } };
  };

  it("a preview says what is posted, and reads each object once", () => {
    const { output, requests } = ran.planned;
    const place =
      '  MAJOR, IDENTIFIED, began DISTANCE ago\n  Newest update, DISTANCE ago, IDENTIFIED: "TEXT"\n';
    const blocks = [
      `IncidentUpdate "kept" posts to ${incident}\n${place}  MONITORING, no subscriber is emailed:\n  | ${words.description}`,
      `IncidentUpdate "changed" posts to ${incident}\n${place}  MONITORING, every subscriber is emailed:\n  | We know the cause.`,
    ];
    const shown = output
      .replace(/\d+ \w+ ago/g, "DISTANCE ago")
      .replace(/(Newest update, .*: ").*"/g, '$1TEXT"');
    expect(shown).toContain(blocks.join("\n"));
    expect(output.match(/posts to/g)).toHaveLength(2);
    expect(stepsOf(ran.planned)).toEqual(Array(6).fill("create"));
    expect(requests.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`).sort()).toEqual(
      [legacyHook, operationsMail, absent.channelId, incidentId, searchLag].map((id) => `GET ${id}`),
    );
  });

  it("a preview reports all that the up would fail for, without a value", () => {
    for (const said of [
      "already declares this update",
      "sslExpiry: expected false, but it is true",
      "AlertChannel 999999: not found",
      "incidentId must be an id, without",
      "description has the API key of monitoring:apiKey: remove it.",
      "description has a password in an address: remove it.",
      "would be published after a later entry of this timeline",
    ])
      expect(ran.planned.output).toContain(said);
    expect(ran.planned.output).not.toMatch(/canary/i);
  });

  it("an up posts each update once, and reads what is observed into the state", () => {
    const { created } = ran;
    expect(postsOf(created).map(({ body }) => body)).toMatchObject([
      { status: "MONITORING", description: words.description, notifySubscribers: false },
      { description: "We know the cause.", notifySubscribers: true },
      ...["Edited.", "Deleted.", "One.", "Two."].map((description) => ({ description })),
      ...["Begin.", "End.", "Canary.", "Lost."].map((description) => ({ description })),
    ]);
    expect(created.resources).toMatchObject({ kept: tracked(words.description), one: tracked("One.") });
    expect(outputsOf(created.resources, "mail")).not.toMatchObject({ sslExpiryThreshold: 22 });
    expect(outputsOf(created.resources, "page")).not.toMatchObject({ customDomain: "" });
  });

  it("a refresh shows what was edited and deleted by hand, and leaves the rest", () => {
    const { created, changed } = ran;
    // What the refresh failed for would be among what the up after it failed for: the lost update.
    expect(changed.steps).toHaveLength(1);
    expect(outputsOf(changed.refreshed, "kept")).toEqual(outputsOf(created.resources, "kept"));
    expect(changed.refreshed).toMatchObject({
      edited: {
        outputs: {
          description: "Edited.",
          published: { description: "Edited by hand.", status: "RESOLVED" },
        },
      },
      deleted: { outputs: { missing: true } },
      mail: { outputs: { sslExpiryThreshold: 22 } },
      page: { outputs: { customDomain: "" } },
    });
    expect(changed.output).toContain("not found on the service. It stays in the state");
  });

  it("a preview says what changes, reads nothing of the rest, and fails as the up would", () => {
    const { output, requests } = ran.replanned;
    expect(output).toMatch(
      /"changed" may post to .*: `pulumi up` looks again\n {2}It is posted once the result of the earlier update is known\.\n {2}MAJOR, .*\n {2}Newest .*\n {2}RESOLVED, every subscriber is emailed:\n {2}\| All good\./,
    );
    for (const said of ["sslExpiry: expected false, but it is true.\nFix", "AlertChannel 999999: not found"])
      expect(output).toContain(said);
    expect(stepsOf(ran.replanned)).toEqual([...Array<string>(4).fill("replace"), "update"]);
    const reads = requests.map(({ operation }) => operation);
    expect(reads.filter((operation) => operation === "getAlertChannel")).toHaveLength(2);
    expect(reads).not.toContain("listStatusPages");
  });

  it("an up posts what changed, and keeps what two resources swapped and what was edited or deleted by hand", () => {
    const { created, changed } = ran;
    expect(postsOf(changed).map(({ body }) => body)).toMatchObject([{ description: "All good." }]);
    const [one, two] = [tracked("One."), tracked("Two.")];
    expect(created.resources).toMatchObject({ one, two });
    expect(changed.resources).toMatchObject({ changed: tracked("All good."), one: two, two: one });
    for (const name of ["kept", "edited", "deleted"])
      expect(outputsOf(changed.resources, name)).toEqual(outputsOf(changed.refreshed, name));
  });

  it("an update whose post may have been applied is remembered, and posted again with its code alone", () => {
    const { created, replanned, changed, answered, destroyed } = ran;
    expect(created.output).toContain("The state records it: run `pulumi up` again");
    expect(changed.output).toContain("still unconfirmed. `pulumi up` searches for it.");
    // The engine shows notices of the plugin on the line of their resource, and others under the stack.
    const names = adapter.name === "dynamic" ? ' "lost"' : "";
    expect(answered.output).toContain(`IncidentUpdate${names}: the code of incident`);
    expect(changed.output).toContain(`IncidentUpdate${names} on incident ${incidentId}: still unconfirmed`);
    expect(changed.output).toContain("Nothing was posted");
    const code = codeIn(created);
    expect([codeIn(replanned), codeIn(changed)]).toEqual([code, code]);
    expect(changed.output).toContain("(a0000000) answered no question");
    expect(answered.output).toMatch(/the code of incident \S+ counts from \S+ on/);
    expect(postsOf(answered).map(({ body }) => body)).toMatchObject([{ description: "Lost." }]);
    // The id from before the result was known says nothing about it, and goes.
    for (const resources of [created.resources, changed.refreshed, changed.resources, answered.resources])
      expect(resources["lost"]?.id).toEqual(isUnconfirmed);
    expect(destroyed.refreshed).toMatchObject({ lost: tracked("Lost.") });
  });

  it("a process says once that the engine records its secrets", () => {
    const times = ({ output }: Ended) => output.match(/Pulumi records this run/g)?.length;
    expect([ran.changed, ran.destroyed].map(times)).toEqual([undefined, 1]);
  });

  it("a destroy requests nothing, and says what stays", () => {
    const { steps, output, requests, resources, refreshed } = ran.destroyed;
    expect([steps, requests, resources]).toEqual([[], [], {}]);
    for (const { id } of Object.values(refreshed)) expect(output).toContain(`${id}: removed from the state`);
    expect(output).toContain("The update stays public: the API has no operation to delete it");
    expect(output).toContain("removed from the state; nothing changes on the service");
  });

  it("a text that was secret stays withheld", () => {
    expect(ran.replanned.output).toContain("MONITORING: (secret text)");
    expect(ran.replanned.output).toContain("| Plain.");
    expect(ran.replanned.output).toContain("Newest update, now, MONITORING: (secret text)\n");
    // Other resources show the newest update of the incident, which is public.
    const { sandbox: _, ...commands } = ran;
    for (const { output } of Object.values(commands))
      expect(output.replace(/Newest update, .*/g, "")).not.toContain("Canary");
  });
});
