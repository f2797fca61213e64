/**
 * Loaded first into a provider process: its pauses are short, and its clock then goes forward by the rest. A file holds by
 * how many milliseconds, for the processes after it.
 */
const fs = require("node:fs");
const timers = require("node:timers/promises");

const speed = 30;
const file = process.env["REPLAY_CLOCK"] ?? "";
let skippedMs = 0;
const now = Date.now.bind(Date);
const sinceStart = performance.now.bind(performance);
const wait = timers.setTimeout;

/** What was skipped meanwhile, for the next run of this thread. */
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
