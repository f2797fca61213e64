/**
 * Exits with one clear line on a Node that is too old. The commands load it first, so this file and the commands are
 * written in a syntax that old versions of Node can parse. It has its own sentence, because that of the provider isn't compiled
 * yet.
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
