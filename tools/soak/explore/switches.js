/** Rules of the protocol, switched off one at a time: the named configuration notices each. */

/**
 * @typedef {object} Switch
 * @property {string} name what the protocol then does
 * @property {string} caughtBy the configuration
 * @property {string} [guard] the guard that is left out
 * @property {readonly import("./core").Replacement[]} [replacements]
 */

/** @type {readonly Switch[]} */
const switches = require("./switches.json");

module.exports = { switches };
