/**
 * Repeats a trace on real provider processes: calls them as the trace's engine does, and responds as its service does. Each
 * request that they send and each result must be the one that the protocol has in the trace.
 */
const fs = require("node:fs");
const { newMachine } = require("../../../test/driver/machines");
const { ProviderProcess } = require("../../../test/driver/provider");
const { Stack } = require("../../../test/driver/stack");
const { declaredOf } = require("../runs");
const { Clock } = require("./clock");
const { Exchange, Mismatch } = require("./exchange");
const { lookupOf, pageOf, responseFor } = require("./responses");
const { ScriptedService } = require("./scriptedService");

/**
 * @typedef {import("../world").World} World
 * @typedef {import("../world").Run} Run
 * @typedef {import("../engine").Step} Step
 * @typedef {Extract<Step, {model: unknown}>} WorldStep
 * @typedef {import("../../../test/driver/adapters").Adapter} Adapter
 */

/** Posts that may still appear are waited for until one to two of them later. */
const tickMs = 45_000;

class Replay {
  /** @type {Map<string, Stack>} */
  #stacks = new Map();
  /** @type {Map<string, string>} */
  #machines = new Map();
  /** What the engine will request. @type {Map<string, import("../../../test/driver/stack").Plan>} */
  #plans = new Map();
  /** @type {ProviderProcess | undefined} */
  #provider;
  #clock = new Clock();
  #service;
  #exchange;
  #adapter;

  /** @param {ScriptedService} service @param {Adapter} adapter */
  constructor(service, adapter) {
    this.#service = service;
    this.#exchange = new Exchange(service);
    this.#adapter = adapter;
  }

  get posts() {
    return this.#exchange.posts;
  }

  /** @param {WorldStep} step */
  async take(step) {
    const { before, world } = step;
    const [was] = before.runs;
    const [run] = world.runs;
    this.#exchange.lookup = (incident, id) => lookupOf(before, incident, id);
    const page = (/** @type {string} */ incident) => pageOf(step.model.config, before, incident);
    this.#exchange.page = was?.running ? undefined : page;
    const diffed = run && was?.todo.find((urn) => !run.todo.includes(urn));
    if (!was && run) await this.#start(step, run);
    else if (!was) this.#happens(step.label);
    else if (!run) await this.#end(step, was);
    else if (diffed !== undefined) await this.#diff(step, was, run, diffed);
    else if (!was.running && run.running) this.#request(was, run.running.urn);
    else if (was.running && step.event) await this.#respond(step, was.running, step.event);
    else if (was.running && !run.running) await this.#finish(world, run, was.running.urn);
  }

  async end() {
    await this.#provider?.end();
    this.#provider = undefined;
    this.#exchange.end();
  }

