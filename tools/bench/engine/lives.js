const { contenders, names } = require("./contenders");

/** @typedef {import("./contenders").Contender} Contender */
/** @typedef {import("./contenders").Name} Name */
/** @typedef {"plan" | "up" | "preview" | "refresh" | "destroy"} Command */

/**
 * @typedef {object} Life the cost of a stack of one size for a contender
 * @property {Record<Command, number>} seconds
 * @property {Record<Command, number>} requests
 * @property {number} bytes of the state of its resources
 */

/** @type {Command[]} */
const commands = ["plan", "up", "preview", "refresh", "destroy"];

/** `plan` previews all of it as new; `preview` finds no changes, as most previews of pull requests do. */
const flags = {
  plan: [],
  up: ["--yes", "--skip-preview"],
  preview: ["--expect-no-changes"],
  refresh: ["--yes", "--skip-preview"],
  destroy: ["--yes", "--skip-preview"],
};

/**
 * One life of a stack for each contender, from `up` to `destroy`: the contenders alternate after each command, so that
 * other load on the machine affects all alike. Each round begins with another one.
 * @param {number} size how many resources
 * @param {number} round
 */
async function lives(size, round) {
  const first = round % names.length;
  const order = [...names.slice(first), ...names.slice(0, first)];
  const lives = { package: unlived(), native: unlived(), inline: unlived(), noop: unlived() };
  /** @type {Map<Name, Contender>} */
  const started = new Map();
  try {
    for (const name of order) started.set(name, await contenders[name](size));
    for (const command of commands) {
      for (const [name, contender] of started) await run(contender, command, size, lives[name]);
    }
  } finally {
    for (const { end } of started.values()) await end();
  }
  return lives;
}

/** @returns {Life} */
function unlived() {
  const nothing = { plan: 0, up: 0, preview: 0, refresh: 0, destroy: 0 };
  return { seconds: { ...nothing }, requests: { ...nothing }, bytes: 0 };
}

/**
 * @param {Contender} contender
 * @param {Command} command
 * @param {number} size
 * @param {Life} life receives the cost
 */
async function run({ project, sandbox, type }, command, size, life) {
  sandbox?.clearRequests();
  const began = performance.now();
  await project.mustRun(command === "plan" ? "preview" : command, ...flags[command]);
  life.seconds[command] = (performance.now() - began) / 1000;
  life.requests[command] = sandbox?.requests.length ?? 0;
  if (command === "preview" || command === "plan") return;
  const tracked = (await project.resources()).filter((resource) => resource.type.endsWith(type));
  const expected = command === "destroy" ? 0 : size;
  if (tracked.length !== expected)
    throw new Error(`${command} left ${tracked.length} of ${expected} resources.`);
  if (command === "up") life.bytes = Buffer.byteLength(JSON.stringify(tracked));
}

module.exports = { commands, lives };
