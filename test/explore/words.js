/** Tracks which content each resource has published, independently of its state, to check which edits are permitted. */
const { toEntry } = require("./service");
const { getStack, withStack } = require("./world");

/**
 * @import { Declaration, World, Run, Recorded } from "./world"
 * @import { Model } from "./engine"
 * @import { Event } from "../../provider/protocol"
 */

/** @typedef {Pick<import("../../provider/protocol").Declaration, "description"> & {publicIncidentUpdateDate?: string | null | undefined}} Said */

/** Formats the content of an update as a string that can be compared. @param {Said} shown */
function formatWords({ description, publicIncidentUpdateDate: date }) {
  return `${description}@${date ?? ""}`;
}

/** Returns true if the formatted content contains the declared text, regardless of the date. @param {string} words @param {Said} declared */
function matchesDeclaration(words, { description }) {
  return words.startsWith(`${description}@`);
}

/** Records the updates that the run has read. @param {Model} model @param {Run} run @param {Event} event @returns {Run} */
function withSeen({ config }, run, event) {
  if (!config.hasEdits) return run;
  const shown = event.kind === "history" ? event.shown : event.kind === "update" ? [event.update] : [];
  const saw = Object.fromEntries(
    shown.flatMap((update) => (update ? [[update.id, formatWords(update)]] : [])),
  );
  return { ...run, saw: { ...run.saw, ...saw } };
}

/**
 * Records the content that a resource sends. It becomes the resource's own content, like the content that it published last.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {string} words @returns {World}
 */
function withSent({ config }, world, { stack: name }, urn, words) {
  if (!config.hasEdits) return world;
  const { said } = getStack(world, name);
  const sent = [...new Set([...(said[urn] ?? []), words])];
  return withStack(world, name, { said: { ...said, [urn]: sent } });
}

/**
 * Records that the state contains this update of the resource. Its content is the resource's own if it equals the declared content.
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
