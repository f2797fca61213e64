/** A stack on the real engine, whose account is reached through a relay. */
const fs = require("node:fs");
const path = require("node:path");
const { signalIfThere } = require("../scripts/processes");
const { Project } = require("../scripts/pulumi/project");
const { Relay } = require("./wire/relay");
const { newMachine } = require("../test/driver/machines");
const { providersAmong } = require("./processes");
const { apiKeys, startService } = require("./service");

/** @typedef {"provider" | "engine" | "both"} Target the processes that are killed */

/** Processes that a killed engine left running. They end with this process at the latest. @type {Set<number>} */
const orphans = new Set();
process.once("exit", () => orphans.forEach(endOrphan));

class RealStack {
  /** @param {Record<string, unknown>[]} updates the arguments of each update, without the incident */
  static async create(updates) {
    const { sandbox, accounts } = await startService(1);
    const [account] = accounts;
    const relay = await Relay.open(sandbox.url);
    const settings = {
      "monitoring:baseUrl": relay.url,
      "monitoring:accountId": account?.id ?? "",
      "monitoring:apiKey!": apiKeys[0],
    };
    const incidentId = account?.incidentId ?? "";
    const project = await Project.create({ program: programOf(updates, incidentId), settings });
    const stack = new RealStack(project, relay, sandbox, incidentId);
    stack.moveToNewMachine();
    return stack;
  }

  #project;
  #sandbox;
  #incidentId;
  #before;
  #endAll = () => {};

  /**
   * @param {Project} project
   * @param {Relay} relay
   * @param {import("./service").Sandbox} sandbox
   * @param {string} incidentId
   */
  constructor(project, relay, sandbox, incidentId) {
    this.relay = relay;
    this.#project = project;
    this.#sandbox = sandbox;
    this.#incidentId = incidentId;
    this.#before = new Set(sandbox.incident(incidentId).incidentUpdates.map(({ id }) => id));
  }

  /** @param {Record<string, string>} environment */
  set environment(environment) {
    Object.assign(this.#project.env, environment);
  }

  /** Later runs find no notes of earlier posts, as on another machine. */
  moveToNewMachine() {
    this.environment = { MONITORING_LOCK_DIRECTORY: newMachine() };
  }

  /** Runs `up` to its end. */
  up() {
    return this.#project.up();
  }

  /**
   * Runs `up` until the relay holds a request, then kills.
   * @param {Target} target
   * @param {NodeJS.Signals} signal
   */
  async upKilled(target, signal) {
    this.#endAll = await upKilled(this.#project, this.relay, target, signal);
  }

  /** The public updates that were created since the start. */
  get published() {
    return this.#sandbox.incident(this.#incidentId).incidentUpdates.filter(({ id }) => !this.#before.has(id));
  }

  /** The number of emails about them. */
  get mails() {
    return this.published.reduce((sum, { id }) => sum + this.#sandbox.mailed(id), 0);
  }

  /** Ids of the updates that the stack tracks, and the number of those whose result is unknown. */
  async remembered() {
    const resources = await this.#project.resources();
    const updates = resources.filter(({ type }) => type.endsWith(":IncidentUpdate"));
    return {
      tracked: updates.map(({ outputs }) => outputs.incidentUpdateId).filter((id) => typeof id === "string"),
      unconfirmed: updates.filter(({ id }) => id?.includes("/unconfirmed-")).length,
    };
  }

  async remove() {
    this.#endAll();
    this.#project.remove();
    await this.relay.close();
    await this.#sandbox.close();
  }
}

/**
 * Runs `up` until the relay holds a request, then kills the target. The other processes continue.
 *
 * @param {Project} project
 * @param {Relay} relay
 * @param {Target} target
 * @param {NodeJS.Signals} signal
 * @returns {Promise<() => void>} ends the processes that the engine left behind
 * @throws when there was nothing to kill, because such a run proves nothing
 */
async function upKilled(project, relay, target, signal) {
  project.write(hold, "");
  const { ended, kill, processes } = project.start("up", "--yes", "--skip-preview");
  await Promise.race([relay.held, ended]);
  const started = processes();
  for (const { pid } of started) orphans.add(pid);
  const providers = providersAmong(started);
  const victims = target === "engine" ? [] : providers;
  const killed = providers.length > 0 && victims.every(({ pid }) => signalIfThere(pid, signal));
  if (target !== "provider") kill(signal);
  // The processes that it leaves must detect that it has ended, not that it is ending.
  if (killed && target !== "provider" && signal === "SIGKILL") await ended;
  fs.rmSync(path.join(project.folder, hold));
  relay.release();
  await ended;
  if (!killed) throw new Error("The run had ended before anything of it could be killed.");
  await project.run("cancel", "--yes");
  return () => started.forEach(({ pid }) => endOrphan(pid));
}

/** @param {number} pid */
function endOrphan(pid) {
  orphans.delete(pid);
  signalIfThere(pid, "SIGKILL");
}

/** While this file exists, the program doesn't end. */
const hold = "hold";

/** Part of a program that keeps it running until it is killed, also when it has nothing left to do. */
const heldUp = `const hold = require("path").join(__dirname, "${hold}");
const latest = Date.now() + 60_000;
const held = setInterval(() => {
  if (!require("fs").existsSync(hold) || Date.now() > latest) clearInterval(held);
}, 50);
`;

/**
 * @param {Record<string, unknown>[]} updates
 * @param {string} incidentId
 */
function programOf(updates, incidentId) {
  return `const { IncidentUpdate } = require("pulumi-monitoring-service");
for (const [index, words] of ${JSON.stringify(updates)}.entries()) {
  new IncidentUpdate("update-" + index, { ...words, incidentId: ${JSON.stringify(incidentId)} });
}
${heldUp}`;
}

module.exports = { RealStack };
