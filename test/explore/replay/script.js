/** The parts that all replays share: sends the responses of the trace's service and compares each request with the trace. */
const fs = require("node:fs");
const { Clock } = require("../../driver/clock");
const { newMachine } = require("../../driver/provider");
const { Exchange } = require("./exchange");
const { listLookups, mayDiffer, listReads } = require("../service");
const { toCalmWorld, hour, tick } = require("../world");
const { createLookupResponse, createPageResponse, createResponse } = require("./responses");

/**
 * @import { Run, Running } from "../world"
 * @import { WorldStep } from "../engine"
 * @import { ScriptedService } from "./scriptedService"
 */

/** How often a process reads again to find an earlier run's post. See test/limits.test.ts. */
const looksToSettle = 4;

class Script {
  /** @type {Map<string, string>} */
  #machines = new Map();
  /** The codes that a resource printed last, by stack and name. @type {Map<string, readonly string[]>} */
  #printed = new Map();
  /** The codes that the user has set, by stack. @type {Map<string, Set<string>>} */
  #codes = new Map();
  #clock;
  /** How often the running declaration has read again. */
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

  /** Sets the content of the service. @param {WorldStep} step @param {boolean} isPageKnown true if the process may read the incident although the trace doesn't */
  show({ model: { config }, before }, isPageKnown) {
    const world = toCalmWorld(before);
    this.exchange.lookup = (location, id) => {
      const [found] = listLookups(world, config, parseLocation(location).containerId, id);
      return createLookupResponse(found?.update);
    };
    const page = (/** @type {string} */ location) => {
      const { containerId } = parseLocation(location);
      const [read] = listReads(world, config, containerId);
      return createPageResponse(config, this.#getIncident(containerId, world), read?.shown ?? []);
    };
    this.exchange.page = isPageKnown ? page : undefined;
  }

  /** Advances the clock for an event between runs. Other effects of events are part of the responses. @param {string} label */
  happens(label) {
    if (label === "a few minutes pass") this.#clock.skip(9 * tick);
    if (label === "the service is set up again") this.#clock.skip(2 * hour);
  }

  /** Records the codes in a resource's error message. @param {string} stack @param {string} urn @param {string} message */
  printed(stack, urn, message) {
    const [, codes] = /monitoring:resend "?([0-9a-f ]+)"?`/.exec(message) ?? [];
    if (codes) this.#printed.set(`${stack}/${urn}`, codes.split(" "));
  }

  /** Creates the configuration and the environment of a run. @param {WorldStep} step @param {Run} run */
  prepare({ model, before, label }, { stack, machine }) {
    const { machines, late } = model.config;
    const codes = this.#codes.get(stack) ?? new Set();
    this.#codes.set(stack, codes);
    for (const [, requirement = "", atOnce] of label.matchAll(/the codes of (\S+) are set( immediately)?/g)) {
      // The user checks the page when every update is visible. If it already is, no time passes.
      const isLate = before.updates.some((update) => mayDiffer(before, model.config, update));
      if (atOnce === undefined && isLate) this.#clock.skip(late * tick);
      for (const code of this.#printed.get(requirement) ?? []) codes.add(code);
    }
    const lock = machines[machine] ?? machine;
    const lockDirectory = this.#machines.get(lock) ?? newMachine();
    this.#machines.set(lock, lockDirectory);
    // Processes keep notes for longer than the model. Without notes in the model, the directory is deleted, so that old notes have no effect.
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
    // The search repeats its last read until its time is up.
    if (event.kind === "timeUp") {
      if (task.phase.kind === "settle") await this.exchange.repeat(looksToSettle - this.#looks);
      return;
    }
    if (command.kind === "read") this.#looks = command.again ? this.#looks + 1 : 0;
    const response = createResponse(model.config, this.#getIncident(running.container, before), event);
    await this.exchange.respond(this.#createRequest(running), response);
  }

  /** @param {string} id @param {WorldStep["world"]} world @returns {import("./responses").Incident} */
  #getIncident(id, { created }) {
    return { id, createdAt: created === null ? null : new Date(this.#began + created).toISOString() };
  }

  /** Receives the post of a process that is killed before the response. @param {Running} running */
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

/** Returns the fields of a declaration that define this location. @param {string} location @returns {{containerId: string, statusPageId?: string}} */
function parseLocation(location) {
  const [containerId = "", statusPageId] = location.split("/").reverse();
  return { containerId, ...(statusPageId !== undefined && { statusPageId }) };
}

module.exports = { Script };
