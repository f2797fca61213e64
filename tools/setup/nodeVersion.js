/**
 * Exits with a clear message on a Node that is too old. The commands load this file first, so it and the commands use syntax that old
 * versions of Node can parse. It doesn't use the provider's message, because that isn't compiled yet.
 */
"use strict";

const { engines } = require("../../package.json");

const oldest = parseInt(engines.node.replace(">=", ""), 10);
const current = process.versions.node;

if (parseInt(current, 10) < oldest) {
  process.stderr.write(
    `This needs Node ${oldest} or newer; this is Node ${current}. Install a newer version from https://nodejs.org\n`,
  );
  process.exit(1);
}
