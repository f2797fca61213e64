/**
 * Plays scenarios. A scenario is data: the user's commands for a stack and the events on the service. Any implementation of the engine's
 * calls can play it.
 */
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
 *   starts a provider process or a run that replaces the process
 */

/**
 * One command of the engine, in a separate provider process.
 *
 * @typedef {object} Step
 * @property {Program} [preview]
 * @property {true} [isOrdered] set if each resource of a preview depends on the previous resource
 * @property {Program} [up] each resource depends on the previous resource, unless `isParallel` is set
 * @property {true} [isParallel] set if no resource of an `up` depends on another
 * @property {Call[]} [calls] the calls of a command, instead of a program, in the format of {@link Project.calls}
 * @property {boolean} [refresh] true if the stack is refreshed before the command
 * @property {FaultInput[]} [faults] the faults of the service, until the command ends
 * @property {true} [keepsFaults] set if the faults last until the next command ends
 * @property {Record<string, Properties | null>} [dashboard] changes of updates in the dashboard before the command, by resource. Null deletes the update
 * @property {(sandbox: Sandbox, resources: Map<string, Resource>) => unknown}[happens] changes the service or the state before the command
 * @property {number} [skips] the number of milliseconds that pass before the command
 * @property {Record<string, Properties>} [policy] the properties that a remediating policy sets, by resource
 * @property {{alertChannels: Properties, statusPages: Properties}}[observed] changes all alert channels and status pages before the command
 * @property {Record<string, string>} [config] changes the configuration for this command and all later commands
 * @property {Record<string, string>} [env] the environment variables of this command
 * @property {string} [machine] the machine that runs this command and all later commands
 * @property {true} [answers] set if the user sets the resend codes that the previous command printed
 * @property {true} [cancels] set if the engine is canceled before the command's first call
 * @property {NodeJS.Signals} [killed] the signal that kills the process while a fault delays its post. Without such a post, the command ends first
 */

/** A stack. All steps run on one machine, unless a step names another machine. */
class Project {
  #machine = newMachine();
  /** The lock directories of the machines, by name. @type {Map<string, string>} */
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
    const [began, emailsBefore] = [Date.now(), this.#sandbox.emailsSent()];
    const working = this.#command(provider, step);
    if (killed) {
      await this.#heldOr(working);
      await provider.end(killed);
    }
    // The errors or, for a preview, the planned steps.
    const steps = [...failed, ...(await working)];
    await provider.end();
    if (!step.keepsFaults) this.#sandbox.faults.clear();
    this.#printed = [provider.output, ...steps].join("\n");
    const resources = Object.fromEntries(this.#stack.resources);
    const [ms, mails] = [Date.now() - began, this.#sandbox.emailsSent() - emailsBefore];
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

  /** The calls of all commands so far, in the format of a step. */
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
  #prepare({ faults = [], dashboard = {}, policy = {}, happens, observed, config, answers }) {
    this.#stack.policy = policy;
    Object.assign(this.#config, config);
    const codes = answers && findCodes(this.#printed);
    if (codes) this.#config["monitoring:resend"] = codes;
    this.#sandbox.faults.add(...faults);
    for (const [name, changes] of Object.entries(dashboard)) {
      const { id = "", outputs } = this.#stack.resources.get(name) ?? {};
      const [last = "", incident = "", page] = id.split("/").reverse();
      const update = this.#shownAs(incident, last, outputs, page);
      if (update === undefined) continue;
      if (changes) this.#sandbox.dashboard.editUpdate(incident, update, changes, page);
      else this.#sandbox.dashboard.deleteUpdate(incident, update, page);
    }
    happens?.(this.#sandbox, this.#stack.resources);
    if (observed)
      this.#sandbox.dashboard.change(({ accounts: [{ alertChannels, statusPages }] }) => {
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

  /** Waits until a post has arrived that a fault delays, or until the command ends. @param {Promise<unknown>} working */
  async #heldOr(working) {
    const command = { isDone: false };
    void working.then(() => (command.isDone = true));
    const isAwaited = () =>
      this.#sandbox.faults.list().some(({ fault, struck }) => fault.kind === "hang" && struck === 0);
    while (!command.isDone && isAwaited()) await wait(20);
  }

  /**
   * Returns the ID of a resource's update on the page. An unconfirmed update is found by its text.
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
