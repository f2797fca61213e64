/** What must hold at each step: the properties P1, P2, P4, P5, P7 to P10, P13. */
const { isYoung } = require("./service");
const { contentOf, declarationOf, noteFile, programOf, stackOf } = require("./world");

/**
 * @import { World, Run } from "./world"
 * @import { Model } from "./engine"
 */

/**
 * P1, P4, P10: the service applied a post.
 * @param {Model} model @param {World} before @param {World} world @param {Run} run
 * @param {import("./world").Running} running @returns {string | undefined}
 */
function violationOfPost({ core, config }, before, world, run, { urn, task: { declared } }) {
  const content = contentOf(declared.description, declared.incidentId, declared.publicIncidentUpdateDate);
  const same = world.updates.filter(
    ({ text, incident, date }) => contentOf(text, incident, date) === content,
  );
  const posted = same.filter(({ by }) => by !== "").length;
  if (posted > (world.intent[content] ?? 0)) return `P1: ${content} was posted ${posted} times`;
  const here = before.updates.filter(({ incident, deleted }) => incident === declared.incidentId && !deleted);
  const { chain, entries } = programOf(config, before, run.stack);
  const counts = new Map();
  for (const { text: posted, edited: text = posted, date, by } of here) {
    const key = core.contentKey({ status: "INVESTIGATING", description: text });
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const poster = Object.entries(entries).find(([urn]) => by === `${run.stack}/${urn}`)?.[1];
    const entry = poster?.text === posted && poster.date === date ? poster.entry : undefined;
    // Its timeline says which entry it is.
    const names = entry ? [entry] : [core.entryKey(key, counts.get(key)), core.entryKey(key, 1, date)];
    if (names.some((name) => declared.followedBy?.includes(name)))
      return `P4: ${content} was posted after ${text}, which follows it`;
  }
  const { state, had } = stackOf(before, run.stack);
  const earlier = chain ? Object.entries(entries).slice(0, Object.keys(entries).indexOf(urn)) : [];
  const posts = before.updates.filter(({ incident }) => incident === declared.incidentId);
  const missing = earlier.find(
    ([, entry]) => !posts.some(({ text, edited }) => text === entry.text || edited === entry.text),
  );
  if (missing) return `P4: ${content} was posted before ${missing[1].text}`;
  if (declared.onChange === "post" || !state[urn] || run.options.replace?.includes(urn)) return undefined;
  const known = had[`${urn}@${declared.incidentId}`] ?? [];
  const old = here.find(
    ({ id, text }) => (known.includes(id) || known.includes(`?${id}`)) && text !== declared.description,
  );
  return old && `P10: ${urn} edited ${old.text}, which is public, to ${content}`;
}

/**
 * P5, P7: the state records an update that the resource had before the current one, or that of a later entry.
 * @param {Model} model @param {World} before @param {Run} run @param {string} urn
 * @param {import("./world").Recorded} recorded @returns {string | undefined}
 */
function violationOfRecord({ config }, before, { stack }, urn, recorded) {
  const { entries } = programOf(config, before, stack);
  const later = Object.keys(entries).slice(Object.keys(entries).indexOf(urn) + 1);
  const update = before.updates.find(({ id }) => recorded.kind === "posted" && id === recorded.id);
  const taken = later.find((other) => update && entries[urn]?.followedBy && isOf(update, entries, other));
  if (taken !== undefined) return `P7: ${urn} has the update of ${taken}`;
  const had = stackOf(before, stack).had[`${urn}@${recorded.declared.incidentId}`] ?? [];
  if (recorded.kind !== "posted" || had.at(-1) === recorded.id || !had.includes(recorded.id))
    return undefined;
  // What was edited to the declared text is no step back.
  if (before.updates.some(({ id, edited }) => id === recorded.id && edited !== undefined)) return undefined;
  return `P5: ${urn} went back to ${recorded.id} in silence`;
}

/**
 * Whether the resource posted the update, or is the only one that declares its date.
 * @param {import("./world").Update} update @param {import("./world").Program["entries"]} entries @param {string} urn
 */
function isOf({ by, text, date }, entries, urn) {
  if (by.endsWith(`/${urn}`)) return true;
  const dated = Object.keys(entries).filter((other) => date !== undefined && entries[other]?.date === date);
  return dated.length === 1 && dated[0] === urn && entries[urn]?.text === text;
}

/**
 * P2, P7: an `up` succeeded.
 * @param {Model} model @param {World} world @param {Run} run @returns {string | undefined}
 */
function violationOfSuccess({ config }, world, run) {
  const taken = new Map();
  const { entries } = programOf(config, world, run.stack);
  for (const [urn, { text, incident = "i", date }] of Object.entries(entries)) {
    if (run.options.target?.includes(urn) === false || run.options.exclude?.includes(urn)) continue;
    const recorded = stackOf(world, run.stack).state[urn];
    if (recorded?.kind !== "posted") return `P2: ${urn} has no update`;
    const update = world.updates.find((each) => each.id === recorded.id && each.incident === incident);
    if (!update) return `P2: the update of ${urn} does not exist`;
    if (date !== undefined && update.date !== date && update.shownDate !== date)
      return `P2: ${urn} has another date`;
    if (update.text !== text && update.edited !== text)
      return `P2: ${urn} has ${update.text} instead of ${text}`;
    if (taken.has(recorded.id)) return `P7: ${urn} and ${taken.get(recorded.id)} have the same update`;
    taken.set(recorded.id, urn);
  }
  return undefined;
}

/**
 * P8, P9: a refusal says something wrong.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn
 * @param {import("./world").Refusal} refusal @returns {string | undefined}
 */
