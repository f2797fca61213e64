/** Carries out the protocol's commands for one declaration, with every possible result of each command. */
const { loadCore } = require("./core");
const { formatLocation, formatDeclaredContent, getNoteFile, getProgram } = require("./world");
const { spendBudget, getStack, tick, omitExpectations, withStack } = require("./world");
const { findRequirement, withRequirement } = require("./resendCodes");
const { toReadNote, changeRun, getDeclaration, getLedger, record, resetClock } = require("./runs");
const { checkRecord, withOwnNotes } = require("./runs");
const {
  applyPost,
  findStartTime,
  applyEdit,
  toEntry,
  listLookups,
  mayLack,
  listReads,
  getCreationTime,
} = require("./service");
const { listDashboardChanges } = require("./dashboardChanges");
const { checkEdit, checkEditedUpdate, checkPost } = require("./properties");
const { checkRequirement, checkRejection } = require("./properties");
const {
  withPublishedVersions,
  withReadVersions,
  withSentVersion,
  formatContentVersion,
} = require("./contentVersions");

/**
 * @import { World, Run, Running } from "./world"
 * @import { Model, Successor } from "./engine"
 * @import { Event, TaskResult } from "../../provider/protocol"
 */

const { normalizeUpdate } = loadCore();

/** How long a run waits for a killed run's update. Most services show an update sooner. */
const noteLife = 2 * tick;

/**
 * Starts the task of a request.
 * @param {Model} model @param {World} world @param {Run} run @param {import("./world").Request} request
 * @returns {Successor}
 */
function startTask(model, world, run, request) {
  const { urn, via } = request;
  if (run.options.withoutNotes) return failWithoutNotes(world, run, request);
  const declared = getDeclaration(model, world, run, urn);
  const { state, codes } = getStack(world, run.stack);
  const recorded = state[urn] && withOwnNotes(model, world, run, urn, state[urn]);
  const was = via === "update" ? recorded : undefined;
  const container = (was ?? { declared }).declared.containerId;
  const ledger = getLedger(model, run, formatLocation(declared, container));
  const begun = model.core.begin(ledger, {
    resource: urn,
    declared,
    nonce: findFreeNonce(world),
    isTextSecret: false,
    codes,
    ...(was && { was }),
  });
  const ready = run.ready.filter((other) => other !== request);
  // Traces are identified by their labels, so a label distinguishes the resources if several can start.
  const label = run.ready.length + run.todo.length > 1 ? `${urn} starts` : "";
  return toSuccessor(world, run, { ...run, ready }, { urn, via, container }, begun, label);
}

/**
 * Fails the resource. Unreadable notes may contain posts, so nothing is posted.
 * @param {World} world @param {Run} run @param {import("./world").Request} request @returns {Successor}
 */
function failWithoutNotes(world, run, request) {
  const { urn } = request;
  const rejection = { kind: /** @type {const} */ ("failed"), text: "the notes can't be read", urn };
  const ready = run.ready.filter((other) => other !== request);
  const after = { ...run, ready, rejections: [...run.rejections, rejection] };
  return { label: `${urn} fails: its notes can't be read`, world: changeRun(world, run, after) };
}

/** Returns the smallest unused nonce, so that equal worlds have equal nonces. @param {World} world */
function findFreeNonce(world) {
  const used = new Set([
    ...Object.values(world.notes).flatMap((sent) => sent.map(({ nonce }) => nonce)),
    ...world.updates.map(({ nonce }) => nonce),
    ...world.runs.flatMap(({ running }) => running?.task.nonce ?? []),
    ...Object.values(world.stacks).flatMap(({ state, confirmedPosts, requirements }) => [
      ...Object.values(state).flatMap((each) => (each.kind === "sent" ? each.nonce : [])),
      ...Object.values(requirements).flatMap(({ posts }) => posts),
      ...confirmedPosts,
    ]),
  ]);
  for (let count = 1; ; count++) if (!used.has(`n${count}`)) return `n${count}`;
}

/**
 * Returns the world after a step of the protocol.
 * @param {World} world @param {Run} before @param {Run} run
 * @param {Pick<Running, "urn" | "via" | "container">} what
 * @param {import("../../provider/protocol").Step} step @param {string} label
 * @returns {Successor}
 */
function toSuccessor(world, before, run, what, { ledger, task, command }, label) {
  const ledgers = { ...run.ledgers, [formatLocation(task.declared, what.container)]: ledger };
  const after = { ...run, ledgers, running: { ...what, task, command } };
  return { label, world: changeRun(world, before, after) };
}

