/** Whose words an update has: what each resource made public, as the world knows it, whatever its state records. */
const { toEntry } = require("./service");
const { getStack, withStack } = require("./world");

/**
 * @import { Declaration, World, Run, Recorded } from "./world"
 * @import { Model } from "./engine"
 * @import { Event } from "../../provider/protocol"
 */

/** @typedef {Pick<import("../../provider/protocol").Declaration, "description"> & {publicIncidentUpdateDate?: string | null | undefined}} Said */

/** What an update says. @param {Said} shown */
function formatWords({ description, publicIncidentUpdateDate: date }) {
  return `${description}@${date ?? ""}`;
}

/** Whether the words are those of the declaration, at any date. @param {string} words @param {Said} declared */
function matchesDeclaration(words, { description }) {
  return words.startsWith(`${description}@`);
}

/** The run has read these updates. @param {Model} model @param {Run} run @param {Event} event @returns {Run} */
function withSeen({ config }, run, event) {
  if (!config.hasEdits) return run;
  const shown = event.kind === "history" ? event.shown : event.kind === "update" ? [event.update] : [];
  const saw = Object.fromEntries(
    shown.flatMap((update) => (update ? [[update.id, formatWords(update)]] : [])),
  );
  return { ...run, saw: { ...run.saw, ...saw } };
}

/**
 * A resource sends these words: they are its own from now on, like those that it made public last.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {string} words @returns {World}
 */
function withSent({ config }, world, { stack: name }, urn, words) {
  if (!config.hasEdits) return world;
  const { said } = getStack(world, name);
  const sent = [...new Set([...(said[urn] ?? []), words])];
  return withStack(world, name, { said: { ...said, [urn]: sent } });
}

/**
 * The state records that a resource has this update: where it says what is declared, or the run has read that, these are its words.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {Recorded} recorded @returns {World}
 */
function withSaid({ config }, world, { stack: name, saw }, urn, recorded) {
  if (!config.hasEdits || recorded.kind !== "posted") return world;
  const update = world.updates.find(({ id }) => id === recorded.id);
  const all = [update && formatWords(toEntry(update)), saw[recorded.id]];
  const own = all.flatMap((words) =>
    words !== undefined && matchesDeclaration(words, recorded.declared) ? words : [],
  );
  if (own.length === 0) return world;
  const { said } = getStack(world, name);
  return withStack(world, name, { said: { ...said, [urn]: [...new Set(own)] } });
}

module.exports = {
  matchesDeclaration,
  withSaid,
  withSeen,
  withSent,
  formatWords,
};
