/**
 * Kills runs on the real engine, at each request and at each call that opens, reads or changes a file of the lock directory. The engine, the
 * program and the provider end at once, as when a machine stops. The next `pulumi up` must complete what the program declares, with one
 * email for each update, and another `pulumi up` must send nothing.
 */
const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { inspect } = require("node:util");
const { setTimeout: wait } = require("node:timers/promises");
const { root } = require("../../tools/setup");
const { inParallel, step } = require("../../tools/setup/run");
const { Project } = require("../../tools/pulumi");
const { all } = require("../../tools/tables");
const { adapters } = require("../driver/adapters");
const { Clock } = require("../driver/clock");

/**
 * @import { Adapter } from "../driver/adapters"
 *
 * @typedef {object} RequestPlace
 * @property {Exclude<import("../../sandbox").JournalEntry["operation"], "editAlertChannel" | null>} operation
 * @property {number} skip number of requests of the operation before this one
 * @property {boolean} applied whether the service applies the request before the run is killed
 *
 * @typedef {RequestPlace | {fileCall: number}} Place where a run is killed; file calls are numbered from 1
 * @typedef {{adapter: Adapter, program: number, place: Place}} Kill program: index of the program that is killed
 */

/** @type {typeof import("../../sandbox")} */
const { startSandbox, wellKnown } = require(path.join(root, "dist", "sandbox"));

const statusPageId = wellKnown.componentPages.shop;
const common = { status: /** @type {const} */ ("MONITORING"), notifySubscribers: true };
const opened = { ...common, statusPageId, name: "Upgrade 42", description: "Orders may be slow." };

/**
 * What each program declares, and the impacts that the page then shows. The first program opens an incident and posts an update. The second
 * one edits the update, changes the impacts and posts another update.
 */
const programs = [
  {
    incident: { ...opened, impacts: [{ component: "Cart", status: "UNDER_MAINTENANCE" }] },
    updates: [{ ...common, key: "half", description: "Half of the orders are moved." }],
    shownImpacts: ["Cart UNDER_MAINTENANCE"],
  },
  {
    incident: { ...opened, impacts: [{ component: "Images", status: "DEGRADED_PERFORMANCE" }] },
    updates: [
      { ...common, key: "half", description: "Half of the orders and all carts are moved." },
      { ...common, key: "all", description: "All orders are moved." },
    ],
    shownImpacts: ["Cart UNDER_MAINTENANCE, ended", "Images DEGRADED_PERFORMANCE"],
  },
];

const up = ["up", "--yes", "--skip-preview"];

/** A stack on the real engine with its own service, lock directory and clock. */
class Stack {
  sandbox;
  #project;
  #clock = new Clock();

  /** @param {Adapter} adapter */
  static async create(adapter) {
    const from = adapter.name === "plugin" ? "/native" : "";
    const program = `const { Incident, IncidentTimeline } = require("pulumi-monitoring-service${from}");
const { incident, updates } = require("./declared.json");
const { incidentId } = new Incident("incident", incident);
new IncidentTimeline("story", { statusPageId: incident.statusPageId, incidentId, updates });
`;
    const project = await Project.create({ program });
    if (adapter.name === "plugin") project.declarePlugin();
    return new Stack(project, await startSandbox());
  }

  /** @param {Project} project @param {Awaited<ReturnType<typeof startSandbox>>} sandbox */
  constructor(project, sandbox) {
    this.sandbox = sandbox;
    this.#project = project;
    const { NODE_OPTIONS, ...clock } = this.#clock.env;
    Object.assign(project.env, clock, {
      MONITORING_BASE_URL: sandbox.url,
      MONITORING_ACCOUNT_ID: sandbox.accountId,
      MONITORING_API_KEY: sandbox.apiKey,
      MONITORING_LOCK_DIRECTORY: path.join(project.folder, "locks"),
      NODE_OPTIONS: `${NODE_OPTIONS} --require ${require.resolve("./stopAtFileCall")}`,
      FILE_CALLS: this.#fileCallsFile,
    });
  }

  /** Runs a program to its end. @param {number} program @throws with the output if the run fails */
  async up(program) {
    this.#prepare(program);
    await this.#project.mustRun(...up);
  }

  /** Runs a program and kills the run. @param {number} program @param {Place} place @throws if the run ends before the place */
  async kill(program, place) {
    const isRequest = "operation" in place;
    if (isRequest) this.sandbox.faults.add({ kind: "hang", ...place });
    this.#prepare(program, isRequest ? undefined : place.fileCall);
    const started = this.#project.start(...up);
    const ending = new AbortController();
    void started.ended.then(() => ending.abort());
    const isAtPlace = () =>
      isRequest
        ? this.sandbox.faults.list().some(({ struck }) => struck > 0)
        : this.fileCalls.includes("stopped");
    while (!ending.signal.aborted && !isAtPlace()) await wait(20);
    started.kill("SIGKILL")();
    const { code } = await started.ended;
    this.sandbox.faults.clear();
    await this.#project.mustRun("cancel", "--yes");
    if (code !== null) throw new Error("The run ended before that.");
  }

