/** The fuzzed modules are loaded from dist/, as users run them. */
const path = require("node:path");
const { root } = require("../../scripts/setup");

/** @param {string} module such as `provider/api/path` */
const built = (module) => path.join(root, "dist", module);

module.exports = { built };
