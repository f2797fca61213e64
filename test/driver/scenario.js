/** Scenarios as data: what a user does to a stack, and what happens to the service meanwhile, by whatever answers the engine's calls. */
const { setTimeout: wait } = require("node:timers/promises");
const { inspect } = require("node:util");
const { createConfig } = require("./adapters");
const { newMachine } = require("./provider");
const { Stack } = require("./stack");

/**
 * @import { Sandbox, FaultInput } from "../../sandbox"
 * @import { Properties, Provider } from "./provider"
 * @import { Call, Program, Resource } from "./stack"
 * @import { ResourceType } from "../../provider/engine"
 *
 * @typedef {(config: Record<string, string>, options: {machine: string, env: Record<string, string>, skips?: number}) => Promise<Provider>} Begin
 *   begins a process, or what takes its place
 */

/**
 * One command of the engine, in a process of its own.
 *
 * @typedef {object} Step
 * @property {Program} [preview]
 * @property {true} [isOrdered] whether each resource of a preview depends on the one before it
 * @property {Program} [up] each resource depends on the one before it
 * @property {true} [isParallel] or on none
 * @property {Call[]} [calls] the calls of a command instead: what {@link Project.calls} prints
 * @property {boolean} [refresh] before it
 * @property {FaultInput[]} [faults] of the service, until the command ends
 * @property {true} [keepsFaults] until the next one ends
 * @property {Record<string, Properties | null>} [byHand] changes the update of a resource before the command, or deletes it
 * @property {(sandbox: Sandbox, resources: Map<string, Resource>) => unknown} [happens] to the service or the state before the command
 * @property {number} [skips] so many milliseconds pass before the command
 * @property {Record<string, Properties>} [policy] what one that remediates sets in a resource
 * @property {{alertChannels: Properties, statusPages: Properties}} [observed] changes all of them before the command
 * @property {Record<string, string>} [config] from this command on
 * @property {Record<string, string>} [env] of this command
 * @property {string} [machine] on which the commands run from this one on
 * @property {true} [answers] sets the codes of the questions that were printed
 * @property {true} [cancels] whether the engine is cancelled before the command's first call
 * @property {NodeJS.Signals} [killed] once a post has arrived that a fault holds, if any does
 */

/** A stack on one machine, unless a step is on another one. */
class Project {
  #machine = newMachine();
  /** By name. @type {Map<string, string>} */
  #machines = new Map();
  #printed = "";
  #stack;
  /** @type {Record<string, string>} */
  #config;
  #begin;
  #sandbox;

  /** @param {Begin} begin @param {Sandbox} sandbox @param {(name: string) => ResourceType} [getResourceType] */
  constructor(begin, sandbox, getResourceType) {
    this.#begin = begin;
    this.#sandbox = sandbox;
    this.#config = createConfig(sandbox);
    this.#stack = new Stack(getResourceType);
  }

  /** @param {Step} step */
  async take(step) {
    const { env = {}, killed, machine, skips = 0 } = step;
    if (machine !== undefined) this.#machine = this.#machines.get(machine) ?? newMachine();
    if (machine !== undefined) this.#machines.set(machine, this.#machine);
    this.#prepare(step);
    const provider = await this.#begin(this.#config, { machine: this.#machine, env, skips });
    if (step.cancels) await provider.cancel();
    const failed = step.refresh ? await this.#stack.refresh(provider) : [];
    const refreshed = Object.fromEntries(this.#stack.resources);
    this.#sandbox.clearRequests();
    const [began, mailed] = [Date.now(), this.#sandbox.mailed()];
    const working = this.#command(provider, step);
    if (killed) {
      await this.#heldOr(working);
      await provider.end(killed);
    }
    // What failed, or, of a preview, what is to be done.
    const steps = [...failed, ...(await working)];
    await provider.end();
    if (!step.keepsFaults) this.#sandbox.faults.clear();
    this.#printed = [provider.said, ...steps].join("\n");
    const resources = Object.fromEntries(this.#stack.resources);
    const [ms, mails] = [Date.now() - began, this.#sandbox.mailed() - mailed];
    return {
      steps,
      output: this.#printed,
      requests: [...this.#sandbox.requests],
      resources,
      refreshed,
      ms,
      mails,
    };
  }

  /** The calls so far, as a step has them. */
  get calls() {
    const options = {
      depth: null,
      breakLength: Infinity,
      compact: true,
      maxStringLength: null,
      maxArrayLength: null,
    };
    return `[\n${this.#stack.calls.map((call) => `  ${inspect(call, options)},\n`).join("")}]`;
  }

  /** @param {Step} step */
  #prepare({ faults = [], byHand = {}, policy = {}, happens, observed, config, answers }) {
    this.#stack.policy = policy;
    Object.assign(this.#config, config);
    const codes = answers && findCodes(this.#printed);
    if (codes) this.#config["monitoring:resend"] = codes;
    this.#sandbox.faults.add(...faults);
    for (const [name, changes] of Object.entries(byHand)) {
      const { id = "", outputs } = this.#stack.resources.get(name) ?? {};
      const [last = "", incident = "", page] = id.split("/").reverse();
      const update = this.#shownAs(incident, last, outputs, page);
      if (update === undefined) continue;
      if (changes) this.#sandbox.byHand.editUpdate(incident, update, changes, page);
      else this.#sandbox.byHand.deleteUpdate(incident, update, page);
    }
    happens?.(this.#sandbox, this.#stack.resources);
    if (observed)
      this.#sandbox.byHand.change(({ accounts: [{ alertChannels, statusPages }] }) => {
        for (const channel of alertChannels) Object.assign(channel, observed.alertChannels);
        for (const page of statusPages) Object.assign(page, observed.statusPages);
      });
  }

  /** @param {Provider} provider @param {Step} step */
  #command(provider, { preview, isOrdered, up = {}, isParallel, calls }) {
    if (calls) return this.#stack.repeat(provider, calls);
    return preview
      ? this.#stack.preview(provider, preview, isOrdered)
      : this.#stack.up(provider, up, !isParallel);
  }

  /** The post that a fault holds has arrived, or none will. @param {Promise<unknown>} working */
  async #heldOr(working) {
    const command = { isDone: false };
    void working.then(() => (command.isDone = true));
    const isAwaited = () =>
      this.#sandbox.faults.list().some(({ fault, struck }) => fault.kind === "hang" && struck === 0);
    while (!command.isDone && isAwaited()) await wait(20);
  }

  /**
   * The id of an update that the page shows. An unconfirmed one is found by its text.
   * @param {string} incident @param {string} last @param {Properties | undefined} outputs @param {string | undefined} page
   */
  #shownAs(incident, last, outputs, page) {
    if (!outputs) return undefined;
    const { incidentUpdates } =
      page === undefined ? this.#sandbox.incident(incident) : this.#sandbox.incident(incident, page);
    return incidentUpdates.find(({ id, description }) =>
      "sent" in Object(outputs["record"]) ? description === outputs["description"] : id === last,
    )?.id;
  }
}

/** @param {string} output */
function findCodes(output) {
  return /`pulumi config set monitoring:resend "?(?:a0{7} )?([0-9a-f ]+)"?`/.exec(output)?.[1];
}

exports.Project = Project;