/**
 * Lists the possible results of the running task's command.
 * @param {Model} model @param {World} world @param {Run} run @param {Running} running
 * @returns {Successor[]}
 */
function listTaskSteps(model, world, run, running) {
  const { command } = running;
  switch (command.kind) {
    case "read":
      return read(model, world, run, running, command);
    case "listen":
      return read(model, world, run, running, { again: false });
    case "readUpdate":
      return listLookups(world, model.config, running.container, command.id).map(({ label, update }) =>
        passEvent(model, world, run, running, `${running.urn} reads ${command.id.slice(0, 8)}${label}`, {
          kind: "update",
          update,
          ...getReadContext(model, world, run, running),
        }),
      );
    case "post":
      return [...post(model, world, run, running, command), ...listKillsBefore(world, run, running)];
    case "edit":
      return [...edit(model, world, run, running, command), ...listKillsBefore(world, run, running)];
    case "finish":
      return [...finish(model, world, run, running, command.result), ...listKillsBefore(world, run, running)];
  }
}

/**
 * Kills the run after the last command that wrote something. The run may have waited after that command.
 * @param {World} world @param {Run} run @param {Running} running
 */
function listKillsBefore(world, run, { urn }) {
  return listKills(world, world, run, `${urn}, KILLED before it writes`);
}

/**
 * Kills the run, if another kill may happen. Unless an update depends on the previous update, its publication may start before the engine
 * has saved the state of the previous update. Therefore, the last record may also be lost.
 * @param {World} world @param {World} written the world with everything written before the kill @param {Run} run @param {string} label
 * @returns {Successor[]}
 */
function listKills({ budget }, written, run, label) {
  if (budget.kills === 0) return [];
  const killed = changeRun(spendBudget(written, "kills"), run, undefined);
  const { stack, unsaved } = run;
  if (!unsaved) return [{ label, world: resetClock(killed) }];
  const lost = `${label}, and the last record is not saved`;
  return [
    { label, world: resetClock(killed) },
    { label: lost, world: resetClock(withStack(killed, stack, unsaved)) },
  ];
}

/**
 * Lists the worlds that may exist when a write is sent. A user may change the page after the run's last read.
 * @param {Model["config"]} config @param {World} world @param {string} what
 */
function listWorldsOfWrite(config, world, what) {
  const changes = world.budget.events === 0 ? [] : listDashboardChanges(config, spendBudget(world, "events"));
  return [
    { what, before: world },
    ...changes.map(({ label, world: before }) => ({
      what: `${what}, while ${label}`,
      before: omitExpectations(before),
    })),
  ];
}

/** Returns true if the running command has only one possible result. @param {Model} model @param {World} world @param {Running} running */
function isForcedTask({ config }, world, { command, container }) {
  const { faults, kills: listKills, events } = world.budget;
  switch (command.kind) {
    case "finish":
      return listKills === 0;
    case "post":
    case "edit":
      return (
        faults === 0 && listKills === 0 && (events === 0 || listDashboardChanges(config, world).length === 0)
      );
    case "listen":
      return !(config.failingReads && faults > 0) && !mayLack(world, config, container);
    case "read":
      if (command.again && command.until === undefined) return false;
      return !(config.failingReads && faults > 0) && !mayLack(world, config, container);
    case "readUpdate":
      return listLookups(world, config, container, command.id).length === 1;
  }
}

/**
 * Returns the notes of the incident as the task reads them, and the time.
 * @param {Model} model @param {World} world @param {Run} run @param {Running} running
 * @param {import("./service").Shown["shown"]} [shown] the history
 */
function getReadContext(model, { notes, now, created, sentAt }, run, { container, task }, shown) {
  const location = formatLocation(task.declared, container);
  const sent = notes[getNoteFile(model.config, run, location)] ?? [];
  if (sent.length === 0) return { notes: sent, now };
  const { listContentKeys, isFromEarlierContainer } = model.core;
  const createdAt = formatTime(created);
  const keys = listContentKeys(task, getLedger(model, run, location), shown);
  const visibleNotes = sent
    .filter((note) => !isFromEarlierContainer(note, createdAt, sentAt))
    .map((note) => {
      const read = toReadNote(note, run, task.resource, keys);
      const mayBeKilled = read.isOwn && note.id === undefined && note.order !== undefined;
      return mayBeKilled ? { ...read, at: getCreationTime(note.order ?? 0, model.config.isOld) } : read;
    })
    .filter(({ contentKey, isOwn, edits }) => contentKey !== "" || isOwn || edits !== undefined);
  return { notes: visibleNotes, now };
}

