"use strict";

const path = require("node:path");

/**
 * @typedef {object} Facts what a lifecycle does with an argument
 * @property {boolean} isRequired
 * @property {boolean} replaces
 * @property {boolean} isSecret whether its value may be a secret, so that no message shows it
 * @property {string | undefined} preset its default, as a string
 */

/**
 * Finds out how a lifecycle treats its arguments by calling it as the engine does.
 * @param {string} root
 * @param {string} kind
 * @returns {(argument: string) => Facts | undefined} undefined for an argument that it doesn't know
 */
function factsOf(root, kind) {
  const { lifecycle, context } = lifecycleOf(root, kind);
  const nothing = { known: {}, unknown: new Set() };
  const { inputs, problems } = lifecycle.check(nothing);
  return (argument) => {
    // With an unknown account no connection is needed.
    const changed = { known: { [argument]: "changed" }, unknown: new Set(["account"]) };
    const { replaces } = lifecycle.diff("id", {}, changed, context);
    const misnamed = lifecycle.check({ known: { [argument]: undefined }, unknown: new Set() }).problems;
    if (misnamed.some(({ property, reason }) => property === argument && reason.startsWith("is not known")))
      return undefined;
    return {
      isRequired: problems.some(({ property }) => property === argument),
      replaces: replaces.includes(argument),
      isSecret: lifecycle.secrets.has(argument),
      preset: argument in inputs ? String(inputs[argument]) : undefined,
    };
  };
}

/**
 * A lifecycle and its context, which discards notices.
 * @param {string} root
 * @param {string} kind
 * @param {Record<string, string>} [settings] of the connection
 */
function lifecycleOf(root, kind, settings = {}) {
  const provider = path.join(root, "dist", "provider");
  const name = kind.charAt(0).toLowerCase() + kind.slice(1);
  /** @type {import("../../provider/lifecycles/lifecycle").Lifecycle} */
  const lifecycle = require(path.join(provider, "lifecycles", name))[name];
  const { Publishing } = require(path.join(provider, "publishing", "publishing"));
  const context = {
    publishing: new Publishing(),
    get connections() {
      return connectionsWith(root, settings);
    },
    notice: () => {},
    assertEngineAlive: async () => {},
    // Unlike `pulumi up`, this compares one resource several times.
    afterRefresh: true,
  };
  return { lifecycle, context };
}

/**
 * Connections without cached reads.
 * @param {string} root
 * @param {Record<string, string>} settings
 */
function connectionsWith(root, settings) {
  const { Connections } = require(path.join(root, "dist", "provider", "connection"));
  return new Connections((/** @type {string} */ key) => settings[key], {});
}

module.exports = { connectionsWith, factsOf, lifecycleOf };