  /** What the user and the service do between runs is in the responses, except the time. @param {string} label */
  #happens(label) {
    if (label === "a few minutes pass") this.#clock.skip(9 * tickMs);
  }

  /** @param {WorldStep} step @param {Run} run */
  async #start({ model, before, label, shown }, { stack, machine, options }) {
    await this.end();
    const { machines, late = 1, clientIds = !options.withoutIds } = model.config;
    // The user looks at the page when everything is shown.
    if (label.includes('is "resend"')) this.#clock.skip(late * tickMs);
    const ofRun = this.#stackOf({ stack });
    const recorded = before.stacks[stack]?.state ?? {};
    for (const urn of [...ofRun.resources.keys()]) if (!recorded[urn]) ofRun.resources.delete(urn);
    const lock = machines[machine] ?? machine;
    const lockDirectory = this.#machines.get(lock) ?? newMachine();
    this.#machines.set(lock, lockDirectory);
    // Processes keep notes for longer than the model does, where they save a consent.
    const isNoted = Object.entries(before.notes).some(
      ([file, sent]) => file.startsWith(`${lock} `) && sent.length > 0,
    );
    if (!isNoted) fs.rmSync(lockDirectory, { recursive: true, force: true });
    const config = {
      "monitoring:baseUrl": this.#service.url,
      "monitoring:apiKey": "replay-key-0123456789",
      "monitoring:accountId": "replay",
      "monitoring:clientIds": String(clientIds),
    };
    const env = {
      NODE_OPTIONS: `--require ${require.resolve("./fasterClock")}`,
      REPLAY_CLOCK: this.#clock.file,
    };
    const machineOptions = { adapter: this.#adapter, machine: lockDirectory, env };
    this.#provider = await ProviderProcess.start(config, machineOptions);
    if (!options.refresh) return;
    for (const [urn, { kind, declared }] of Object.entries(recorded)) {
      if (kind === "unconfirmed" && shown) await this.#refresh(ofRun, urn, { declared, model, shown });
      if (kind === "posted") await this.#refresh(ofRun, urn, { declared, model });
    }
  }

  /**
   * @param {Stack} stack @param {string} urn
   * @param {Pick<WorldStep, "model" | "shown"> & {declared: {incidentId: string}}} read
   */
  async #refresh(stack, urn, { declared: { incidentId }, model, shown }) {
    this.#exchange.begin(stack.refreshOne(this.#running(), urn).then(() => ({})));
    if (shown) {
      const event = { on: /** @type {const} */ ("history"), shown, sent: [], now: 0 };
      const response = responseFor(model.config, incidentId, event);
      await this.#exchange.respond({ does: "read", incident: incidentId }, response);
    }
    await this.#exchange.outcome();
  }

  /** @param {WorldStep} step @param {Run} was @param {Run} run @param {string} urn */
  async #diff({ model, before, world }, was, run, urn) {
    const { followedBy, ...declared } = declaredOf(model, before, was, urn);
    const args = { ...declared, ...(followedBy && { followedBy: [...followedBy] }) };
    const plan = this.#stackOf(was).plan(this.#running(), urn, args, { replace: replaceOf(was, urn) });
    const decision = await plan.then(
      (decided) => {
        this.#plans.set(urn, decided);
        return decided.step === "replace" ? "create" : decided.step;
      },
      (/** @type {unknown} */ error) => `fails: ${String(error)}`,
    );
    const refusal = run.refused.length > was.refused.length ? run.refused.at(-1) : undefined;
    const isRefused = refusal !== undefined && refusal.why !== "failed";
    const ready = run.ready.find((request) => request.urn === urn)?.via;
    const isUpdated = world.stacks[was.stack]?.state[urn] !== before.stacks[was.stack]?.state[urn];
    // A consent that is added or removed is an update of the state, which the model leaves out.
    const kept = isUpdated || refusal || decision === "update" ? "update" : "same";
    const expected = isRefused ? "fails" : (ready ?? kept);
    if (decision.split(":")[0] !== expected) throw new Mismatch(`diff ${urn}: ${decision}, not ${expected}`);
    if (decision !== "update" || ready) return;
    this.#request(was, urn);
    await this.#finish(world, run, urn);
  }

  /** @param {Run} run @param {string} urn */
  #request(run, urn) {
    const plan = this.#plans.get(urn);
    if (!plan) throw new Mismatch(`${urn} was not diffed`);
    this.#exchange.begin(this.#stackOf(run).perform(this.#running(), urn, plan));
  }

  /** @param {WorldStep} step @param {import("../world").Running} running @param {import("../../../provider/protocol").Event} event */
  async #respond({ model }, running, event) {
    // What a search reads until its time is up is what it read before.
    if (event.on === "timeUp") return;
    const response = responseFor(model.config, running.incident, event);
    await this.#exchange.respond(this.#wantedBy(running), response);
  }

  /** @param {import("../world").Running} running */
  #wantedBy({ command, incident, task }) {
    return {
      ...{ does: command.do, incident, id: "id" in command ? command.id : undefined },
      ...(command.do === "post" && { text: task.declared.description }),
    };
  }

  /** @param {World} world @param {Run} run @param {string} urn */
  async #finish(world, run, urn) {
    const { resource, error } = await this.#exchange.outcome();
    const refusal = run.refused.find((each) => each.urn === urn);
    if ((refusal !== undefined) !== (error !== undefined))
      throw new Mismatch(`${urn}: ${error?.message ?? "succeeds"}, not ${refusal?.why ?? "success"}`);
    if (!resource) return;
    this.#stackOf(run).resources.set(urn, resource);
    const recorded = world.stacks[run.stack]?.state[urn];
    const expected = recorded?.kind === "posted" ? recorded.id : "none";
    const { incidentUpdateId: recordedId = "none" } = resource.outputs;
    if (recordedId !== expected)
      throw new Mismatch(`${urn} has ${JSON.stringify(recordedId)}, not ${expected}`);
  }

  /** @param {WorldStep} step @param {Run} was */
  async #end({ label }, { running }) {
    const isKilled = label.includes("KILLED");
    if (isKilled && running?.command.do === "post") {
      await this.#exchange.respond(this.#wantedBy(running), { send: () => undefined });
    } else if (isKilled && running) await this.#exchange.outcome();
    await this.end();
  }

  /** @param {Pick<Run, "stack">} run */
  #stackOf({ stack }) {
    const known = this.#stacks.get(stack) ?? new Stack();
    this.#stacks.set(stack, known);
    return known;
  }

  #running() {
    if (!this.#provider) throw new Error("No provider process is running.");
    return this.#provider;
  }
}

/** Why the engine replaces a resource that didn't change. @param {Run} run @param {string} urn */
function replaceOf({ options }, urn) {
  if (options.replace?.includes(urn)) return "unseen";
  if (options.replaceWith?.includes(urn)) return "without diff";
  return options.replaceAfterDiff?.includes(urn) ? "unchanged" : undefined;
}

/**
 * @param {readonly Step[]} trace @param {Adapter} adapter
 * @returns {Promise<{posts: number, mismatch?: string}>} the first difference
 */
async function replay(trace, adapter) {
  const service = await ScriptedService.start();
  const replaying = new Replay(service, adapter);
  let { label } = trace[0] ?? { label: "" };
  try {
    for (const step of trace) {
      if (step.label !== "") ({ label } = step);
      if ("model" in step) await replaying.take(step);
    }
    return { posts: replaying.posts };
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    return { posts: replaying.posts, mismatch: `${label}: ${error.message}` };
  } finally {
    await replaying.end();
    service.close();
  }
}

module.exports = { replay };