/** Formats a time as the service does. @param {number | null} ms */
function formatTime(ms) {
  return ms === null ? null : new Date(ms).toISOString();
}

/**
 * Passes an event to the running task. The protocol takes the next step.
 * @param {Model} model @param {World} world @param {Run} run @param {Running} running @param {string} label
 * @param {Event} event @returns {Successor}
 */
function passEvent(model, world, run, running, label, event) {
  const { urn, via, container, task } = running;
  const stepped = model.core.step(
    getLedger(model, run, formatLocation(task.declared, container)),
    task,
    event,
  );
  const after = withReadVersions(model, run, event);
  return { ...toSuccessor(world, run, after, { urn, via, container }, stepped, label), event };
}

/**
 * Reads immediately or after a pause. A search may end after any read. A wait for this machine's posts ends when the service shows them.
 * @param {Model} model @param {World} world @param {Run} run @param {Running} running
 * @param {Pick<Extract<import("./world").Command, {kind: "read"}>, "again" | "until">} command
 * @returns {Successor[]}
 */
function read(model, world, run, running, { again, until }) {
  const { urn, container } = running;
  const { config } = model;
  const isSearch = again && until === undefined;
  const end = () =>
    passEvent(model, world, run, running, `${urn} stops searching`, { kind: "timeUp", now: world.now });
  // In a calm world, every read is complete, so repeating it finds nothing else.
  if (isSearch && world.calm) return [end()];
  const waited = until === undefined ? world : { ...world, now: Math.max(world.now, until) };
  const how = until === undefined ? (again ? "looks again" : "reads") : "waits, then reads";
  const { now } = waited;
  const reads = listReads(waited, config, container).map(({ label, shown }) =>
    passEvent(model, waited, run, running, `${urn} ${how}${label}`, {
      kind: "history",
      shown,
      began: findStartTime(running.task.declared),
      ...getReadContext(model, waited, run, running, shown),
    }),
  );
  if (config.failingReads && world.budget.faults > 0) {
    reads.push(
      passEvent(model, spendBudget(waited, "faults"), run, running, `${urn} ${how}, READ FAILED`, {
        kind: "readFailed",
        containerMissing: false,
        text: "503",
        now,
      }),
    );
  }
  return isSearch ? [...reads, end()] : reads;
}

/**
 * Records a note and sends a post. Lists every possible result, including a lost response and a kill.
 * @param {Model} model @param {World} world @param {Run} run @param {Running} running
 * @param {Extract<import("./world").Command, {kind: "post"}>} command
 * @returns {Successor[]}
 */
function post(model, world, run, running, { id, denied }) {
  const { config } = model;
  const { urn, task, container } = running;
  const { declared, nonce } = task;
  const file = getNoteFile(model.config, run, formatLocation(declared, container));
  const others = withApplied(world.notes[file] ?? [], task, `${run.stack}/${urn}`).filter(
    (note) => note.nonce !== nonce && !denied.includes(note.nonce),
  );
  const note = {
    nonce,
    contentKey: declared.contentKey,
    occurrence: model.core.getOccurrence(declared),
    date: declared.publicIncidentUpdateDate,
    at: world.sentAt,
    order: world.updates.length + 1,
    containerCreatedAt: formatTime(world.created),
    mayAppearUntil: world.now + noteLife,
    codeStart: world.now + noteLife,
    by: `${run.stack}/${urn}`,
    sent: world.now,
  };
  const worldWithNote = { ...world, notes: { ...world.notes, [file]: [...others, note] } };
  const what = `${urn} posts ${formatDeclaredContent(declared, container)}`;
  return listWorldsOfWrite(config, worldWithNote, what).flatMap(({ what: how, before }) => {
    const written = withSentVersion(model, before, run, urn, formatContentVersion(declared));
    const { world: done, label, event } = applyPost(written, config, running, id, `${run.stack}/${urn}`);
    const isApplied = done !== written;
    const violation = isApplied ? checkPost(model, worldWithNote, done, run, running) : undefined;
    const flagged = violation === undefined ? {} : { violation };
    const to = (/** @type {World} */ after, /** @type {string} */ result, /** @type {Event} */ taskEvent) => {
      const isDropped = taskEvent.kind === "notApplied";
      const kept = isDropped ? { ...after, notes: { ...after.notes, [file]: others } } : after;
      return passEvent(model, kept, run, running, `${how}${result}`, taskEvent);
    };
    /** @type {Event} */
    const lost = { kind: "unknown", text: "lost" };
    /** @type {Event} */
    const rejectedEvent = { kind: "notApplied", text: "403" };
    const hasFaults = world.budget.faults > 0;
    const objects = [
      normalizeUpdate({ id: container, description: "" }),
      ...written.updates.slice(0, 1).map(toEntry),
    ];
    const answers = (hasFaults && config.otherObjects ? objects : []).flatMap((update) => {
      /** @type {Event} */
      const responseEvent = { kind: "posted", update };
      return [
        { ...to(spendBudget(done, "faults"), `, RESPONSE WITH ${update.id}`, responseEvent), ...flagged },
        ...(isApplied
          ? [to(spendBudget(written, "faults"), `, IGNORED, RESPONSE WITH ${update.id}`, responseEvent)]
          : []),
      ];
    });
    return [
      { ...to(done, isApplied ? "" : `, ${label}`, event), ...flagged },
      ...(hasFaults ? [{ ...to(spendBudget(done, "faults"), ", RESPONSE LOST", lost), ...flagged }] : []),
      ...(hasFaults && isApplied ? [to(spendBudget(written, "faults"), ", REQUEST LOST", lost)] : []),
      ...(hasFaults && config.rejectsRequests
        ? [to(spendBudget(written, "faults"), ", REJECTED", rejectedEvent)]
        : []),
      ...answers,
      ...listKills(world, written, run, `${how}, KILLED before it is sent`),
      ...(isApplied
        ? listKills(world, done, run, `${how}, KILLED`).map((each) => ({ ...each, ...flagged }))
        : []),
    ];
  });
}

