const { execFileSync, spawn } = require("node:child_process");
const events = require("node:events");
const path = require("node:path");
const { root } = require("../setup");
const { atMost, figure, median } = require("./benchFigures");

/** Milliseconds that a program needs to begin. @param {string[]} packages what it imports */
function start(...packages) {
  const program = packages.map((name) => `require("${name}");`).join("");
  const began = performance.now();
  execFileSync(process.execPath, ["-e", program], { cwd: root });
  return performance.now() - began;
}

const dynamic = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const plugin = path.join(root, "plugin", "pulumi-resource-monitoring");

/** Milliseconds until a provider process prints its port. @param {string} file */
async function providerStart(file) {
  const began = performance.now();
  // The engine's address, which it asks for when it starts; nothing listens there.
  const child = spawn(process.execPath, [file, "127.0.0.1:1"], {
    cwd: root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  await events.once(child.stdout, "data");
  const took = performance.now() - began;
  // As the engine ends it: on Node 22 and newer, a first process of the plugin then leaves its compiled code to the next ones.
  child.kill("SIGTERM");
  await events.once(child, "close");
  return took;
}

/**
 * The time that this package adds to a program that imports Pulumi anyway, and the time that its provider processes need to
 * start. All run in turns, so that other load on the machine affects them alike.
 * @type {import("./benchFigures").Bench}
 */
async function bench({ quick }) {
  const rounds = quick ? 3 : 15;
  /** @type {Record<"alone" | "both" | "dynamic" | "plugin", number>[]} */
  const runs = [];
  // The first round only fills the disk cache.
  for (let round = -1; round < rounds; round++) {
    const run = {
      alone: start("@pulumi/pulumi"),
      both: start("@pulumi/pulumi", "pulumi-monitoring-service"),
      dynamic: await providerStart(dynamic),
      plugin: await providerStart(plugin),
    };
    if (round >= 0) runs.push(run);
  }
  const of = (/** @type {Parameters<typeof runs.map<number>>[0]} */ time) => median(runs.map(time));
  const added = of(({ both, alone }) => both - alone);
  const alone = of((run) => run.alone);
  return [
    figure("a program that imports @pulumi/pulumi", alone, "ms"),
    atMost(`time that this package adds, median of ${rounds} rounds`, added, "ms", 60),
    figure("relative to the import of @pulumi/pulumi", added / alone, "ratio"),
    figure(
      "start of the dynamic provider",
      of((run) => run.dynamic),
      "ms",
    ),
    figure(
      "start of the plugin",
      of((run) => run.plugin),
      "ms",
    ),
    atMost(
      "start of the plugin, relative to the dynamic provider",
      of((run) => run.plugin / run.dynamic),
      "ratio",
      0.45,
    ),
  ];
}

module.exports = { bench };
