/**
 * Plays random worlds. In each world, a program opens incidents, posts updates and edits a timeline, while runs are killed, responses are
 * lost, reads are stale, two machines take turns, and colleagues edit texts and impacts and resolve incidents. No email may be sent twice, no
 * incident may be opened twice, no colleague's change may be overwritten, and after a successful `up`, the page must match the program.
 */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { inspect } = require("node:util");
const fc = require("fast-check");
const { root } = require("../../tools/setup");
const { inParallel, step } = require("../../tools/setup/run");
const { all, none } = require("../../tools/tables");
const { programInput } = require("../driver/adapters");
const { Clock } = require("../driver/clock");
const { RunThread } = require("../driver/runs");
const { Project } = require("../driver/scenario");

/**
 * @import { Program, Resource } from "../driver/stack"
 * @import { FaultInput, Sandbox } from "../../sandbox"
 *
 * @typedef {Readonly<Record<string, Resource>>} Resources
 * @typedef {typeof command extends fc.Arbitrary<infer Value> ? Value : never} Command
 */

/** @type {typeof import("../../sandbox")} */
const { seedData, startSandbox, wellKnown } = require(path.join(root, "dist", "sandbox"));
/** @type {typeof import("../../provider/lifecycles/timeline")} */
const { computeKeys } = require(path.join(root, "dist", "provider", "lifecycles", "timeline"));

const statusPageId = wellKnown.componentPages.shop;
const incidentId = wellKnown.componentPageIncidents.checkoutOutage;
const operations = /** @type {const} */ ({
  open: "openComponentPageIncident",
  impacts: "editComponentPageIncident",
  post: "createComponentPageIncidentUpdate",
  edit: "editComponentPageIncidentUpdate",
});
const some = fc.constantFrom;
const common = { statusPageId, status: "MONITORING", notifySubscribers: true };

/** @param {[component: string, status: string][]} impacts */
const toImpacts = (...impacts) => impacts.map(([component, status]) => ({ component, status }));
/** The impacts that a program may declare. A colleague sets the last element in the dashboard. A program may declare it later. */
const impactChoices = [
  toImpacts(),
  toImpacts(["Cart", "UNDER_MAINTENANCE"]),
  toImpacts(["Cart", "MAJOR_OUTAGE"], ["Images", "DEGRADED_PERFORMANCE"]),
  toImpacts(["Images", "PARTIAL_OUTAGE"]),
];
const byColleague = "A colleague's words.";

/** The index of a resource's declared text. Each resource has three texts that no other resource has. */
const chosen = some(0, 0, 0, 1, 2);
const keys = ["k1", "k2", "k3"];
const opened = fc.record({ words: some(0, 0, 0, 0, 0, 1), impacts: fc.nat(impactChoices.length - 1) });
const program = fc.record({
  incident: opened,
  second: fc.option(opened, { freq: 2, nil: undefined }),
  single: some(0, 0, 0, 0, 0, 1),
  entries: fc.subarray(keys, { minLength: 1 }),
  words: fc.tuple(chosen, chosen, chosen),
  resolves: some(false, false, false, true),
});
const each = some(...Object.values(operations));
/** The faults that lose a response, whether or not the service has applied the request. The provider receives the real bytes of each fault. */
const losses = some(
  { kind: "reset" },
  { kind: "hang" },
  { kind: "cut" },
  { kind: "cut", afterBytes: 0 },
  { kind: "drip", endless: true },
  { kind: "status", code: 200, body: "html" },
  ...["", '{"data":{"ok":true}}', '{"id": "'].map((body) => ({
    ...{ kind: "answer", code: 201, body },
    headers: ["Content-Type: application/json", `Content-Length: ${body.length}`],
  })),
  ...[303, 404, 409, 500, 502, 503, 504, 520].map((code) => ({ kind: "status", code })),
);
/** The trouble in a command: none, a kill, a lost response (possibly with stale reads) or a colleague's change in the dashboard. */
const trouble = fc.oneof(
  { arbitrary: fc.constant({}), weight: 3 },
  fc.record({
    killed: fc.constant(/** @type {const} */ ("SIGKILL")),
    fault: fc.record({
      kind: fc.constant(/** @type {const} */ ("hang")),
      operation: each,
      applied: fc.boolean(),
      skip: fc.nat(1),
    }),
  }),
  fc.record({
    fault: fc
      .tuple(losses, fc.record({ operation: each, applied: fc.boolean(), times: fc.constant(1) }))
      .map(([loss, when]) => ({ ...loss, ...when })),
    late: some(undefined, operations.post, operations.open),
  }),
  fc.record({
    dashboardEdit: some("text", "impacts", "resolve"),
    of: some("incident", "second", "single", "story-k1", "story-k2"),
  }),
);
const command = fc.record({
  declared: program,
  happens: trouble,
  refresh: some(undefined, undefined, /** @type {const} */ (true)),
  answers: fc.boolean(),
  machine: some("laptop", "laptop", "pipeline"),
  lateReads: fc.nat(4),
});
const world = fc.record({
  endsImpacts: fc.boolean(),
  commands: fc.array(command, { minLength: 4, maxLength: 8 }),
});

