/** A stack of the real engine. */
const { Project } = require("../../scripts/pulumi/project");
const { newMachine } = require("../../test/driver/machines");
const { heldUp, upKilled } = require("../realStack");
const { configOf } = require("../service");
const { hasty } = require("./phases");

/** @typedef {import("../service").Access} Access */
/** @typedef {import("../../test/driver/stack").Program} Program */
/** @typedef {import("../wire/relay").Relay} Relay */
/** @typedef {import("./phases").Weather} Weather */

const program = `const { IncidentUpdate } = require("pulumi-monitoring-service");
const { chained, updates } = require("./declared.json");
let dependsOn = [];
for (const [name, args] of Object.entries(updates)) {
  const update = new IncidentUpdate(name, args, { dependsOn });
  if (chained) dependsOn = [update];
}
${heldUp}`;

class PulumiEngine {
  /** @param {Relay} relay */
  static async create(relay) {
    return new PulumiEngine(await Project.create({ program }), relay);
  }

  goesOnAfterFailures = false;
  account = "stack";
  /** @type {ReadonlyMap<string, import("./world").Remembered>} */
  resources = new Map();
  #project;
  #relay;

  /** @param {Project} project @param {Relay} relay */
  constructor(project, relay) {
    this.#project = project;
    this.#relay = relay;
  }

  /** @param {Program} declared @param {Access} access @param {Weather} weather */
  async up(declared, access, weather) {
    this.#runOn(newMachine());
    await this.#declare(declared, access, weather === "stopped");
    if (weather === "provider killed") return this.#upKilled("provider", "SIGKILL");
    if (weather === "engine killed") return this.#upKilled("engine", "SIGKILL");
    if (weather === "stopped") return [...(await this.#upKilled("engine", "SIGINT")), "update canceled"];
    if (weather === "hasty") this.#limit(hasty);
    // Only this step is in haste, not those that come after it.
    return this.#run("up").finally(() => this.#limit({ timeoutMs: "", deadlineMs: "" }));
  }

  /** Beside another stack of the same program, at the same moment and on the same machine. @param {Program} declared @param {Access} access */
  async upTwice(declared, access) {
    const other = await PulumiEngine.create(this.#relay);
    const both = [this, other];
    const machine = newMachine();
    try {
      for (const each of both) {
        each.#runOn(machine);
        await each.#declare(declared, access);
      }
      const failures = await Promise.all(both.map((each) => each.#run("up")));
      return { failures: failures.flat(), other };
    } finally {
      other.remove();
    }
  }

  /** @param {string} machine */
  #runOn(machine) {
    this.#project.env.MONITORING_LOCK_DIRECTORY = machine;
  }

  /** @param {import("../realStack").Target} target @param {NodeJS.Signals} signal @returns {Promise<string[]>} */
  async #upKilled(target, signal) {
    const endAll = await upKilled(this.#project, this.#relay, target, signal);
    endAll();
    await this.#look();
    return [];
  }

  /** @param {{timeoutMs: number | string, deadlineMs: number | string}} limits */
  #limit({ timeoutMs, deadlineMs }) {
    this.#project.env.MONITORING_TIMEOUT_MS = String(timeoutMs);
    this.#project.env.MONITORING_DEADLINE_MS = String(deadlineMs);
  }

  /** @param {Program} declared @param {Access} access */
  async preview(declared, access) {
    await this.#declare(declared, access);
    const { ok, stdout, output } = await this.#project.run("preview", "--json");
    if (!ok) return [output];
    /** @type {{steps: {op: string, urn: string}[]}} */
    const { steps } = JSON.parse(stdout);
    const ours = steps.filter(({ urn }) => urn.includes(":IncidentUpdate::"));
    return ours.map(({ op }) => op).filter((op) => ["create", "update", "replace"].includes(op));
  }

  /** By what the state holds of the last `up`. */
  refresh() {
    return this.#run("refresh");
  }

  /** By what the state holds of the last `up`. */
  destroy() {
    return this.#run("destroy");
  }

  remove() {
    this.#project.remove();
  }

  /** @param {Program} updates @param {Access} access @param {boolean} [chained] whether each depends on the one before it */
  async #declare(updates, access, chained = false) {
    this.#project.write("declared.json", JSON.stringify({ chained, updates }));
    const settings = Object.entries(configOf({ [this.account]: access }));
    await this.#project.configure(Object.fromEntries(settings.map(([name, value]) => [`${name}!`, value])));
  }

  /** @param {"up" | "refresh" | "destroy"} command @returns {Promise<string[]>} what failed */
  async #run(command) {
    const { ok, output } = await this.#project[command]();
    await this.#look();
    return ok ? [] : [output];
  }

  async #look() {
    const all = await this.#project.resources();
    const ours = all.filter((each) => each.type.endsWith(":IncidentUpdate") && each.delete !== true);
    this.resources = new Map(
      ours.map(({ urn, id = "", outputs }) => [urn.split("::").at(-1) ?? "", { id, outputs }]),
    );
  }
}

module.exports = { PulumiEngine };
