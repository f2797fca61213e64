/** How well tokens are told by their look: what the limit of their pieces finds and accuses, and what other limits would. */
const path = require("node:path");
const { root } = require("../../tools/setup");
const { drawer, kinds, slugs } = require("./draws");

/** @typedef {import("../../tools/tables").Figure} Figure */

const draws = 20_000;
/** Of this many slugs, one of a thousand may be accused. */
const written = 20_000;
const mostAccused = 0.001;

/** Lengths of a token's pieces in mean; the first is that of the product. */
const limits = [undefined, 2, 2.2, 2.6, 2.8];

/** @type {import("../soak").Stage} */
function stage() {
  const { randomIn } = require(path.join(root, "dist", "provider", "credentials", "shapes"));
  const names = slugs(1, written);
  const figures = limits.flatMap((limit) => {
    const isToken = (/** @type {string} */ text) => randomIn(text, limit) !== undefined;
    const accused = names.filter(isToken).length;
    const missed = kinds.map(([name, characters, length], seed) => {
      const { drawn } = drawer(seed + 1);
      const all = Array.from({ length: draws }, () => drawn(characters, length));
      return `${name} ${((all.filter((text) => !isToken(text)).length / draws) * 100).toFixed(1)}`;
    });
    const at = limit === undefined ? "" : `, with ${limit.toFixed(1)}`;
    const most = written * mostAccused;
    const required = limit === undefined && { bar: `at most ${most}`, met: accused <= most };
    /** @type {Figure[]} */
    const rows = [
      { what: `names accused${at}`, measured: `${accused} of ${written}`, ...required },
      ...missed.map((measured) => ({ what: `tokens missed, in %${at}`, measured })),
    ];
    return rows;
  });
  return Promise.resolve(figures);
}

module.exports = { stage };