/** @typedef {(name: string, choice: number) => string} FormatWords */

/** @type {FormatWords} */
const formatWords = (name, choice) =>
  `${["We look into", "We are looking into", "We have looked into"][choice]} the ${name} of all orders.`;

/** @param {Command["declared"]} declared @param {Resources} resources @param {FormatWords} format @returns {Program} */
function createProgram({ incident, second, single, entries, words, resolves }, resources, format) {
  const contents = entries.map((key) => ({
    ...{ ...common, incidentId },
    description: format(`story-${key}`, words[keys.indexOf(key)] ?? 0),
  }));
  const places = computeKeys(contents);
  const timeline = entries.map((key, index) => {
    const place = { keys: places, index, later: contents.slice(index + 1) };
    return [`story-${key}`, { ...contents[index], [programInput()]: { place, key } }];
  });
  const open = (/** @type {string} */ name, /** @type {typeof incident} */ { words: choice, impacts }) => ({
    [name]: {
      ...common,
      name: `The ${name} 42`,
      impacts: impactChoices[impacts],
      description: format(name, choice),
    },
  });
  const { incidentId: id } = resources["incident"]?.outputs ?? {};
  return {
    ...open("incident", incident),
    ...(second && open("second", second)),
    single: { ...common, incidentId, description: format("single", single) },
    ...Object.fromEntries(timeline),
    ...(resolves &&
      typeof id === "string" && {
        end: { ...common, incidentId: id, status: "RESOLVED", description: formatWords("end", 0) },
      }),
  };
}

/** @param {string} name */
const isOpened = (name) => name === "incident" || name === "second";

const mistakes = {
  twice: "second posts or emails",
  overwritten: "overwritten texts or impacts of a colleague",
  untrue: "successful runs whose page doesn't match the program",
  closed: "requests to a resolved incident",
};

