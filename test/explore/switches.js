/** Rules of the protocol, switched off one at a time: the named configuration notices each. */
const { configurations } = require("./configurations");
const { explore, modelOf } = require("./search");

/**
 * @typedef {object} Switch
 * @property {string} name what the protocol then does
 * @property {string} caughtBy the configuration
 * @property {string} [guard] the guard that is left out
 * @property {readonly import("./core").Replacement[]} [replacements]
 */

/** @type {readonly Switch[]} */
const switches = require("./switches.json");

/** Whether the named configuration fails without the rule. @param {Switch} off */
function isCaught(off) {
  const config = configurations.find(({ name }) => name === off.caughtBy);
  return config !== undefined && explore(modelOf(config, off)).violation !== undefined;
}

module.exports = { isCaught, switches };