function violationOfRefusal(model, world, run, urn, refusal) {
  const { config } = model;
  const { had, state } = stackOf(world, run.stack);
  const { entries } = programOf(config, world, run.stack);
  const own = entries[urn];
  const published = world.updates.filter(({ by }) => by === `${run.stack}/${urn}`);
  // What was published by hand may have been found for an identical post without a response.
  const found = world.updates.filter(
    ({ id, by }) => by === "" && state[urn]?.past.some((each) => each.id === id),
  );
  const known = [...published, ...found].map(({ id }) => id);
  const owned = [...known, ...(had[`${urn}@${own?.incident ?? "i"}`] ?? [])];
  if (refusal.why === "changedBack" && !owned.includes(refusal.id))
    return `P8: ${urn} is refused as changed back, but never had ${refusal.id}`;
  const isNoted = (world.notes[noteFile(config, run, own?.incident ?? "i")] ?? []).some(
    ({ id, occurrence }) =>
      occurrence === (own?.occurrence ?? 1) &&
      world.updates.some(
        (update) =>
          update.id === id &&
          update.text === own?.text &&
          update.incident === (own.incident ?? "i") &&
          !update.deleted &&
          !isYoung(world, config, update),
      ),
  );
  if (refusal.why === "full" && isNoted) return `P9: ${urn} asks, although a note has its id`;
  const isShown = (/** @type {string | undefined} */ id) =>
    world.updates.some((update) => update.id === id && !update.deleted && !isYoung(world, config, update));
  if (refusal.why === "noted" && refusal.posts.some(({ id }) => isShown(id)))
    return `P9: ${urn} asks about what the service shows`;
  const { created, sentAt } = world;
  const isKnown = created !== null && created <= sentAt;
  if (refusal.why === "noted" && isKnown && refusal.posts.some(({ at }) => at < created))
    return `P9: ${urn} asks about an incident that is gone`;
  if (refusal.why === "full" && isShownById(model, world, run, declarationOf(own ?? { text: "" })))
    return `P9: ${urn} asks, although the service shows its id`;
  if (refusal.why === "idOfAnother" && !world.updates.some(({ id, edited }) => id === refusal.id && edited))
    return `P9: ${urn} is told that ${refusal.id} was edited`;
  const urns = Object.keys(entries);
  const before = urns.slice(0, urns.indexOf(urn)).map((other) => stackOf(world, run.stack).state[other]);
  const isBefore = (/** @type {string} */ id) =>
    before.some((each) => each?.kind === "posted" && each.id === id);
  if (refusal.why === "laterEntry" && isBefore(refusal.id))
    return `P9: an update before ${urn} is called one after it`;
  const other =
    refusal.why === "alike" && refusal.updates.find(({ id }) => isProven(model, world, run, urn, id));
  if (other) return `P9: ${urn} asks about ${other.id}, although it was posted with another date`;
  if (refusal.why !== "twin" || refusal.differs !== undefined) return undefined;
  const twins = Object.entries(entries).filter(
    ([other, entry]) =>
      other !== urn &&
      entry.text === own?.text &&
      (own.date === undefined || entry.date === undefined || entry.date === own.date) &&
      (entry.incident ?? "i") === (own.incident ?? "i") &&
      (entry.occurrence ?? 1) === (own.occurrence ?? 1),
  );
  return twins.length > 0 ? undefined : `P9: ${urn} is called declared twice, with ${refusal.by}`;
}

/**
 * Whether a resource before it, a note or the id says that the update was posted as another one.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {string} id
 */
function isProven({ config }, world, run, urn, id) {
  const { chain, entries } = programOf(config, world, run.stack);
  const own = entries[urn];
  const isOther = (
    /** @type {{id?: string | undefined, date?: string | undefined, isByWords?: boolean | undefined}} */ {
      id: known,
      date,
      isByWords,
    },
  ) => known === id && date !== own?.date && !isByWords;
  const urns = Object.keys(entries);
  const before = chain && !run.options.target ? urns.slice(0, urns.indexOf(urn)) : [];
  const recorded = before.flatMap((other) => stackOf(world, run.stack).state[other] ?? []);
  const had = recorded.flatMap((each) => [
    ...each.past,
    ...(each.kind === "posted" ? [{ ...each, date: each.declared.publicIncidentUpdateDate }] : []),
  ]);
  const noted = world.notes[noteFile(config, run, own?.incident ?? "i")] ?? [];
  const { date, shownDate = date } = world.updates.find((update) => update.id === id) ?? {};
  return [...had, ...noted].some(isOther) || (id.length > 8 && date !== own?.date && shownDate === date);
}

/** Whether the single-update operation shows the update under its own id. @param {Model} model @param {World} world @param {Run} run @param {import("./world").Declaration} declared */
function isShownById({ core, config }, world, { options }, declared) {
  const { ids = "ignored", clientIds = true } = config;
  if (ids === "ignored" || !clientIds || options.withoutIds) return false;
  const id = core.ownId(declared, 0);
  return world.updates.some(
    (update) => update.id === id && !update.deleted && !isYoung(world, config, update),
  );
}

/**
 * P13: nobody is asked twice about one post.
 * @param {World} world @param {Run} run @param {string} urn @param {import("./questions").Asked | undefined} question
 * @returns {string | undefined}
 */
function violationOfQuestion(world, { stack }, urn, question) {
  const twice = question?.posts.find((nonce) => stackOf(world, stack).answered.includes(nonce));
  return twice && `P13: ${urn} asks again about ${twice}`;
}

module.exports = {
  violationOfPost,
  violationOfQuestion,
  violationOfRecord,
  violationOfSuccess,
  violationOfRefusal,
};