/** @param {import(".").Options} options @returns {Promise<import(".").Figure[]>} */
async function stage({ short, seed, replay, random = short ? 40 : 200 }) {
  const drawn = [...fc.sample(world, { seed, numRuns: random }).entries()];
  const wanted = replay === undefined ? drawn : drawn.filter(([index]) => index === Number(replay));
  const counts = { ...initialCounts };
  /** Threads that are reused after a world, because starting a thread takes half a second. */
  const threads = [new Thread()];
  /** @type {(keyof typeof mistakes | undefined)[]} */
  const results = await step("Worlds", `${wanted.length} worlds, seconds each`, (tell) =>
    inParallel(
      wanted,
      async ([index, drawnWorld]) => {
        const thread = threads.pop() ?? new Thread();
        const mistake = await new PlayedWorld(drawnWorld, counts).play(thread);
        threads.push(thread);
        if (mistake) console.log(`World ${index}: ${mistakes[mistake[0]]}: ${mistake[1]}`);
        return mistake?.[0];
      },
      tell,
      // Worlds mostly wait, so more of them than processors run concurrently.
      16 * os.availableParallelism(),
    ),
  );
  for (const thread of threads) await thread.end();
  return [
    all("random worlds without a mistake", results.filter((mistake) => !mistake).length, results.length),
    ...Object.entries(mistakes).map(([kind, what]) =>
      none(what, results.filter((found) => found === kind).length),
    ),
    ...Object.entries(counts).map(([what, count]) => ({
      what: `of these, ${what}`,
      measured: String(count),
    })),
  ];
}

const initialCounts = {
  runs: 0,
  successes: 0,
  opened: 0,
  posts: 0,
  edits: 0,
  impacts: 0,
  kills: 0,
  dashboardEdits: 0,
};

class Thread {
  runs = new RunThread();
  #folder = fs.mkdtempSync(path.join(os.tmpdir(), "monitoring-clock-"));

