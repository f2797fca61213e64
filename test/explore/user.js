/** Models the user between runs: the programs, options and resend codes of the next run, and the events that may happen first. */
const {
  formatContent,
  toDeclaration,
  formatDeclaredContent,
  hour,
  getProgram,
  spendBudget,
  getStack,
  tick,
  withStack,
} = require("./world");
const { resetClock, stored } = require("./runs");
const { setCodesAfterCheck, setCodes } = require("./resendCodes");
const { listDashboardChanges } = require("./dashboardChanges");
const { toEntry, mayDiffer } = require("./service");

/**
 * @import { World, Run, Stack } from "./world"
 * @import { Model, Successor } from "./engine"
 */

/** Lists the runs that the user may start, and the events that may happen between runs. @param {Model} model @param {World} world @returns {Successor[]} */
function listMoves(model, world) {
  if (world.runs.length >= model.config.parallel) return [];
  const idle = Object.entries(world.stacks).filter(
    ([name]) => !world.runs.some(({ stack }) => stack === name),
  );
  return [
    ...idle.flatMap(([name, stack]) => listRuns(model, world, name, stack)),
    ...(world.runs.length === 0 && world.budget.runs > 0 ? listEvents(model, world) : []),
  ];
}

/** @param {Model} model @param {World} world @param {string} name @param {Stack} stack @returns {Successor[]} */
function listRuns(model, world, name, stack) {
  const { config } = model;
  if (world.budget.runs === 0) return [];
  const next = { ...world, budget: { ...world.budget, runs: world.budget.runs - 1 } };
  const programs = config.programs.flatMap((program, index) => {
    if (program.stack !== undefined && program.stack !== name) return [];
    const isEdit = index !== stack.program;
    if (isEdit && (next.budget.edits === 0 || program.after?.every((each) => each !== stack.program)))
      return [];
    const { edits } = next.budget;
    const budget = { ...next.budget, edits: isEdit ? edits - 1 : edits };
    return [withProgram(model, { ...next, budget }, name, index)];
  });
  return programs.flatMap((declared) =>
    listCodeChoices(declared, model, name).flatMap(({ label, world: ready }) =>
      Object.keys(config.machines).flatMap((machine) =>
        config.options.flatMap((options) => startRun(model, ready, name, machine, options, label)),
      ),
    ),
  );
}

/** Changes the program of a stack, and counts how often its contents may be posted. @param {Model} model @param {World} world @param {string} name @param {number} index @returns {World} */
function withProgram({ config, core }, world, name, index) {
  const program = config.programs[index];
  if (!program) throw new Error(`No program ${index} of ${name}`);
  const intent = { ...world.intent };
  const keys = { ...world.keys };
  for (const [urn, entry] of Object.entries(program.entries)) {
    const { key } = entry;
    const declared = toDeclaration(entry);
    const content = formatDeclaredContent(declared);
    const occurrence = core.getOccurrence(declared);
    // A key identifies an entry, so each entry that has declared a text may post it once.
    if (key !== undefined) keys[content] = [...new Set([...(keys[content] ?? []), `${name}/${urn}`])].sort();
    intent[content] = Math.max(intent[content] ?? 0, occurrence, keys[content]?.length ?? 0);
  }
  return withStack({ ...world, intent, keys }, name, { program: index });
}

/**
 * Lists the choices of a user to whom a run has printed resend codes: to set the codes of this or another stack, or no codes.
 * @param {World} world @param {Model} model @param {string} name @returns {{label: string, world: World}[]}
 */
function listCodeChoices(world, { config }, name) {
  const worlds = [{ label: "", world }];
  if (config.isKept) return worlds;
  for (const [of, { requirements }] of Object.entries(world.stacks)) {
    for (const [urn, requirement] of Object.entries(requirements)) {
      if (requirement.codes.every((code) => getStack(world, name).codes.includes(code))) continue;
      const which = `the codes of ${of}/${urn} are set`;
      if (config.hasty && requirement.posts.length > 0)
        worlds.push({ label: `${which} immediately; `, world: setCodes(world, name, requirement) });
      const checked = setCodesAfterCheck(world, { config }, name, requirement);
      if (checked) worlds.push({ label: `${which}; `, world: checked });
    }
  }
  return worlds;
}

/**
 * @param {Model} model @param {World} world @param {string} name @param {string} machine
 * @param {import("./world").Options} options @param {string} how
 * @returns {Successor[]}
 */
function startRun(model, world, name, machine, options, how) {
  const { config } = model;
  const { state } = getStack(world, name);
  const { entries } = getProgram(config, world, name);
  const { refresh, withoutNotes: _, exclude = [], ...others } = options;
  if (exclude.some((urn) => !(urn in entries))) return [];
  if (Object.values(others).some((urns) => urns.some((urn) => !state[urn] || !(urn in entries)))) return [];
  const todo = Object.keys(entries).filter(
    (urn) => options.target?.includes(urn) !== false && !exclude.includes(urn),
  );
  /** @type {Run} */
  const run = {
    stack: name,
    machine,
    options,
    ledgers: {},
    todo,
    ready: [],
    rejections: [],
    readVersions: {},
  };
  const label = `${how}${formatCommand(world, model, run)}`;
  if (!refresh) return [{ label, world: { ...world, runs: [...world.runs, run] } }];
  const refreshed = refreshState(model, world, name);
  return [{ label, world: { ...refreshed, runs: [...refreshed.runs, run] } }];
}

