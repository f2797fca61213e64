const { execFileSync, spawn } = require("node:child_process");
const events = require("node:events");
const path = require("node:path");
const { root } = require("../scripts/setup");
const { atMost, median, quantity } = require("./figures");

const pulumi = ["@pulumi/pulumi"];

/** Milliseconds that a program needs to begin. @param {string[]} packages what it imports */
function start(packages) {
  const program = packages.map((name) => `require("${name}");`).join("");
  const began = performance.now();
  execFileSync(process.execPath, ["-e", program], { cwd: root });
  return performance.now() - began;
}

/** The engine's address, which a provider process asks for when it starts; nothing listens there. */
const engine = "127.0.0.1:1";

const processes = {
  dynamic: require.resolve("@pulumi/pulumi/cmd/dynamic-provider"),
  plugin: path.join(root, "plugin", "pulumi-resource-monitoring"),
};

/**
 * Milliseconds until a provider process prints its port.
 * @param {keyof typeof processes} name
 */
async function providerStart(name) {
  const began = performance.now();
  const child = spawn(process.execPath, [processes[name], engine], {
    cwd: root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  await events.once(child.stdout, "data");
  const took = performance.now() - began;
  // As the engine ends it: a first process of the plugin then leaves its compiled code to the next ones.
  child.kill("SIGTERM");
  await events.once(child, "close");
  return took;
}

/**
 * The time that this package adds to a program that imports Pulumi anyway, and the time that its provider processes need to
 * start. Each pair runs alternately, so that other load on the machine affects both alike.
 * @type {import("./figures").Bench}
 */
async function bench({ quick }) {
  const rounds = quick ? 3 : 15;
  /** @type {{alone: number, both: number}[]} */
  const runs = [];
  for (let round = -1; round < rounds; round++) {
    // The second one finds the files in the disk cache, so they alternate.
    const alone = round % 2 === 0 ? start(pulumi) : undefined;
    const both = start([...pulumi, "pulumi-monitoring-service"]);
    // The first round only fills the cache.
    if (round >= 0) runs.push({ alone: alone ?? start(pulumi), both });
  }
  const alone = median(runs.map((run) => run.alone));
  const both = median(runs.map((run) => run.both));
  const added = median(runs.map((run) => run.both - run.alone));
  const starts = [];
  for (let round = 0; round < rounds; round++)
    starts.push({ dynamic: await providerStart("dynamic"), plugin: await providerStart("plugin") });
  const ratio = median(starts.map(({ plugin, dynamic }) => plugin / dynamic));
  return [
    { what: "a program that imports @pulumi/pulumi", measured: quantity(alone, "ms") },
    { what: "with this package", measured: quantity(both, "ms") },
    { what: `added time, median of ${rounds} rounds`, ...atMost(quantity(added, "ms"), 60) },
    { what: "relative to the import of @pulumi/pulumi", measured: quantity(added / alone, "ratio") },
    {
      what: "start of the dynamic provider",
      measured: quantity(median(starts.map(({ dynamic }) => dynamic)), "ms"),
    },
    {
      what: "start of the plugin",
      ...atMost(quantity(median(starts.map(({ plugin }) => plugin)), "ms"), 120),
    },
    {
      what: "start of the plugin, relative to the dynamic provider",
      ...atMost(quantity(ratio, "ratio"), 0.35),
    },
  ];
}

module.exports = { bench };
