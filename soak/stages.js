/** What there is to prove, in its order, and how one run of each is named for `--replay`. */

/**
 * @typedef {object} Entry
 * @property {() => import(".").Stage} load
 * @property {boolean} [counted] whether `--runs` says how many there are
 * @property {{form: string, pattern: RegExp}} [replay] missing where there is nothing to replay
 */

const number = { form: "the number of a run", pattern: /^\d+$/ };

/** @type {Record<string, Entry>} */
const stages = {
  matrix: { load: () => require("./matrix").stage, counted: true, replay: number },
  kills: { load: () => require("./kills").stage, counted: true, replay: number },
  model: {
    load: () => require("./model").stage,
    counted: true,
    replay: { form: '"small SEED:PATH" or "real SEED:PATH"', pattern: /^(small|real) -?\d+:[\d:]+$/ },
  },
  properties: {
    load: () => require("./properties").stage,
    counted: true,
    replay: { form: "the name of a test", pattern: /./ },
  },
  fuzz: { load: () => require("./fuzz").stage, counted: true },
  contract: { load: () => require("./contract").stage, counted: true },
  upgrades: { load: () => require("./upgrades").stage },
  mutants: { load: () => require("./mutants").stage },
};

module.exports = { stages };
