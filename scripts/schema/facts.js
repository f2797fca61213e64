"use strict";

const path = require("node:path");
const { factsOf, lifecycleOf } = require("../docs/facts");

/**
 * @typedef {object} ArgumentFacts what the code does with an argument
 * @property {boolean} isRequired
 * @property {boolean} isInteger
 * @property {boolean} replaces
 * @property {unknown} [preset]
 */

/**
 * The facts of the arguments of a resource.
 * @param {string} root
 * @param {string} resource
 * @returns {(argument: string) => ArgumentFacts}
 */
function resourceFacts(root, resource) {
  const facts = factsOf(root, resource);
  const { lifecycle } = lifecycleOf(root, resource);
  const presets = lifecycle.check({ known: {}, unknown: new Set() }).inputs;
  return (argument) => {
    const known = facts(argument);
    if (!known) throw new Error(`${resource} knows no argument ${argument}.`);
    const isInteger = takesIntegersOnly((value) =>
      lifecycle
        .check({ known: { [argument]: value }, unknown: new Set() })
        .problems.every(({ property }) => property !== argument),
    );
    return { ...known, isInteger, preset: presets[argument] };
  };
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
  const { Connections } = require(path.join(root, "dist", "provider", "connection"));
  return (setting) => {
    const accepts = (/** @type {unknown} */ value) => {
      /** @type {Record<string, string>} */
      const settings = { baseUrl: "https://example.com", apiKey: "key", [setting]: String(value) };
      try {
        new Connections((/** @type {string} */ name) => settings[name], {});
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