  /** Returns a clock that is set to the start of a world. */
  newClock() {
    return new Clock(this.#folder);
  }

  async end() {
    await this.runs.remove();
    fs.rmSync(this.#folder, { recursive: true });
  }
}

class PlayedWorld {
  #world;
  #counts;
  /** How often each resource was posted. @type {Map<string, number>} */
  #posted = new Map();
  /** The texts that colleagues wrote, by update ID. @type {Map<string, string>} */
  #texts = new Map();
  /** The impacts that colleagues set, by incident ID. @type {Map<string, string>} */
  #impacts = new Map();
  /** The machine that posted each resource, and the posted text. @type {Map<string, {machine: string, text: string}>} */
  #sent = new Map();
  /** The names of the incidents for which a program has declared the colleague's impacts. @type {Set<unknown>} */
  #chose = new Set();
  /** The names of incidents whose impacts a killed run may have written. Only a change or a refresh detects this. @type {Set<string>} */
  #mayDiffer = new Set();
  /** Removed resources. They aren't declared again, because a new declaration would be a new update. @type {Set<string>} */
  #removed = new Set();

  /** @param {typeof world extends fc.Arbitrary<infer World> ? World : never} drawn @param {typeof initialCounts} counts */
  constructor(drawn, counts) {
    this.#world = drawn;
    this.#counts = counts;
  }

  /** @param {Thread} thread @returns {Promise<[keyof typeof mistakes, string] | undefined>} */
  async play(thread) {
    const sandbox = await startSandbox({ seed: createSeed() });
    const clock = thread.newClock();
    const project = new Project(
      (config, { machine, env }) => thread.runs.start(config, { machine, env: { ...env, ...clock.env } }),
      sandbox,
      (name) => (isOpened(name) ? "Incident" : "IncidentUpdate"),
    );
    /** @type {Resources} */
    let resources = {};
    try {
      for (const [index, each] of this.#world.commands.entries()) {
        const { happens, refresh, lateReads, machine } = each;
        const { killed, fault, late, dashboardEdit, of = "" } = /** @type {any} */ (happens);
        if (dashboardEdit) {
          // A colleague changes the page minutes after the last run, when every update is visible.
          clock.skip(600_000);
          await showAll(sandbox);
          this.#changeInDashboard(sandbox, dashboardEdit, resources[of]);
        }
        this.#counts.kills += killed ? 1 : 0;
        const up = this.#declare(each, resources);
        const rewritten = Object.keys(up).filter(
          (name) => inspect(up[name]?.["impacts"]) !== inspect(resources[name]?.outputs["impacts"]),
        );
        if (killed) for (const name of rewritten) this.#mayDiffer.add(name);
        /** @type {FaultInput[]} */
        const delays = [operations.edit, late].flatMap((operation) =>
          operation && lateReads > 0 ? [{ kind: "lateVisibility", operation, reads: lateReads }] : [],
        );
        const resolved = listOpened(sandbox).flatMap((incident) =>
          isResolved(incident) ? [incident.id] : [],
        );
        const taken = await project.take({
          ...{ up, keepsFaults: true, faults: [...delays, ...(fault ? [fault] : [])], machine },
          ...(refresh && { refresh }),
          ...(killed && { killed }),
          // The user sets no code if a post may be public.
          ...(each.answers && this.#isAllRecorded(resources) && { answers: true }),
        });
        // Faults that didn't occur are removed, because the next command defines its own faults.
        sandbox.faults.clear();
        ({ resources } = taken);
        const isGreen = taken.steps.length === 0 && !killed;
        if (isGreen) for (const name of rewritten) this.#mayDiffer.delete(name);
        this.#counts.runs += 1;
        this.#counts.successes += isGreen ? 1 : 0;
        if (!this.#world.endsImpacts) reviveImpacts(sandbox);
        const found =
          this.#findSecond(sandbox, taken.requests, machine) ??
          this.#findOverwritten(sandbox, up) ??
          findClosed(taken.requests, resolved) ??
          (isGreen ? this.#findUntrue(sandbox, up, resources) : undefined);
        if (found)
          return [
            found[0],
            `${found[1]}, in command ${index + 1}\n${inspect(this.#world, { depth: null })}\n${taken.output}\n${project.calls}`,
          ];
      }
      return undefined;
    } finally {
      await sandbox.close();
    }
  }

  /** @param {Command} command @param {Resources} resources */
  #declare({ declared, machine }, resources) {
    // On a machine without the killed run's notes, a changed text would be posted as another update. The text stays the same there.
    const up = createProgram(declared, resources, (name, choice) => {
      const { machine: at = machine, text = "" } = this.#sent.get(name) ?? {};
      return at === machine || resources[name] ? formatWords(name, choice) : text;
    });
    const kept = Object.fromEntries(Object.entries(up).filter(([name]) => !this.#removed.has(name)));
    for (const { name, impacts } of Object.values(kept))
      if (impacts === impactChoices[3]) this.#chose.add(name);
    for (const name of Object.keys(resources)) if (!(name in up)) this.#removed.add(name);
    return kept;
  }

  /** @param {Resources} resources */
  #isAllRecorded(resources) {
    return [...this.#posted.keys()].every((name) => {
      const { incidentUpdateId, incidentId: id } = resources[name]?.outputs ?? {};
      return typeof (isOpened(name) ? id : incidentUpdateId) === "string";
    });
  }

  /** @param {Sandbox} sandbox @param {"text" | "impacts" | "resolve"} what @param {Resource | undefined} resource */
  #changeInDashboard(sandbox, what, resource) {
    const { incidentId: id, incidentUpdateId, impacts } = resource?.outputs ?? {};
    if (typeof id !== "string") return;
    this.#counts.dashboardEdits += 1;
    const incident = sandbox.incident(id, statusPageId);
    const update = incident.incidentUpdates.find(
      (shown) => shown.id === (incidentUpdateId ?? incident.incidentUpdates.at(-1)?.id),
    );
    const now = new Date().toISOString();
    if (what === "text" && update) {
      sandbox.dashboard.editUpdate(id, update.id, { description: byColleague }, statusPageId);
      this.#texts.set(update.id, byColleague);
    } else if (what === "impacts" && impacts && !isResolved(incident) && !this.#chose.has(incident.name)) {
      const componentImpacts = [
        {
          componentId: findComponent(sandbox, "Images"),
          status: /** @type {const} */ ("PARTIAL_OUTAGE"),
          startedAt: now,
          endedAt: null,
        },
      ];
      sandbox.dashboard.editIncident(id, { componentImpacts }, statusPageId);
      this.#impacts.set(id, formatImpacts(sandbox, id));
    } else if (what === "resolve" && impacts && !isResolved(incident) && update) {
      const last = {
        ...update,
        id: `${id}-resolved`,
        status: /** @type {const} */ ("RESOLVED"),
        description: "Done.",
        created_at: now,
      };
      const componentImpacts = incident.componentImpacts.map((each) => ({
        ...each,
        endedAt: this.#world.endsImpacts ? now : each.endedAt,
      }));
      sandbox.dashboard.editIncident(
        id,
        { incidentUpdates: [last, ...incident.incidentUpdates], componentImpacts },
        statusPageId,
      );
    }
  }

  /** @param {Sandbox} sandbox @param {Sandbox["requests"]} requests @param {string} machine @returns {[keyof typeof mistakes, string] | undefined} */
  #findSecond(sandbox, requests, machine) {
    for (const { method, path: url, body, applied } of requests) {
      if (!applied || method === "GET") continue;
      const isEdit = method === "PUT";
      this.#counts[
        isEdit
          ? url.includes("/incident-updates/")
            ? "edits"
            : "impacts"
          : url.endsWith("/incidents")
            ? "opened"
            : "posts"
      ] += 1;
      if (isEdit) continue;
      const [text = "", name = ""] = /We [a-z ]*the (\S+) of all orders\./.exec(JSON.stringify(body)) ?? [];
      this.#sent.set(name, { machine, text });
      const count = (this.#posted.get(name) ?? 0) + 1;
      this.#posted.set(name, count);
      if (count > 1) return ["twice", `${name} is posted ${count} times`];
    }
    const own = listOpened(sandbox).flatMap(({ incidentUpdates }) => incidentUpdates);
    const emailedTwice = own.find(
      ({ id }) => sandbox.emailsSent(id) > Math.max(0, ...listSubscriberCounts(sandbox)),
    );
    return emailedTwice && ["twice", `"${emailedTwice.description}" is emailed twice`];
  }

  /** @param {Sandbox} sandbox @param {Program} up @returns {[keyof typeof mistakes, string] | undefined} */
  #findOverwritten(sandbox, up) {
    const incidents = listOpened(sandbox);
    const updates = incidents.flatMap(({ incidentUpdates }) => incidentUpdates);
    for (const [id, text] of this.#texts)
      if (updates.find((update) => update.id === id)?.description !== text)
        return ["overwritten", `the text of ${id}`];
    for (const [id, impacts] of this.#impacts) {
      const incident = incidents.find((each) => each.id === id);
      const declared = Object.values(up).find(({ name }) => name === incident?.name);
      // If a program has declared the colleague's impacts, it may also change them.
      if (!incident || isResolved(incident) || declared?.["impacts"] === impactChoices[3])
        this.#impacts.delete(id);
      else if (formatImpacts(sandbox, id) !== impacts) return ["overwritten", `the impacts of ${id}`];
    }
    return undefined;
  }

  /** @param {Sandbox} sandbox @param {Program} up @param {Resources} resources @returns {[keyof typeof mistakes, string] | undefined} */
  #findUntrue(sandbox, up, resources) {
    for (const [name, { description, impacts }] of Object.entries(up)) {
      const { incidentId: id, incidentUpdateId } = resources[name]?.outputs ?? {};
      const incident = listOpened(sandbox).find((each) => each.id === id);
      const update =
        incident?.incidentUpdates.find((each) => each.id === incidentUpdateId) ??
        incident?.incidentUpdates.at(-1);
      if (!incident || !update) return ["untrue", `${name} isn't on the page`];
      if (update.description !== description && !this.#texts.has(update.id))
        return [
          "untrue",
          `${name} declares "${String(description)}", but the page shows "${update.description}"`,
        ];
      if (!impacts || isResolved(incident) || this.#impacts.has(incident.id) || this.#mayDiffer.has(name))
        continue;
      const wanted = /** @type {ReturnType<typeof toImpacts>} */ (impacts)
        .map(({ component, status }) => `${findComponent(sandbox, component)}=${status}`)
        .sort()
        .join();
      const shown = formatImpacts(sandbox, incident.id);
      if (shown !== wanted)
        return ["untrue", `${name} declares the impacts ${wanted}, but the page shows ${shown}`];
    }
    return undefined;
  }
}

/** Creates data with only one page. Each write copies all data, so little data saves time. */
function createSeed() {
  const { access, accounts, mailed } = seedData();
  const [account, ...others] = accounts.map((each) => ({
    ...each,
    ...{ alertChannels: [], incidents: [], statusPageIncidents: [], statusPages: [] },
    componentPages: each.componentPages.filter(({ id }) => id === statusPageId),
  }));
  if (!account) throw new Error("There is no account.");
  return {
    access,
    accounts: /** @type {[typeof account, ...typeof others]} */ ([account, ...others]),
    mailed,
  };
}

/** @param {Sandbox["requests"]} requests @param {readonly string[]} resolved the IDs of incidents that were resolved before the run @returns {[keyof typeof mistakes, string] | undefined} */
function findClosed(requests, resolved) {
  const sent = requests.find(
    ({ method, path: url }) => method === "PUT" && resolved.some((id) => url.endsWith(`/incidents/${id}`)),
  );
  return sent && ["closed", sent.path];
}

/** Returns the page. @param {Sandbox} sandbox */
function getPage({ data }) {
  const page = data.accounts[0].componentPages.find(({ id }) => id === statusPageId);
  if (!page) throw new Error("There is no page.");
  return page;
}

/** @param {Sandbox} sandbox */
const listOpened = (sandbox) => getPage(sandbox).incidents;

/** Returns the number of subscribers of each page. @param {Sandbox} sandbox */
const listSubscriberCounts = (sandbox) => Object.values(sandbox.data.accounts[0].subscribers);

/** @param {{incidentUpdates: readonly {status: string}[]}} incident */
const isResolved = ({ incidentUpdates: [last] }) => last?.status === "RESOLVED";

/** @param {Sandbox} sandbox @param {string} name */
const findComponent = (sandbox, name) =>
  getPage(sandbox).components.find((each) => each.name === name)?.id ?? "";

/** @param {Sandbox} sandbox @param {string} id */
const formatImpacts = (sandbox, id) =>
  sandbox
    .incident(id, statusPageId)
    .componentImpacts.filter(({ endedAt }) => endedAt === null)
    .map(({ componentId, status }) => `${componentId}=${status}`)
    .sort()
    .join();

/** Restores impacts that the sandbox ended, to mock a service that doesn't end impacts when an incident is resolved. @param {Sandbox} sandbox */
function reviveImpacts(sandbox) {
  for (const { id, incidentUpdates, componentImpacts } of listOpened(sandbox).filter(isResolved)) {
    const at = incidentUpdates[0]?.created_at ?? "";
    const lasting = componentImpacts.map((each) => ({
      ...each,
      endedAt: (each.endedAt ?? at) >= at ? null : each.endedAt,
    }));
    sandbox.dashboard.editIncident(id, { componentImpacts: lasting }, statusPageId);
  }
}

/** Reads each incident until every update is visible. @param {Sandbox} sandbox */
async function showAll({ url, apiKey, accountId, accountHeader, data }) {
  const headers = { authorization: `Bearer ${apiKey}`, [accountHeader]: accountId };
  const incidents = data.accounts[0].componentPages.find(({ id }) => id === statusPageId)?.incidents ?? [];
  for (const { id } of incidents)
    for (let reads = 0; reads < 5; reads++)
      await (
        await fetch(`${url}/v3/status-pages/${statusPageId}/incidents/${id}`, { headers })
      ).arrayBuffer();
}

module.exports = { stage };
