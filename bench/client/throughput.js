const { atLeast, median, quantity } = require("../figures");
const { servePages } = require("./pages");
const { walker } = require("./walks");

const count = 10_000;
/** How many walks go before each that is measured: small pages take less time, in which the code is optimized. */
const warmUps = { large: 1, small: 3 };

/** @param {number} rounds */
async function throughput(rounds) {
  return [...(await walks("large", rounds)), ...(await walks("small", rounds))];
}

/**
 * Both walks over the same pages, in turns, so that what else the machine does meets both.
 * @param {import("./pages").Kind} kind
 * @param {number} rounds
 */
async function walks(kind, rounds) {
  const server = await servePages();
  const baseUrl = `${server.url}/${kind}/${count}`;
  const walkers = { client: walker("client", baseUrl), hand: walker("hand", baseUrl) };
  const skipped = warmUps[kind] * rounds;
  /** @type {{client: number, hand: number}[]} */
  const runs = [];
  for (let round = 0; round < skipped + rounds; round++) {
    const run = { client: await speed(walkers.client), hand: await speed(walkers.hand) };
    if (round >= skipped) runs.push(run);
  }
  for (const { end } of Object.values(walkers)) end();
  server.close();
  const ratio = median(runs.map(({ client, hand }) => client / hand));
  const perSecond = (/** @type {number[]} */ speeds) => quantity(median(speeds), "per second");
  return [
    {
      what: `${kind} status pages with only node:http and JSON.parse, 100 on each of 100 pages`,
      measured: perSecond(runs.map(({ hand }) => hand)),
    },
    { what: "the same with the client, for await", measured: perSecond(runs.map(({ client }) => client)) },
    {
      what: `the client relative to node:http, median of ${rounds} rounds`,
      ...atLeast(quantity(ratio, "ratio"), 0.8),
      because:
        "the client checks each entry against its schema, and remembers its id so that it comes once; " +
        "together these take longer than parsing a small entry",
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

module.exports = { throughput };