  /** The names of the last run's calls that used a file of the lock directory. */
  get fileCalls() {
    return fs.readFileSync(this.#fileCallsFile, "utf8").split("\n").filter(Boolean);
  }

  /** What the page shows of the incidents that the programs open. */
  get page() {
    const { data } = this.sandbox;
    const [{ componentPages, subscribers }] = data.accounts;
    const page = componentPages.find(({ id }) => id === statusPageId);
    const names = Object.fromEntries(page?.components.map(({ id, name }) => [id, name]) ?? []);
    const incidents = page?.incidents.filter(({ name }) => name === opened.name) ?? [];
    return incidents.map(({ incidentUpdates, componentImpacts }) => ({
      updates: incidentUpdates.map(({ id, status, description }) => ({
        ...{ status, description },
        emails: (data.mailed[id] ?? 0) / (subscribers[statusPageId] ?? 0),
      })),
      impacts: componentImpacts
        .map(
          ({ componentId, status, endedAt }) => `${names[componentId]} ${status}${endedAt ? ", ended" : ""}`,
        )
        .sort(),
    }));
  }

  async remove() {
    this.#project.remove();
    this.#clock.remove();
    await this.sandbox.close();
  }

  get #fileCallsFile() {
    return path.join(this.#project.folder, "fileCalls");
  }

  /** Prepares the next run. @param {number} program @param {number} [stopAt] the file call at which the run waits */
  #prepare(program, stopAt = Infinity) {
    this.sandbox.clearRequests();
    this.#project.write("declared.json", JSON.stringify(programs[program]));
    this.#project.write("fileCalls", "");
    this.#project.env["STOP_AT_FILE_CALL"] = String(stopAt);
  }
}

/** Returns the page that a program declares. @param {number} index @returns {Stack["page"]} */
function createExpectedPage(index) {
  const { incident, updates = [], shownImpacts = [] } = programs[index] ?? {};
  const { status } = common;
  const texts = [incident, ...updates].map((each) => each?.description ?? "");
  const shown = texts.map((description) => ({ status, description, emails: 1 }));
  return [{ updates: shown.reverse(), impacts: shownImpacts }];
}

/** @param {import(".").Options} options @returns {Promise<import(".").Figure[]>} */
async function stage({ short }) {
  const kills = (await Promise.all(adapters.map(listKills))).flat();
  const wanted = kills.filter((_, index) => !short || index % 16 === 0);
  /** @type {{isRequest: boolean, isRight: boolean}[]} */
  const results = await step("Kills", `${wanted.length} killed runs, 15 seconds each`, (tell) =>
    inParallel(
      wanted,
      async (kill) => {
        const { adapter, program, place } = kill;
        const what = `${adapter.name}, program ${program + 1}, killed at ${JSON.stringify(place)}`;
        const mistake = await play(kill).then(() => undefined, inspect);
        if (mistake !== undefined) console.log(`${what}: ${mistake}`);
        return { isRequest: "operation" in place, isRight: mistake === undefined };
      },
      tell,
      // Runs partly wait for each other's locks and files, so more of them than processors run concurrently.
      2 * os.availableParallelism(),
    ),
  );
  return [true, false].map((isRequest) => {
    const killed = results.filter((each) => each.isRequest === isRequest);
    const right = killed.filter(({ isRight }) => isRight);
    const what = `runs killed at a ${isRequest ? "request" : "file call"} that the next run completes`;
    return all(what, right.length, killed.length);
  });
}

/** Runs the programs without a kill, and returns each place where a run can be killed. @param {Adapter} adapter */
async function listKills(adapter) {
  /** @type {Kill[]} */
  const kills = [];
  const stack = await Stack.create(adapter);
  try {
    for (const program of programs.keys()) {
      await stack.up(program);
      const { requests } = stack.sandbox;
      for (const [index, { operation, method }] of requests.entries()) {
        // The provider has no operation that edits an alert channel.
        if (operation === null || operation === "editAlertChannel") throw new Error(`${operation} was sent.`);
        const skip = requests.slice(0, index).filter((each) => each.operation === operation).length;
        for (const applied of method === "GET" ? [false] : [false, true])
          kills.push({ adapter, program, place: { operation, skip, applied } });
      }
      for (const index of stack.fileCalls.keys())
        kills.push({ adapter, program, place: { fileCall: index + 1 } });
    }
    return kills;
  } finally {
    await stack.remove();
  }
}

/** Kills a run and completes it with the next one. @param {Kill} kill @throws if the next runs or the page are wrong */
async function play({ adapter, program, place }) {
  const stack = await Stack.create(adapter);
  try {
    for (let before = 0; before < program; before++) await stack.up(before);
    await stack.kill(program, place);
    await stack.up(program);
    await stack.up(program);
    assert.deepEqual(stack.sandbox.requests, [], "The second run sent requests.");
    assert.deepEqual(stack.page, createExpectedPage(program));
  } finally {
    await stack.remove();
  }
}

module.exports = { stage };