/** Refreshes the public updates of a stack. @param {Model} model @param {World} world @param {string} name @returns {World} */
function refreshState(model, world, name) {
  const state = Object.fromEntries(
    Object.entries(getStack(world, name).state).map(([urn, recorded]) => {
      if (recorded.kind !== "posted") return [urn, recorded];
      const update = world.updates.find(({ id, deleted }) => id === recorded.id && !deleted);
      if (!update) return [urn, { ...recorded, missing: true }];
      return [urn, stored(model, { ...recorded, published: toEntry(update), missing: false })];
    }),
  );
  return withStack(world, name, { state });
}

/** @param {World} world @param {Model} model @param {Run} run */
function formatCommand(world, { config }, { stack: name, machine, options }) {
  const { chain, entries } = getProgram(config, world, name);
  const declared = Object.entries(entries).map(([urn, { text, container = "i", page, key, date, name }]) => {
    const parts = [
      formatContent(text, container, undefined, name),
      page && `on the page as ${container}`,
      date,
      key && `key ${key}`,
    ];
    return `${urn}: ${parts.filter(Boolean).join(" ")}`;
  });
  const flags = [
    options.refresh ? " --refresh" : "",
    options.withoutNotes ? " without its notes" : "",
    ...(options.exclude ?? []).map((urn) => ` --exclude ${urn}`),
    ...(options.replace ?? []).map((urn) => ` --replace ${urn}`),
    ...(options.replaceAfterDiff ?? []).map((urn) => ` and replace ${urn}`),
    ...(options.replaceWith ?? []).map((urn) => ` replaceWith ${urn}`),
    ...(options.target ?? []).map((urn) => ` --target ${urn}`),
  ];
  const where = [
    ...(Object.keys(world.stacks).length > 1 ? [` of stack ${name}`] : []),
    ...(Object.keys(config.machines).length > 1 ? [` on machine ${machine}`] : []),
  ];
  return `up${flags.join("")} ${chain ? "in order " : ""}{${declared.join(", ")}}${where.join("")}`;
}

/** @param {Model} model @param {World} world @returns {Successor[]} */
function listEvents({ config }, world) {
  if (world.budget.events === 0) return [];
  const after = spendBudget(world, "events");
  /** @type {Successor[]} */
  const all = [];
  const isBusy =
    Object.values(world.notes).some((sent) => sent.length > 0) ||
    world.updates.some((update) => mayDiffer(world, config, update));
  if (isBusy)
    all.push({ label: "a few minutes pass", world: resetClock({ ...after, now: world.now + 9 * tick }) });
  for (const [name, stack] of config.losesState ? Object.entries(world.stacks) : []) {
    if (Object.keys(stack.state).length === 0) continue;
    const without = withStack(after, name, { state: {}, ownedIds: {}, ownVersions: {} });
    all.push({ label: `the state of ${name} is lost`, world: without });
  }
  // These updates were published a while ago, so every read shows them.
  all.push(...listDashboardChanges(config, after, world.now - 9 * tick));
  all.push(
    ...listIncidentEvents(config, world).map(({ label, change }) => ({
      label,
      world: { ...after, ...change },
    })),
  );
  return all;
}

/** @typedef {{label: string, change: Partial<World>}} IncidentEvent */

/**
 * Lists the events that change the incident itself or the notes.
 * @param {Model["config"]} config @param {World} world @returns {IncidentEvent[]}
 */
function listIncidentEvents({ corrects, startsAnew, losesNotes }, { created, sentAt, updates, notes }) {
  const hours = { "an hour earlier": -3 * hour, "an hour later": -hour, "an hour from now": hour };
  const starts = {
    ...Object.fromEntries(Object.entries(hours).map(([when, ms]) => [when, sentAt + ms])),
    "an unknown time": null,
  };
  /** @type {IncidentEvent[]} */
  const all = Object.entries(corrects ? starts : {})
    .filter(([, ms]) => ms !== created)
    .map(([when, ms]) => ({ label: `the incident's start changes to ${when}`, change: { created: ms } }));
  if (startsAnew) {
    const gone = updates.map((update) => ({ ...update, deleted: true, isReplaceable: true }));
    const change = { created: sentAt + hour, sentAt: sentAt + 2 * hour, updates: gone };
    all.push({ label: "the service is set up again", change });
  }
  if (losesNotes && Object.keys(notes).length > 0)
    all.push({ label: "the notes are lost", change: { notes: {} } });
  return all;
}

module.exports = { listMoves, start: startRun, refreshState, withProgram };
