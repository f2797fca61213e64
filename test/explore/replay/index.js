/**
 * Replays a trace with the code that implements the engine's calls, in process or in real provider processes. The replay makes the calls of
 * the trace's engine and sends the responses of its service. Each request and each result must equal the trace's.
 */
const { programInput } = require("../../driver/adapters");
const { ProviderProcess } = require("../../driver/provider");
const { RunThread } = require("../../driver/runs");
const { Stack } = require("../../driver/stack");
const { getDeclared, getKind } = require("./declared");
const { Commands } = require("./commands");
const { Mismatch } = require("./exchange");
const { Script } = require("./script");
const { ScriptedService } = require("./scriptedService");

/**
 * @import { World, Run } from "../world"
 * @import { Step, WorldStep } from "../engine"
 * @import { Adapter } from "../../driver/adapters"
 */

class Replay {
  /** @type {Map<string, Stack>} */
  #stacks = new Map();
  /** The operation that the engine will request for each resource, as planned by `diff`. @type {Map<string, import("../../driver/stack").Plan>} */
  #plans = new Map();
  /** Creates that the engine has requested during another call. They wait for the lock. @type {Map<string, Promise<import("../../driver/stack").Outcome>>} */
  #waiting = new Map();
  /** The resources of the stack before the last record. @type {Stack["resources"]} */
  #saved = new Map();
  /** @type {import("../../driver/provider").Provider | undefined} */
  #provider;
  /** The thread for runs without an adapter. */
  #thread = new RunThread();
  #script;
  #exchange;
  #adapter;
  /** The resource type of the trace. */
  #kind = getKind({});

  /** @param {ScriptedService} service @param {Adapter | undefined} adapter */
  constructor(service, adapter) {
    this.#script = new Script(service);
    this.#exchange = this.#script.exchange;
    this.#adapter = adapter;
  }

  get posts() {
    return this.#exchange.posts;
  }

  /** @param {WorldStep} step */
  async take(step) {
    const { before, world } = step;
    this.#kind = getKind(step.model.config);
    const [was] = before.runs;
    const [run] = world.runs;
    this.#script.show(step, !was?.running);
    const diffed = run && was?.todo.find((urn) => !run.todo.includes(urn));
    if (!was && run) await this.#start(step, run);
    else if (!was) this.#script.happens(step.label);
    else if (!run) await this.#end(step, was);
    else if (diffed !== undefined) await this.#diff(step, was, run, diffed);
    else if (!was.running && run.running) {
      this.#request(was, run.running.urn);
      this.#requestAhead(step, run);
    } else if (was.running && step.event) await this.#script.respond(step, was.running, step.event);
    else if (was.running && !run.running) await this.#finish(world, run, was.running.urn);
  }

  async end() {
    await this.#endRun();
    await this.#thread.remove();
  }

