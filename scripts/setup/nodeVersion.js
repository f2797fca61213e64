/**
 * Ends with one clear line on a Node that is too old. Loaded before all else, so this file and the commands that
 * load it are written in a syntax that old Nodes can read.
 */
"use strict";

const { engines } = require("../../package.json");

const oldest = parseInt(engines.node.replace(">=", ""), 10);
const current = process.versions.node;

if (parseInt(current, 10) < oldest) {
  process.stderr.write(
    `This needs Node ${oldest} or newer; this is Node ${current}. Get one: https://nodejs.org\n`,
  );
  process.exit(1);
}
