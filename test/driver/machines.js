/** Machines: the processes of one share a folder for their locks, and for notes of what they sent. */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

/** @type {string | undefined} */
let parent;
let count = 0;

/** The lock directory of a machine on which nothing was run before. */
function newMachine() {
  parent ??= createParent();
  count += 1;
  return path.join(parent, String(count));
}

function createParent() {
  process.once("exit", removeMachines);
  return fs.mkdtempSync(path.join(os.tmpdir(), "soak-machines-"));
}

/** Call it where the end of the process is not told, as under Jest. */
function removeMachines() {
  if (parent !== undefined) fs.rmSync(parent, { recursive: true, force: true });
  parent = undefined;
}

module.exports = { newMachine, removeMachines };
