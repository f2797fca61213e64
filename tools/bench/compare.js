const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const { setTimeout: wait } = require("node:timers/promises");
const { descendantsOf } = require("../pulumi");
const { root } = require("../setup");

/**
 * @typedef {object} Contender
 * @property {(round: number) => unknown} run
 * @property {RegExp} [process] matches the command line of the process whose memory is measured
 *
 * @typedef {object} Pair
 * @property {string} name
 * @property {string} by the contender that it is compared with
 * @property {number} [most] limit of the ratio
 * @property {number} [maxMb] limit of the memory, which is only measured on Linux
 *
 * @typedef {object} Options
 * @property {number} rounds
 * @property {number} [warmUps] rounds that aren't measured
 * @property {boolean} [isQuick] skips the additional round that measures memory
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {string} by
 * @property {number} ms the median
 * @property {number | undefined} mb peak memory of its process
 * @property {Quartiles} ratio
 * @property {string} limit
 * @property {"" | "ok" | "noisy" | "missed"} result
 * @property {number} rounds
 * @property {string} load load average of the last minute, when the rounds end
 *
 * @typedef {{low: number, median: number, high: number}} Quartiles
 */

/**
 * Runs contenders in turns, starting each round with a different one, and compares them within each round, so that other load on the
 * machine affects all of them equally.
 * @param {string} what
 * @param {Readonly<Record<string, Contender>>} contenders by name
 * @param {readonly Pair[]} pairs
 * @param {Options} options
 * @returns {Promise<Row[]>}
 */
async function compare(what, contenders, pairs, { rounds, warmUps = 0, isQuick = false }) {
  /** @type {Map<string, number[]>} */
  const took = new Map(Object.keys(contenders).map((name) => [name, []]));
  const turns = Object.entries(contenders);
  for (let round = -warmUps; round < rounds; round++) {
    turns.push(...turns.splice(0, 1));
    for (const [name, { run }] of turns) {
      const began = performance.now();
      await run(round);
      if (round >= 0) took.get(name)?.push(performance.now() - began);
    }
  }
  const load = (os.loadavg()[0] ?? 0).toFixed(1);
  /** @type {Map<string, number | undefined>} */
  const memory = new Map();
  // Listing processes takes time, so this round isn't timed.
  if (!isQuick)
    for (const [name, { run, process: command }] of turns)
      if (command) memory.set(name, await peakOf(command, () => run(rounds)));
  return pairs.map((pair) => {
    const [ours = [], others = []] = [took.get(pair.name), took.get(pair.by)];
    return {
      what: `${what}: ${pair.name}`,
      by: pair.by,
      ms: quartilesOf(ours).median,
      mb: memory.get(pair.name),
      ...judged(ours, others, memory.get(pair.name), pair),
      rounds,
      load,
    };
  });
}

/**
 * Returns the ratio and the result. If the quartiles differ by more than a fifth of the median, only the limit of the memory can be missed.
 * @param {readonly number[]} ours milliseconds of each round
 * @param {readonly number[]} others milliseconds of the contender that ours are compared with
 * @param {number | undefined} mb
 * @param {Omit<Pair, "name" | "by">} limits
 * @returns {Pick<Row, "ratio" | "limit" | "result">}
 */
function judged(ours, others, mb, { most, maxMb }) {
  const ratio = quartilesOf(ours.map((ms, round) => ms / (others[round] ?? NaN)));
  const limit = [most?.toFixed(2), maxMb && `${maxMb} MB`].filter(Boolean).join(", ");
  const result = (/** @type {Row["result"]} */ value) => ({ ratio, limit, result: value });
  const isMemoryLimited = mb !== undefined && maxMb !== undefined;
  if (isMemoryLimited && mb > maxMb) return result("missed");
  if (ratio.high - ratio.low > ratio.median / 5) return result("noisy");
  if (most !== undefined && ratio.median > most) return result("missed");
  return result(most !== undefined || isMemoryLimited ? "ok" : "");
}

/** @param {readonly number[]} values @returns {Quartiles} */
function quartilesOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => {
    const place = (sorted.length - 1) * share;
    const [below = NaN, above = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place % 1);
  };
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

/**
 * Returns the peak memory in MB of processes with this command line during some work. Undefined on systems other than Linux.
 * @param {RegExp} command
 * @param {() => unknown} work
 * @returns {Promise<number | undefined>}
 */
async function peakOf(command, work) {
  let most = 0;
  const done = Promise.resolve(work()).then(() => true);
  while (!(await Promise.race([done, wait(50, false)]))) {
    const processes = descendantsOf(process.pid).filter((each) => command.test(each.command));
    for (const { pid } of processes) most = Math.max(most, peakOfProcess(pid));
  }
  return most > 0 ? most : undefined;
}

/** @param {number} pid */
function peakOfProcess(pid) {
  try {
    const [, kb] = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kb ?? 0) / 1024;
  } catch {
    // The process has ended, or this isn't Linux.
    return 0;
  }
}

/** Returns a Markdown table of rows. @param {readonly Row[]} rows */
function tableOf(rows) {
  const titles = [
    ...["what", "ms", "MB", "relative to", "ratio", "quartiles"],
    ...["limit", "result", "rounds", "load", "date", "commit"],
  ];
  const run = thisRun();
  const lines = rows.map(({ what, ms, mb, by, ratio, limit, result, rounds, load }) => {
    const quartiles = `${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)}`;
    const [time, memory] = [ms.toFixed(0), mb?.toFixed(0) ?? ""];
    return [what, time, memory, by, ratio.median.toFixed(2), quartiles, limit, result, rounds, load, ...run];
  });
  return markdownOf(titles, lines);
}

/** @param {readonly string[]} titles @param {readonly (readonly unknown[])[]} lines */
function markdownOf(titles, lines) {
  const rule = titles.map((_, column) => (column === 0 ? "---" : "--:"));
  return [titles, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Returns the date and the commit. */
function thisRun() {
  const args = ["describe", "--always", "--dirty", "--exclude=*"];
  const commit = execFileSync("git", args, { cwd: root, encoding: "utf8" });
  return [new Date().toISOString().slice(0, 10), commit.trim()];
}

module.exports = { compare, markdownOf, tableOf };
