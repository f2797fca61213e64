"use strict";

const path = require("node:path");

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
 * @param {string} root
 * @param {string} resource
 * @returns {(argument: string) => ArgumentFacts | undefined} undefined for an argument that it doesn't know
 */
function resourceFacts(root, resource) {
  const { lifecycle, context } = lifecycleOf(root, resource);
  /** @param {Record<string, unknown>} args */
  const check = (args) => lifecycle.check({ known: args, unknown: new Set() });
  const { inputs: presets, problems } = check({});
  return (argument) => {
    /** @param {unknown} value */
    const problemOf = (value) =>
      check({ [argument]: value }).problems.find(({ property }) => property === argument);
    if (problemOf(undefined)?.reason.startsWith("is not known")) return undefined;
    // With an unknown account no connection is needed.
    const changed = { known: { [argument]: "changed" }, unknown: new Set(["account"]) };
    return {
      isRequired: problems.some(({ property }) => property === argument),
      isInteger: takesIntegersOnly((value) => problemOf(value) === undefined),
      replaces: lifecycle.diff("id", {}, changed, context).replaces.includes(argument),
      isSecret: lifecycle.secrets.has(argument),
      preset: /** @type {ArgumentFacts["preset"]} */ (presets[argument]),
    };
  };
}

/** A lifecycle and its context, which discards notices. @param {string} root @param {string} resource */
function lifecycleOf(root, resource) {
  const provider = path.join(root, "dist", "provider");
  /** @type {import("../../provider/lifecycles/lifecycle").Lifecycle} */
  const lifecycle = require(path.join(provider, "lifecycles")).lifecycles[resource];
  const { Publishing } = require(path.join(provider, "publishing", "publishing"));
  const context = {
    publishing: new Publishing(),
    get connections() {
      return connectionsWith(root, {});
    },
    notice: () => {},
    assertEngineAlive: async () => {},
  };
  return { lifecycle, context };
}

/** @param {string} root @param {Record<string, string>} settings */
function connectionsWith(root, settings) {
  const { Connections } = require(path.join(root, "dist", "provider", "connection", "connections"));
  return new Connections((/** @type {string} */ key) => settings[key], {});
}

/**
 * The facts of the arguments of a function.
 * @param {string} root
 * @param {string} name
 * @returns {(argument: string) => ArgumentFacts}
 */
function functionFacts(root, name) {
  const { lookups, revealingLookups } = require(path.join(root, "dist", "provider", "lookups"));
  const { takes } = lookups[name];
  const schemas = { ...revealingLookups[name]?.takes, ...takes };
  return (argument) => {
    const schema = schemas[argument];
    if (!schema) throw new Error(`${name} knows no argument ${argument}.`);
    const accepts = (/** @type {unknown} */ value) => schema.safeParse(value).success;
    const isRequired = argument in takes && !accepts(undefined);
    return { isRequired, isInteger: takesIntegersOnly(accepts), replaces: false };
  };
}

/**
 * The facts of a setting of the provider.
 * @param {string} root
 * @returns {(setting: string) => ArgumentFacts}
 */
function settingFacts(root) {
  return (setting) => {
    const accepts = (/** @type {unknown} */ value) => {
      /** @type {Record<string, string>} */
      const settings = { baseUrl: "https://example.com", apiKey: "key", [setting]: String(value) };
      try {
        connectionsWith(root, settings);
        return true;
      } catch {
        return false;
      }
    };
    return { isRequired: false, isInteger: takesIntegersOnly(accepts), replaces: false };
  };
}

/** @param {(value: unknown) => boolean} accepts */
function takesIntegersOnly(accepts) {
  return accepts(10) && !accepts(1.5);
}

module.exports = { functionFacts, resourceFacts, settingFacts };