/**
 * Records a note and sends an edit. Lists every possible result, including a lost response and a kill.
 * @param {Model} model @param {World} given @param {Run} run @param {Running} running
 * @param {Extract<import("./world").Command, {kind: "edit"}>} command
 * @returns {Successor[]}
 */
function edit(model, given, run, running, command) {
  const { config } = model;
  const { urn, container, task } = running;
  const { declared } = task;
  const file = getNoteFile(config, run, formatLocation(task.declared, container));
  const others = withApplied(given.notes[file] ?? [], task, `${run.stack}/${urn}`);
  const note = {
    nonce: task.nonce,
    contentKey: task.declared.contentKey,
    occurrence: model.core.getOccurrence(task.declared),
    date: command.date,
    at: given.sentAt,
    containerCreatedAt: formatTime(given.created),
    mayAppearUntil: given.now + noteLife,
    codeStart: given.now + noteLife,
    by: `${run.stack}/${urn}`,
    sent: given.now,
    edits: command.id,
  };
  const world = { ...given, notes: { ...given.notes, [file]: [...others, note] } };
  const violation = checkEdit(model, world, run, urn, command.id, task.declared);
  const what = `${urn} edits ${command.id.slice(0, 8)} to ${formatDeclaredContent(declared, container)}`;
  const all = listWorldsOfWrite(config, world, what).flatMap(({ what: how, before: unsent }) => {
    const version = formatContentVersion({ ...declared, publicIncidentUpdateDate: command.date });
    const before = withSentVersion(model, unsent, run, urn, version);
    const { world: done, label, event } = applyEdit(before, config, running, command);
    const isApplied = done !== before;
    const to = (/** @type {World} */ after, /** @type {string} */ result, /** @type {Event} */ taskEvent) => {
      const isDropped = taskEvent.kind === "notApplied";
      const kept = isDropped ? { ...after, notes: { ...after.notes, [file]: others } } : after;
      return passEvent(model, kept, run, running, `${how}${result}`, taskEvent);
    };
    const unchanged = before.updates.find(({ id }) => id === command.id);
    /** @type {Event} */
    const lost = { kind: "unknown", text: "lost" };
    /** @type {Event} */
    const rejectedEvent = { kind: "notApplied", text: "403" };
    const hasFaults = world.budget.faults > 0;
    return [
      to(done, isApplied ? "" : `, ${label}`, event),
      ...(hasFaults ? [to(spendBudget(done, "faults"), ", RESPONSE LOST", lost)] : []),
      ...(hasFaults && isApplied ? [to(spendBudget(before, "faults"), ", REQUEST LOST", lost)] : []),
      ...(hasFaults && isApplied && unchanged && config.ignoresEdits
        ? [to(spendBudget(before, "faults"), ", IGNORED", { kind: "edited", update: toEntry(unchanged) })]
        : []),
      ...(hasFaults && config.rejectsRequests
        ? [to(spendBudget(before, "faults"), ", REJECTED", rejectedEvent)]
        : []),
      ...listKills(world, before, run, `${how}, KILLED before it is sent`),
      ...(isApplied ? listKills(world, done, run, `${how}, KILLED`) : []),
    ];
  });
  return violation === undefined ? all : all.map((each) => ({ ...each, violation }));
}

