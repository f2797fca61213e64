/**
 * Rules of the protocol, switched off one at a time: the named configuration notices each. `old`: what release 0.1 did.
 */

/**
 * @typedef {object} Switch
 * @property {string} name what the protocol then does
 * @property {string} caughtBy the configuration
 * @property {boolean} [old]
 * @property {readonly import("./core").Replacement[]} replacements
 */

/** @type {readonly Switch[]} */
const switches = require("./switches.json");

module.exports = { switches };
