/**
 * Preloaded into a provider process. Shortens its pauses and advances its clock by the skipped time. A file stores the skipped milliseconds
 * for later processes.
 */
const fs = require("node:fs");
const timers = require("node:timers/promises");

const speed = 30;
const file = process.env["REPLAY_CLOCK"] ?? "";
let skippedMs = 0;
const now = Date.now.bind(Date);
const sinceStart = performance.now.bind(performance);
const wait = timers.setTimeout;

/** Reads the skipped time again, because other processes may have changed it before the next run of this thread. */
function read() {
  skippedMs = Number(fs.readFileSync(file, "utf8"));
}
read();

Date.now = () => Math.round(now() + skippedMs);
performance.now = () => sinceStart() + skippedMs;
timers.setTimeout = async (ms = 0, ...rest) => {
  const value = await wait(ms / speed, ...rest);
  skippedMs += ms - ms / speed;
  fs.writeFileSync(file, String(skippedMs));
  return value;
};

exports.read = read;
