"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { setTimeout: pause } = require("node:timers/promises");
const { say } = require("./progress");

/**
 * Does something that only one process at a time may do; the others wait. The lock is a file that its holder keeps
 * touching. One whose holder is dead, or that nobody has touched for a minute, is taken over.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} action
 * @param {{abandonedMs?: number, pollMs?: number}} [timing]
 * @returns {Promise<T>}
 */
async function withLock(file, action, { abandonedMs = 60_000, pollMs = 500 } = {}) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  for (let waited = false; !take(file, abandonedMs); waited = true) {
    if (!waited) say("Another set-up is at work; waiting for it.");
    await pause(pollMs);
  }
  const release = () => fs.rmSync(file, { force: true });
  const touch = () => fs.utimes(file, new Date(), new Date(), () => {});
  const beat = setInterval(touch, abandonedMs / 10);
  process.once("exit", release);
  try {
    return await action();
  } finally {
    clearInterval(beat);
    process.off("exit", release);
    release();
  }
}

/**
 * @param {string} file
 * @param {number} abandonedMs
 * @returns {boolean} whether the lock is ours now
 */
function take(file, abandonedMs) {
  try {
    fs.writeFileSync(file, `${process.pid} ${os.hostname()}`, { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
  }
  const found = read(file);
  if (!found) return false;
  if (!isDead(found.text) && Date.now() - found.touched < abandonedMs) return false;
  removeOnly(file, found.text);
  return false;
}

/**
 * @param {string} file
 * @returns {{text: string, touched: number} | undefined} nothing when it was released meanwhile
 */
function read(file) {
  try {
    return { text: fs.readFileSync(file, "utf8"), touched: fs.statSync(file).mtimeMs };
  } catch {
    return undefined;
  }
}

/**
 * Whether the holder was a process of this machine that is no more. A lock that is just being written is empty.
 * @param {string} text
 */
function isDead(text) {
  const [pid, host] = text.split(" ");
  if (host !== os.hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
  }
}

/**
 * Removes a lock, unless another process has taken it over since it was read: then it goes back to its place.
 * @param {string} file
 * @param {string} text what it held
 */
function removeOnly(file, text) {
  const aside = `${file}.${process.pid}`;
  try {
    fs.renameSync(file, aside);
    if (fs.readFileSync(aside, "utf8") === text) fs.rmSync(aside);
    else fs.renameSync(aside, file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
  }
}

module.exports = { withLock };
