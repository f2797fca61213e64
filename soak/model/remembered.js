/** What a stack remembers, in the words of the model. */
const assert = require("node:assert/strict");
const { words } = require("./model");

/** @typedef {import("./model").Name} Name */
/** @typedef {import("./model").Tracked} Tracked */
/** @typedef {import("./world").World} World */

/** @param {World} world @returns {Map<Name, Tracked>} */
function allTrackedIn(world) {
  const names = /** @type {Name[]} */ ([...world.resources.keys()]);
  return new Map(names.map((name) => [name, trackedIn(world, name)]));
}

/** @param {World} world @param {Name} name @returns {Tracked} */
function trackedIn(world, name) {
  const { outputs = {} } = world.resources.get(name) ?? {};
  const { description, onUnconfirmed, unconfirmed, incidentUpdateId: id } = outputs;
  const version = Number(/number (\d+)/.exec(String(description))?.[1]);
  assert.equal(description, words(name, version), `${name} is remembered in words of its own`);
  assert.notEqual(unconfirmed !== undefined, typeof id === "string", `${name} is one or the other`);
  const declared = { version, resend: onUnconfirmed === "resend" };
  return typeof id === "string" ? { ...declared, id } : { ...declared, seen: idsIn(unconfirmed) };
}

/** @param {unknown} unconfirmed what the stack remembers of the history before the post */
function idsIn(unconfirmed) {
  assert.ok(
    typeof unconfirmed === "object" && unconfirmed && "ids" in unconfirmed && Array.isArray(unconfirmed.ids),
  );
  return new Set(unconfirmed.ids.map(String));
}

module.exports = { allTrackedIn };
