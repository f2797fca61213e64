/**
 * Replays a trace with real `pulumi` commands: runs each program on the real engine, with a service that responds as in the trace. Each post,
 * each rejection and each record in the state must equal the model's.
 */
const { Project } = require("../../../tools/pulumi");
const { getDeclared, getKind } = require("./declared");
const { getProgram } = require("../world");
const { Mismatch } = require("./exchange");
const { Script } = require("./script");

/**
 * @import { World, Run, Recorded } from "../world"
 * @import { Model, WorldStep } from "../engine"
 * @import { Adapter } from "../../driver/adapters"
 */

const typeOfEntry = /:Incident(?:Update)?$/;

/** The message of each kind of rejection. @type {Record<import("../world").Rejection["kind"], RegExp>} */
const messagePatterns = {
  twin: /already declares|declares an identical (?:update|incident), which was sent but received no response/,
  changed: /must not change/,
  laterEntry: /would be posted after/,
  earlierEntry: /the previous entry isn't on the incident/,
  doubtedPost: /another run sent /,
  full: /it is unknown whether this (?:update|incident) is public/,
  alike: /may be this update|has nearly the same text|with the (?:declared )?name/,
  keyReused: /new update under an existing key/,
  gone: /which this run would edit, isn't on the/,
  tooEarly: /is before the start of the incident/,
  undated: /has no public date/,
  editedSince: /was changed on the service|affects other components than/,
  editLost: /The edit isn't visible yet/,
  undecided: /in the state is no longer on the/,
  lost: /The state records the attempt/,
  unconfirmed: /a previous run sent (?:this|a different) (?:update|incident) at/,
  moved: /sent this (?:update|incident) to .*, and the result is unknown/,
  failed: /./,
};

class Commands {
  /** @type {Map<string, Promise<Project>>} */
  #projects = new Map();
  /** @type {import("../../../tools/pulumi").Started | undefined} */
  #running;
  #script;
  #adapter;

  /** @param {import("./scriptedService").ScriptedService} service @param {Adapter} adapter */
  constructor(service, adapter) {
    this.#script = new Script(service);
    this.#adapter = adapter;
  }

  get posts() {
    return this.#script.exchange.posts;
  }

  /** @param {WorldStep} step */
  async take(step) {
    const [was] = step.before.runs;
    const [run] = step.world.runs;
    this.#script.show(step, true);
    if (!was && run) await this.#start(step, run);
    else if (!was) this.#script.happens(step.label);
    else if (!run) await this.#end(step, was);
    else if (was.running && step.event) await this.#script.respond(step, was.running, step.event);
  }

  async end() {
    this.#running?.kill("SIGKILL")();
    for (const project of this.#projects.values()) (await project).remove();
  }

  /** @param {WorldStep} step @param {Run} run */
  async #start(step, run) {
    const { model, before, world } = step;
    const project = await this.#getProject(run.stack);
    const { config, lockDirectory, env } = this.#script.prepare(step, run);
    await project.configure(config);
    Object.assign(project.env, env, { MONITORING_LOCK_DIRECTORY: lockDirectory });
    const state = before.stacks[run.stack]?.state ?? {};
    if (Object.keys(state).length === 0) await this.#forgetAll(project);
    project.write("index.js", this.#formatProgram(model, world, run));
    if (run.options.refresh) await this.#refresh(project);
    const { target = [], replace = [] } = run.options;
    this.#running = project.start(
      ...["up", "--yes", "--skip-preview"],
      ...target.flatMap((urn) => ["--target", this.#buildUrn(model, urn)]),
      ...replace.flatMap((urn) => ["--replace", this.#buildUrn(model, urn)]),
    );
    this.#script.exchange.begin(this.#running.ended.then(toOutcome));
  }

  /** @param {Project} project */
  async #refresh(project) {
    const { exchange } = this.#script;
    exchange.begin(project.refresh().then(toOutcome));
    const { error } = await exchange.outcome();
    if (error) throw new Mismatch(`the refresh failed:\n${error.message}`);
  }

  /** Deletes all resources from the state, because the trace has lost the state. @param {Project} project */
  async #forgetAll(project) {
    // The last resource is deleted first, because it depends on the others.
    for (const { urn } of (await listUpdates(project)).reverse()) {
      await project.mustRun("state", "delete", urn, "--yes", "--force");
    }
  }

  /** @param {WorldStep} step @param {Run} was */
  async #end({ label, model, world }, was) {
    const project = await this.#getProject(was.stack);
    const { exchange } = this.#script;
    if (label.includes("KILLED")) {
      if (was.running) await this.#script.hold(was.running);
      this.#running?.kill("SIGKILL")();
      await this.#running?.ended;
      exchange.end();
      await project.mustRun("cancel", "--yes");
    } else {
      const { error } = await exchange.outcome();
      this.#assertMessages(was, error?.message);
    }
    this.#running = undefined;
    await this.#assertRecorded(project, model, world.stacks[was.stack]?.state ?? {});
  }

  /** @param {Run} run @param {string}[output] the output, if the run failed */
  #assertMessages({ stack, rejections }, output) {
    if ((output === undefined) !== (rejections.length === 0))
      throw new Mismatch(output === undefined ? "it succeeded" : `it failed: ${output}`);
    for (const { urn, kind } of rejections) {
      const here = extractSections(output ?? "", urn);
      this.#script.printed(stack, urn, here);
      if (!messagePatterns[kind].test(here))
        throw new Mismatch(`${urn} isn't rejected as ${kind}: ${output}`);
    }
  }

