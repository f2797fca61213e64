/** The stages in their order, and how `--replay` names one run of each. */

/**
 * @typedef {object} Entry
 * @property {() => import(".").Stage} load
 * @property {boolean} [counted] whether it takes `--runs`
 * @property {{form: string, pattern: RegExp}} [replay] missing without `--replay`
 */

const number = { form: "the number of a run", pattern: /^\d+$/ };

/** @type {Record<string, Entry>} */
const stages = {
  matrix: { load: () => require("./matrix").stage, counted: true, replay: number },
  kills: { load: () => require("./kills").stage, counted: true, replay: number },
  explore: {
    load: () => require("./explore").stage,
    replay: { form: "the name of a configuration", pattern: /./ },
  },
  model: {
    load: () => require("./model").stage,
    counted: true,
    replay: {
      form: '"small SEED:PATH", "plugin SEED:PATH" or "real SEED:PATH"',
      pattern: /^(small|plugin|real) -?\d+:[\d:]+$/,
    },
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
