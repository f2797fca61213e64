const { setTimeout } = require("node:timers/promises");
const { descendantsOf } = require("../../scripts/processes");
const { contenders } = require("../engine/contenders");
const { median, quantity } = require("../figures");
const { barSize } = require("../options");

const everyMs = 100;

/** @typedef {import("../engine/contenders").Contender} Contender */

/**
 * Peak memory of the provider process during `up`.
 * @type {import("../figures").Bench}
 */
async function bench({ sizes, rounds: count, quick }) {
  const size = quick ? Math.min(...sizes) : barSize;
  /** @type {Record<"ours" | "inline" | "noop" | "byInline" | "byNoop", number>[]} */
  const rounds = [];
  for (let round = 0; round < count; round++) {
    const ours = await peakOf(await contenders.package(size));
    const inline = await peakOf(await contenders.inline(size));
    const noop = await peakOf(await contenders.noop(size));
    rounds.push({ ours, inline, noop, byInline: ours / inline, byNoop: ours / noop });
  }
  const typical = (/** @type {keyof typeof rounds[number]} */ figure) =>
    median(rounds.map((each) => each[figure]));
  const megabytes = /** @type {const} */ (["ours", "inline", "noop"]);
  const ratios = /** @type {const} */ (["byInline", "byNoop"]);
  return [
    {
      title: `Memory of the provider's process (peak RSS) in an up of ${size} resources, medians of ${count} rounds`,
      head: ["this package", "inline", "no-op plugin", "vs. inline", "vs. no-op"],
      rows: [
        [
          ...megabytes.map((figure) => quantity(typical(figure), "MB")),
          ...ratios.map((figure) => quantity(typical(figure), "ratio")),
        ],
      ],
    },
  ];
}

/** In megabytes. @param {Contender} contender */
async function peakOf({ project, provider, end }) {
  let [running, peak] = [true, 0];
  const watch = async () => {
    while (running) {
      await setTimeout(everyMs);
      peak = Math.max(peak, memoryOf(provider));
    }
  };
  try {
    const up = project.mustRun("up", "--yes", "--skip-preview").finally(() => (running = false));
    await Promise.all([up, watch()]);
  } finally {
    await end();
  }
  if (peak === 0) throw new Error(`No process of a provider was seen: ${String(provider)}`);
  return peak;
}

/** Memory of the largest descendant of this process with such a command line. @param {RegExp} commandLine */
function memoryOf(commandLine) {
  const providers = descendantsOf(process.pid).filter(({ command }) => commandLine.test(command));
  return Math.max(0, ...providers.map(({ kilobytes }) => kilobytes / 1000));
}

module.exports = { bench };
