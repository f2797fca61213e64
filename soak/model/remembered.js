/** What a stack remembers, in the words of the model. */
const assert = require("node:assert/strict");
const { words } = require("./model");

/** @typedef {import("./model").Name} Name */
/** @typedef {import("./model").Tracked} Tracked */
/** @typedef {import("./world").World} World */

/** @param {Pick<World, "resources">} stack @returns {Map<Name, Tracked>} */
function allTrackedIn(stack) {
  const names = /** @type {Name[]} */ ([...stack.resources.keys()]);
  return new Map(names.map((name) => [name, trackedIn(stack, name)]));
}

/** @param {Pick<World, "resources">} stack @param {Name} name @returns {Tracked} */
function trackedIn(stack, name) {
  const { outputs = {} } = stack.resources.get(name) ?? {};
  const { description, onUnconfirmed, unconfirmed, incidentUpdateId: id } = outputs;
  const { notifySubscribers, occurrence } = outputs;
  const version = Number(/number (\d+)/.exec(String(description))?.[1]);
  assert.equal(description, words(name, version), `${name} is remembered in words of its own`);
  assert.notEqual(unconfirmed !== undefined, typeof id === "string", `${name} is one or the other`);
  const resend = onUnconfirmed === "resend";
  const declared = { version, resend, notify: notifySubscribers === true, occurrence: Number(occurrence) };
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
