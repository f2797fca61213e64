/** Where the built modules are: a fuzzed module is loaded from there, as users run it. */
const path = require("node:path");
const { root } = require("../../scripts/setup");

/** @param {string} module such as `provider/api/path` */
const built = (module) => path.join(root, "dist", module);

module.exports = { built };
