const path = require("node:path");
const { root } = require("../../setup");

/**
 * @typedef {object} ArgumentFacts what the code does with an argument
 * @property {boolean} isRequired
 * @property {boolean} isInteger
 * @property {boolean} replaces
 * @property {boolean} [isSecret] whether its value may be a secret, so that no message shows it
 * @property {string | number | boolean} [preset] its default
 */

/**
 * The facts of the arguments of a resource, found by calling its lifecycle as the engine does.
 * @param {string} resource
 * @returns {(argument: string) => ArgumentFacts | undefined} undefined for an argument that it doesn't know
 */
function resourceFacts(resource) {
  const { lifecycle, context } = lifecycleOf(resource);
  /** @param {Record<string, unknown>} args */
  const check = (args) => lifecycle.check({ known: args, unknown: new Set() });
  const { inputs: presets, problems } = check({});
  return (argument) => {
    /** @param {unknown} value */
    const problemOf = (value) =>
      check({ [argument]: value }).problems.find(({ property }) => property === argument);
    if (problemOf(undefined)?.reason.startsWith("is not known")) return undefined;
    /** @param {unknown} value With an unknown account no connection is needed. */
    const replacesFor = (value) =>
      lifecycle
        .diff("id", recorded, { known: { [argument]: value }, unknown: new Set(["account"]) }, context, false)
        .replaces.includes(argument);
    return {
      isRequired: problems.some(({ property }) => property === argument),
      isInteger: problemOf(10) === undefined && problemOf(1.5) !== undefined,
      replaces: ["changed", "RESOLVED", "2026-01-31T09:30:00Z", 1].some(replacesFor),
      isSecret: lifecycle.secrets.has(argument),
      preset: /** @type {ArgumentFacts["preset"]} */ (presets[argument]),
    };
  };
}

/** A state that an update is compared with: what it declared before. */
const recorded = {
  incidentId: "before",
  status: "MONITORING",
  description: "before",
  notifySubscribers: false,
  occurrence: 2,
  incidentUpdateId: "before",
  missing: false,
  past: [],
};

/** A lifecycle and its context, which discards notices. @param {string} resource */
function lifecycleOf(resource) {
  const provider = path.join(root, "dist", "provider");
  /** @type {import("../../../provider/lifecycles/lifecycle").Lifecycle} */
  const lifecycle = require(path.join(provider, "lifecycles")).lifecycles[resource];
  const { Publishing } = require(path.join(provider, "publishing", "publishing"));
  const context = {
    publishing: new Publishing(),
    get connections() {
      const { Connections } = require(path.join(provider, "connection", "connections"));
      return new Connections(() => undefined, {});
    },
    notice: () => {},
    warn: () => {},
    assertEngineAlive: async () => {},
  };
  return { lifecycle, context };
}

module.exports = { resourceFacts };
