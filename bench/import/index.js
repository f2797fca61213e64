const { execFileSync } = require("node:child_process");
const { root } = require("../../scripts/setup");

const rounds = 15;
const barMs = 60;

/** Milliseconds that a program needs to begin. @param {string[]} packages what it imports */
function start(packages) {
  const program = packages.map((name) => `require("${name}");`).join("");
  const began = performance.now();
  execFileSync(process.execPath, ["-e", program], { cwd: root });
  return performance.now() - began;
}

/** What this package adds to a program that imports Pulumi anyway; both in turns, so that all else meets both. */
function bench() {
  /** @type {{alone: number, both: number}[]} */
  const runs = [];
  for (let round = -1; round < rounds; round++) {
    const alone = start(["@pulumi/pulumi"]);
    const both = start(["@pulumi/pulumi", "pulumi-monitoring-service"]);
    // The first fills the disk cache.
    if (round >= 0) runs.push({ alone, both });
  }
  const added = median(runs.map(({ alone, both }) => both - alone));
  return Promise.resolve([
    { what: "a program that imports @pulumi/pulumi", measured: inMs(median(runs.map(({ alone }) => alone))) },
    { what: "with this package", measured: inMs(median(runs.map(({ both }) => both))) },
    {
      what: `what it adds, median of ${rounds} rounds`,
      measured: inMs(added),
      bar: `<= ${inMs(barMs)}`,
      met: added <= barMs,
    },
  ]);
}

/** @param {number} ms */
function inMs(ms) {
  return `${Math.round(ms)} ms`;
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

module.exports = { bench };