/**
 * Completes the notes with the updates that the task has identified.
 * @param {readonly import("./world").Note[]} notes @param {Running["task"]} task @param {string} by the resource, which owns these updates now
 */
function withApplied(notes, { applied }, by) {
  const all = notes.map((note) => {
    const result = applied.find(({ nonce }) => nonce === note.nonce);
    return result ? { ...note, ...result, by } : note;
  });
  const edited = all.filter(
    ({ nonce, edits }) => edits !== undefined && applied.some((one) => one.nonce === nonce),
  );
  const isOlder = (/** @type {import("./world").Note} */ note) =>
    edited.some((each) => each !== note && [note.id, note.edits].includes(each.edits));
  // After an edit, only its note describes the current content, so earlier notes of the update are removed.
  return all.filter((note) => !isOlder(note));
}

/** Returns true if creates that wait for the same incident fail immediately. @param {import("./world").Rejection} rejection */
function isWithoutResponse(rejection) {
  if (rejection.kind === "failed") return rejection.text === "503";
  return rejection.kind === "lost" || rejection.kind === "unconfirmed";
}

/**
 * Ends a task: completes the notes, records its result in the state, and checks the properties of the result.
 * @param {Model} model @param {World} world @param {Run} run @param {Running} running @param {TaskResult} result
 * @returns {Successor[]}
 */
function finish(model, world, run, running, result) {
  const { urn, task } = running;
  const { recorded } = result;
  const reported = recorded?.kind === "sent" ? recorded.nonce : undefined;
  const file = getNoteFile(model.config, run, formatLocation(task.declared, running.container));
  const denied = model.core.findDeniedPost(task, result);
  const sent = withApplied(world.notes[file] ?? [], task, `${run.stack}/${urn}`)
    .filter(({ nonce }) => nonce !== denied?.nonce)
    .map((note) => (note.nonce === reported ? { ...note, isReported: true } : note));
  const worldWithNote = { ...world, notes: { ...world.notes, [file]: sent } };
  const killed = recorded ? listKills(world, worldWithNote, run, `KILLED before ${urn} is recorded`) : [];
  const { running: _, ...others } = run;
  const ended = recorded ? { ...others, ...getUnsaved(model, world, run) } : others;
  const isPublished = recorded !== undefined && !("rejection" in result);
  const worldWithVersions = isPublished
    ? withPublishedVersions(model, worldWithNote, run, urn, recorded)
    : worldWithNote;
  const stored = recorded ? record(model, worldWithVersions, run, urn, recorded) : worldWithNote;
  const stale = recorded && checkRecord(model, world, run, urn, recorded);
  if (!("rejection" in result)) {
    const violation =
      stale ??
      (model.core.isEditable(getDeclaration(model, world, run, urn)) &&
      ["edited", "kept"].includes(result.kind)
        ? checkEditedUpdate(world, urn, result.recorded)
        : undefined);
    const to = {
      label: `${urn} is recorded`,
      world: changeRun(stored, run, ended),
      ...(violation && { violation }),
    };
    return [to, ...killed];
  }
  const { rejection } = result;
  const ready = isWithoutResponse(rejection) ? [] : run.ready;
  const after = { ...ended, ready, rejections: [...run.rejections, { ...rejection, urn }] };
  const requirement = findRequirement(rejection, task.declared);
  const violation =
    checkRejection(model, world, run, urn, rejection) ??
    checkRequirement(world, run, urn, requirement) ??
    stale;
  return [
    {
      label: `${urn} fails: ${rejection.kind}`,
      world: withRequirement(changeRun(stored, run, after), run.stack, urn, requirement),
      ...(violation && { violation }),
    },
    ...killed,
  ];
}

/**
 * Returns the state before the last record. The engine may not have saved that record while the next update is published.
 * @param {Model} model @param {World} world @param {Run} run @returns {Pick<Run, "unsaved">}
 */
function getUnsaved({ config }, world, { stack, ready, todo }) {
  const isLast = ready.length + todo.length === 0;
  if (world.budget.kills === 0 || isLast || getProgram(config, world, stack).chain) return {};
  const { state, ownedIds, ownVersions } = getStack(world, stack);
  return { unsaved: { state, ownedIds, ownVersions } };
}

module.exports = { isForcedTask, isWithoutResponse, startTask, listTaskSteps };
