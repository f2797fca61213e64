/** What every replay of a trace does: it responds as the trace's service does, and each request must be the trace's. */
const fs = require("node:fs");
const { Clock } = require("../../driver/clock");
const { newMachine } = require("../../driver/provider");
const { Exchange } = require("./exchange");
const { listLookups, mayDiffer, listReads } = require("../service");
const { calmed, hour, tick } = require("../world");
const { lookupResponse, createPageResponse, responseFor } = require("./responses");

/**
 * @import { Run, Running } from "../world"
 * @import { WorldStep } from "../engine"
 * @import { ScriptedService } from "./scriptedService"
 */

/** How often a process looks again for what an earlier run sent: see test/limits.test.ts. */
const looksToSettle = 4;

class Script {
  /** @type {Map<string, string>} */
  #machines = new Map();
  /** The codes that a resource printed last, by stack and name. @type {Map<string, readonly string[]>} */
  #printed = new Map();
  /** The codes that the user has set, by stack. @type {Map<string, Set<string>>} */
  #codes = new Map();
  #clock;
  /** How often the running declaration has looked again. */
  #looks = 0;

  #began = Date.now();

  /** @param {ScriptedService} service */
  constructor(service) {
    this.url = service.url;
    this.exchange = new Exchange(service);
    const folder = newMachine();
    fs.mkdirSync(folder);
    this.#clock = new Clock(folder);
  }

  /** What the service has. @param {WorldStep} step @param {boolean} isPageKnown whether the trace may lack reads of the incident */
  show({ model: { config }, before }, isPageKnown) {
    const world = calmed(before);
    this.exchange.lookup = (address, id) => {
      const [found] = listLookups(world, config, parseAddress(address).containerId, id);
      return lookupResponse(found?.update);
    };
    const page = (/** @type {string} */ address) => {
      const { containerId } = parseAddress(address);
      const [read] = listReads(world, config, containerId);
      return createPageResponse(config, this.#getIncident(containerId, world), read?.shown ?? []);
    };
    this.exchange.page = isPageKnown ? page : undefined;
  }

  /** What the user and the service do between runs is in the responses, except the time. @param {string} label */
  happens(label) {
    if (label === "a few minutes pass") this.#clock.skip(9 * tick);
    if (label === "the service is set up anew") this.#clock.skip(2 * hour);
  }

  /** What a resource printed when it failed. @param {string} stack @param {string} urn @param {string} message */
  printed(stack, urn, message) {
    const [, codes] = /monitoring:resend "?([0-9a-f ]+)"?`/.exec(message) ?? [];
    if (codes) this.#printed.set(`${stack}/${urn}`, codes.split(" "));
  }

  /** The settings and the environment of a run. @param {WorldStep} step @param {Run} run */
  prepare({ model, before, label }, { stack, machine }) {
    const { machines, late } = model.config;
    const codes = this.#codes.get(stack) ?? new Set();
    this.#codes.set(stack, codes);
    for (const [, question = "", atOnce] of label.matchAll(/the question of (\S+) is answered( at once)?/g)) {
      // The user looks at the page when everything is shown. If it is already, no time passes.
      const isLate = before.updates.some((update) => mayDiffer(before, model.config, update));
      if (atOnce === undefined && isLate) this.#clock.skip(late * tick);
      for (const code of this.#printed.get(question) ?? []) codes.add(code);
    }
    const lock = machines[machine] ?? machine;
    const lockDirectory = this.#machines.get(lock) ?? newMachine();
    this.#machines.set(lock, lockDirectory);
    // Processes keep notes for longer than the model does, where they save a consent.
    const isNoted = Object.entries(before.notes).some(
      ([file, sent]) => file.startsWith(`${lock} `) && sent.length > 0,
    );
    if (!isNoted) fs.rmSync(lockDirectory, { recursive: true, force: true });
    const config = {
      "monitoring:baseUrl": this.url,
      "monitoring:apiKey": "replay-key-0123456789",
      "monitoring:accountId": "replay",
      "monitoring:resend": [...codes].join(" "),
    };
    return { config, lockDirectory, env: this.#clock.env };
  }

  /** @param {WorldStep} step @param {Running} running @param {import("../../../provider/protocol").Event} event */
  async respond({ model, before }, running, event) {
    const { command, task } = running;
    // What a search reads until its time is up is what it read before.
    if (event.kind === "timeUp") {
      if (task.phase.kind === "settle") await this.exchange.repeat(looksToSettle - this.#looks);
      return;
    }
    if (command.kind === "read") this.#looks = command.again ? this.#looks + 1 : 0;
    const response = responseFor(model.config, this.#getIncident(running.container, before), event);
    await this.exchange.respond(this.#createRequest(running), response);
  }

  /** @param {string} id @param {WorldStep["world"]} world @returns {import("./responses").Incident} */
  #getIncident(id, { created }) {
    return { id, createdAt: created === null ? null : new Date(this.#began + created).toISOString() };
  }

  /** The post of a process that is killed before it receives a response. @param {Running} running */
  async hold(running) {
    await this.exchange.respond(this.#createRequest(running), { send: () => undefined });
  }

  /** @param {Running} running */
  #createRequest({ command, container: id, task }) {
    const hasComponents = "statusPageId" in task.declared;
    const { description, name } = task.declared;
    const takesId = "id" in command && !((hasComponents || name !== undefined) && command.kind === "post");
    const text = name === undefined ? description : `${description} as ${name}`;
    return {
      does: command.kind === "listen" ? "read" : command.kind,
      incident: hasComponents ? `p/${id}` : id,
      id: takesId ? command.id : undefined,
      ...((command.kind === "post" || command.kind === "edit") && { text }),
      ...(command.kind === "edit" && { date: command.date }),
    };
  }
}

/** What declares this address. @param {string} address @returns {{containerId: string, statusPageId?: string}} */
function parseAddress(address) {
  const [containerId = "", statusPageId] = address.split("/").reverse();
  return { containerId, ...(statusPageId !== undefined && { statusPageId }) };
}

module.exports = { Script };
