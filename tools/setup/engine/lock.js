const fs = require("node:fs");
const path = require("node:path");
const { setTimeout: pause } = require("node:timers/promises");
const { say } = require("../run");

/**
 * Runs an action in one process at a time; the others wait. The lock is a file that its owner touches all the time.
 * Once it was not touched for a while, its owner has been killed, and another process takes it over. Not proper-lockfile,
 * because this lock is held while npm installs the packages.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} action
 * @param {{staleMs?: number, pollMs?: number}} [timing]
 * @returns {Promise<T>}
 */
async function withLock(file, action, { staleMs = 20_000, pollMs = 500 } = {}) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  for (let waited = false; !acquire(file); waited = true) {
    if (!waited) say("Waiting for another set-up to finish.");
    removeStale(file, staleMs);
    await pause(pollMs);
  }
  const release = () => fs.rmSync(file, { force: true });
  const touch = () => fs.utimes(file, new Date(), new Date(), () => {});
  const heartbeat = setInterval(touch, staleMs / 20);
  const interrupt = () => process.exit(130);
  process.once("exit", release).once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await action();
  } finally {
    clearInterval(heartbeat);
    process.off("exit", release).off("SIGINT", interrupt).off("SIGTERM", interrupt);
    release();
  }
}

/** @param {string} file */
function acquire(file) {
  try {
    fs.writeFileSync(file, "", { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    return false;
  }
}

/** @param {string} file @param {number} staleMs */
function removeStale(file, staleMs) {
  const isStale = (/** @type {string} */ name) => Date.now() - fs.statSync(name).mtimeMs >= staleMs;
  const aside = `${file}.${process.pid}`;
  try {
    if (!isStale(file)) return;
    fs.renameSync(file, aside);
    // Another process may have taken it over in the meantime.
    if (isStale(aside)) fs.rmSync(aside);
    else fs.renameSync(aside, file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
  }
}

module.exports = { withLock };