  /** @param {Project} project @param {Model} model @param {Readonly<Record<string, Recorded>>} state */
  async #assertRecorded(project, { core, config }, state) {
    const found = await listUpdates(project);
    const recorded = found.map(({ urn, outputs }) => {
      const { origin, impactWrites, __provider, ...stored } = omitSecrets(outputs);
      const decoded = core.decode(stored, getKind(config).names);
      if (!decoded || decoded.kind === "unreadable") throw new Mismatch(`the state of ${urn} is unreadable`);
      return [getName(urn), toComparable(decoded)];
    });
    const expected = Object.entries(state).map(([urn, each]) => [urn, toComparable(each)]);
    const [has, wants] = [recorded, expected].map((all) => JSON.stringify(all.sort()));
    if (has !== wants) throw new Mismatch(`the state records ${has}, not ${wants}`);
  }

  /** @param {string} stack */
  #getProject(stack) {
    const known = this.#projects.get(stack) ?? this.#create();
    this.#projects.set(stack, known);
    return known;
  }

  async #create() {
    const project = await Project.create({ program: "" });
    if (this.#adapter.name === "plugin") project.declarePlugin();
    return project;
  }

  /**
   * Formats the program. Each update depends on the previous update. Its description is an output, so that the provider rejects a duplicate
   * declaration, and not the constructor.
   * @param {Model} model @param {World} world @param {Run} run
   */
  #formatProgram(model, world, run) {
    const names = Object.keys(getProgram(model.config, world, run.stack).entries);
    const entries = names.map((urn) => [urn, getDeclared(model, world, run, urn)]);
    const { type } = getKind(model.config);
    const from = this.#adapter.name === "plugin" ? "/native" : "";
    return `const pulumi = require("@pulumi/pulumi");
const path = require("node:path");
const { ${type}: Declared } = require("pulumi-monitoring-service${from}");
const { placeInTimeline } = require(path.join(path.dirname(require.resolve("pulumi-monitoring-service")), "IncidentUpdate"));
let dependsOn = [];
for (const [name, { args: { description, ...args }, place }] of ${JSON.stringify(entries)}) {
  const entry = { ...args, description: pulumi.output(description), ...(place && { [placeInTimeline]: place }) };
  dependsOn = [new Declared(name, entry, { dependsOn })];
}
`;
  }

  /** @param {Model} model @param {string} name */
  #buildUrn({ config }, name) {
    return `urn:pulumi:test::test::${this.#adapter.getToken(getKind(config).type)}::${name}`;
  }
}

/** @param {{ok: boolean, output: string}} ended */
function toOutcome({ ok, output }) {
  return ok ? {} : { error: new Error(output) };
}

/** @param {Project} project */
async function listUpdates(project) {
  /** @type {import("../../../tools/pulumi").StateResource[]} */
  const all = JSON.parse(await project.revealedState()).deployment.resources ?? [];
  return all.filter((each) => typeOfEntry.test(each.type) && each.delete !== true);
}

/** @param {Record<string, unknown>} outputs as the engine exports them, with secrets in plain text */
function omitSecrets(outputs) {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => {
      const isSecret = typeof value === "object" && value !== null && "plaintext" in value;
      return [name, isSecret ? JSON.parse(String(value.plaintext)) : value];
    }),
  );
}

/** @param {string} urn */
function getName(urn) {
  return urn.split("::").at(-1) ?? urn;
}

/** Returns the engine's output about a resource. Each section starts with the resource's type and name. @param {string} output @param {string} name */
function extractSections(output, name) {
  const parts = output.split(/^ {2}(?=\S+:Incident(?:Update)? \()/m);
  return parts.filter((part) => /:Incident(?:Update)? \((.*?)\)/.exec(part)?.[1] === name).join("\n");
}

/** Returns the fields of a record that a trace and a real state have in common. @param {Recorded} recorded */
function toComparable(recorded) {
  const { kind, declared } = recorded;
  const { containerId, description, publicIncidentUpdateDate: date } = declared;
  const what = { kind, containerId, description, date };
  if (recorded.kind === "posted") {
    const { id, missing, published } = recorded;
    return { ...what, id, missing, shows: published?.description };
  }
  const { seen } = recorded;
  return { ...what, seen: seen.ids.filter(isOfTrace).sort() };
}

/** Returns true unless the scripted service added the update, to fill a history with a limit. @param {string} id */
function isOfTrace(id) {
  return !id.startsWith("filler-");
}

module.exports = { Commands };
