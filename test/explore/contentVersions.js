/** Tracks which content each resource has published, independently of its state, to check which edits are permitted. */
const { toEntry } = require("./service");
const { getStack, withStack } = require("./world");

/**
 * @import { Declaration, World, Run, Recorded } from "./world"
 * @import { Model } from "./engine"
 * @import { Event } from "../../provider/protocol"
 */

/** @typedef {Pick<import("../../provider/protocol").Declaration, "description"> & {publicIncidentUpdateDate?: string | null | undefined}} ShownContent */

/** Formats the content of an update as a string that can be compared. @param {ShownContent} shown */
function formatContentVersion({ description, publicIncidentUpdateDate: date }) {
  return `${description}@${date ?? ""}`;
}

/** Returns true if the formatted content contains the declared text, regardless of the date. @param {string} version @param {ShownContent} declared */
function hasDeclaredText(version, { description }) {
  return version.startsWith(`${description}@`);
}

/** Records the updates that the run has read. @param {Model} model @param {Run} run @param {Event} event @returns {Run} */
function withReadVersions({ config }, run, event) {
  if (!config.hasEdits) return run;
  const shown = event.kind === "history" ? event.shown : event.kind === "update" ? [event.update] : [];
  const readVersions = Object.fromEntries(
    shown.flatMap((update) => (update ? [[update.id, formatContentVersion(update)]] : [])),
  );
  return { ...run, readVersions: { ...run.readVersions, ...readVersions } };
}

/**
 * Records the content that a resource sends. It becomes the resource's own content, like the content that it published last.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {string} version @returns {World}
 */
function withSentVersion({ config }, world, { stack: name }, urn, version) {
  if (!config.hasEdits) return world;
  const { ownVersions } = getStack(world, name);
  const sent = [...new Set([...(ownVersions[urn] ?? []), version])];
  return withStack(world, name, { ownVersions: { ...ownVersions, [urn]: sent } });
}

/**
 * Records that the state contains this update of the resource. Its content is the resource's own if it equals the declared content.
 * @param {Model} model @param {World} world @param {Run} run @param {string} urn @param {Recorded} recorded @returns {World}
 */
function withPublishedVersions({ config }, world, { stack: name, readVersions }, urn, recorded) {
  if (!config.hasEdits || recorded.kind !== "posted") return world;
  const update = world.updates.find(({ id }) => id === recorded.id);
  const all = [update && formatContentVersion(toEntry(update)), readVersions[recorded.id]];
  const versions = all.flatMap((version) =>
    version !== undefined && hasDeclaredText(version, recorded.declared) ? version : [],
  );
  if (versions.length === 0) return world;
  const { ownVersions } = getStack(world, name);
  return withStack(world, name, { ownVersions: { ...ownVersions, [urn]: [...new Set(versions)] } });
}

module.exports = {
  hasDeclaredText,
  withPublishedVersions,
  withReadVersions,
  withSentVersion,
  formatContentVersion,
};
