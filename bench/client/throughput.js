const { servePages } = require("./pages");
const { walker } = require("./walks");

const count = 10_000;
const warmUps = 15;
const rounds = 21;

/** Both walks over the same pages, in turns, so that what else the machine does meets both. */
async function throughput() {
  const server = await servePages();
  const baseUrl = `${server.url}/${count}`;
  const walkers = { client: walker("client", baseUrl), hand: walker("hand", baseUrl) };
  /** @type {{client: number, hand: number}[]} */
  const runs = [];
  for (let round = 0; round < warmUps + rounds; round++) {
    const run = { client: await speed(walkers.client), hand: await speed(walkers.hand) };
    if (round >= warmUps) runs.push(run);
  }
  for (const { end } of Object.values(walkers)) end();
  server.close();
  const ratio = median(runs.map(({ client, hand }) => client / hand));
  const perSecond = (/** @type {number[]} */ speeds) =>
    `${Math.round(median(speeds)).toLocaleString("en")}/s`;
  return [
    {
      what: "10,000 status pages over 100 pages, http and JSON.parse alone",
      measured: perSecond(runs.map(({ hand }) => hand)),
    },
    { what: "the same with the client, for await", measured: perSecond(runs.map(({ client }) => client)) },
    {
      what: `the ratio of the two, median of ${rounds} rounds`,
      measured: ratio.toFixed(2),
      bar: ">= 0.80",
      met: ratio >= 0.8,
    },
  ];
}

/**
 * How many status pages a second it reads.
 * @param {ReturnType<typeof walker>} walker
 */
async function speed({ walk }) {
  const { seen, ms } = await walk();
  if (seen !== count) throw new Error(`${seen} of ${count} status pages came.`);
  return (count / ms) * 1000;
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

module.exports = { throughput };