  async #endRun() {
    this.#waiting.clear();
    await this.#provider?.end();
    this.#provider = undefined;
    this.#exchange.end();
  }

  /** @param {WorldStep} step @param {Run} run */
  async #start(step, run) {
    await this.#endRun();
    const { before } = step;
    const { stack, options } = run;
    const ofRun = this.#getStack({ stack });
    const recorded = before.stacks[stack]?.state ?? {};
    for (const urn of [...ofRun.resources.keys()]) if (!recorded[urn]) ofRun.resources.delete(urn);
    const { config, lockDirectory: machine, env } = this.#script.prepare(step, run);
    const adapter = this.#adapter;
    this.#provider = adapter
      ? await ProviderProcess.start(config, { adapter, machine, env })
      : await this.#thread.start(config, { machine, env });
    if (!options.refresh) return;
    for (const urn of Object.keys(recorded)) {
      this.#exchange.begin(ofRun.refreshOne(this.#running(), urn).then(() => ({})));
      await this.#exchange.outcome();
    }
  }

  /** @param {WorldStep} step @param {Run} was @param {Run} run @param {string} urn */
  async #diff({ model, before, world }, was, run, urn) {
    const { args: declared, place } = getDeclared(model, before, was, urn);
    const args = place ? { ...declared, [programInput()]: place } : declared;
    const plan = this.#getStack(was).plan(this.#running(), urn, args, {
      replace: findReplaceReason(was, urn),
    });
    const deciding = plan.then(
      (decided) => {
        this.#plans.set(urn, decided);
        return decided.step === "replace" ? "create" : decided.step;
      },
      (/** @type {unknown} */ error) => `fails: ${String(error)}`,
    );
    if (!was.running && this.#waiting.size === 0) {
      // The provider reads the page before it rejects a change.
      this.#exchange.begin(deciding.then(() => ({})));
      await this.#exchange.outcome();
    }
    const decision = await deciding;
    const rejection = run.rejections.length > was.rejections.length ? run.rejections.at(-1) : undefined;
    const isRejected = rejection !== undefined && rejection.kind !== "failed";
    const ready = run.ready.find((request) => request.urn === urn)?.via;
    const isUpdated = world.stacks[was.stack]?.state[urn] !== before.stacks[was.stack]?.state[urn];
    const kept = isUpdated || rejection || decision === "update" ? "update" : "same";
    const expected = isRejected ? "fails" : (ready ?? kept);
    // The provider accepts a change that the page already shows. The explorer doesn't model that read, so the rest of the trace can't be compared.
    const isShown = before.updates.some(
      (each) => !each.deleted && (each.edited ?? each.text) === args.description,
    );
    if (rejection?.kind === "changed" && decision === "update" && isShown) throw new Accepted();
    if (decision.split(":")[0] !== expected) throw new Mismatch(`diff ${urn}: ${decision}, not ${expected}`);
    if (was.running) this.#requestAhead({ model }, run);
    if (decision !== "update" || ready) return;
    this.#request(was, urn);
    await this.#finish(world, run, urn);
  }

  /** @param {Run} run @param {string} urn */
  #request(run, urn) {
    const plan = this.#plans.get(urn);
    if (!plan) throw new Mismatch(`diff wasn't called for ${urn}`);
    const waiting = this.#waiting.get(urn);
    this.#waiting.delete(urn);
    this.#exchange.begin(waiting ?? this.#getStack(run).perform(this.#running(), urn, plan));
  }

  /**
   * Requests a create during another call, because an edit depends on the texts that the engine creates in the same run. With several creates,
   * the trace determines which create is next.
   * @param {Pick<WorldStep, "model">} step @param {Run} run
   */
  #requestAhead({ model }, run) {
    const [create, ...others] = run.ready.filter(({ via }) => via === "create");
    if (!model.config.hasEdits || !create || others.length > 0 || this.#waiting.has(create.urn)) return;
    const plan = this.#plans.get(create.urn);
    if (plan) this.#waiting.set(create.urn, this.#getStack(run).perform(this.#running(), create.urn, plan));
  }

  /** @param {World} world @param {Run} run @param {string} urn */
  async #finish(world, run, urn) {
    const { resource, error } = await this.#exchange.outcome();
    const rejection = run.rejections.find((each) => each.urn === urn);
    this.#script.printed(run.stack, urn, error?.message ?? "");
    if ((rejection !== undefined) !== (error !== undefined))
      throw new Mismatch(`${urn}: ${error?.message ?? "succeeds"}, not ${rejection?.kind ?? "success"}`);
    if (!resource) return;
    const { resources } = this.#getStack(run);
    this.#saved = new Map(resources);
    resources.set(urn, resource);
    const recorded = world.stacks[run.stack]?.state[urn];
    const expected = recorded?.kind === "posted" ? recorded.id : "none";
    const { [this.#kind.names.id]: recordedId = "none" } = resource.outputs;
    if (recordedId !== expected)
      throw new Mismatch(`${urn} owns ${JSON.stringify(recordedId)}, not ${expected}`);
  }

  /** @param {WorldStep} step @param {Run} was */
  async #end({ label, world }, { stack, running }) {
    const isKilled = label.includes("KILLED");
    if (isKilled && (running?.command.kind === "post" || running?.command.kind === "edit")) {
      await this.#script.hold(running);
    } else if (isKilled && running) await this.#exchange.outcome();
    const ofRun = this.#getStack({ stack });
    if (label.includes("is not saved")) ofRun.resources = new Map(this.#saved);
    if (!isKilled) await this.#removeUndeclared(ofRun, world.stacks[stack]?.state ?? {});
    await this.#endRun();
  }

  /** Deletes the resources that the program no longer declares. @param {Stack} stack @param {Readonly<Record<string, unknown>>} recorded after the run */
  async #removeUndeclared(stack, recorded) {
    for (const urn of [...stack.resources.keys()])
      if (!recorded[urn]) {
        // The provider reads a removed incident, because its notice shows whether the incident is open.
        this.#exchange.begin(stack.remove(this.#running(), urn).then(() => ({})));
        await this.#exchange.outcome();
      }
  }

  /** @param {Pick<Run, "stack">} run */
  #getStack({ stack }) {
    const known = this.#stacks.get(stack) ?? new Stack(() => this.#kind.type);
    this.#stacks.set(stack, known);
    return known;
  }

  #running() {
    if (!this.#provider) throw new Error("No run has started.");
    return this.#provider;
  }
}

/** Returns the reason why the engine replaces a resource that hasn't changed. @param {Run} run @param {string} urn */
function findReplaceReason({ options }, urn) {
  if (options.replace?.includes(urn)) return "unseen";
  if (options.replaceWith?.includes(urn)) return "without diff";
  return options.replaceAfterDiff?.includes(urn) ? "unchanged" : undefined;
}

/** A change that the provider accepts, because the page shows the new content. */
class Accepted extends Error {}

/**
 * @param {readonly Step[]} trace
 * @param {(service: ScriptedService) => Pick<Replay, "take" | "end" | "posts">} createReplay
 * @returns {Promise<{posts: number, mismatch?: string}>} the first difference
 */
async function replay(trace, createReplay) {
  const opens = trace.some((step) => "model" in step && step.model.config.opens !== undefined);
  const service = await ScriptedService.start(opens);
  const replaying = createReplay(service);
  let { label } = trace[0] ?? { label: "" };
  try {
    for (const step of trace) {
      if (step.label !== "") ({ label } = step);
      if ("model" in step) await replaying.take(step);
    }
    return { posts: replaying.posts };
  } catch (error) {
    if (error instanceof Accepted) return { posts: replaying.posts };
    if (!(error instanceof Mismatch)) throw error;
    return { posts: replaying.posts, mismatch: `${label}: ${error.message}` };
  } finally {
    await replaying.end();
    service.close();
  }
}

/** Replays in process, without an adapter. @param {ScriptedService} service */
const createRunReplay = (service) => new Replay(service, undefined);
const createProcessReplay = (/** @type {Adapter} */ adapter) => (/** @type {ScriptedService} */ service) =>
  new Replay(service, adapter);
const createCommandReplay = (/** @type {Adapter} */ adapter) => (/** @type {ScriptedService} */ service) =>
  new Commands(service, adapter);

module.exports = { createCommandReplay, createProcessReplay, createRunReplay, replay };
