"use strict";

const path = require("node:path");

/**
 * @typedef {object} Operation
 * @property {string} name of the client's method
 * @property {"GET" | "POST"} method
 * @property {string} path
 * @property {string} section of the service's API description
 */

/** The operations of the service, and in which section of its description each stands. */
class Operations {
  /** @type {Operation[]} */
  all;

  /**
   * @param {string} root
   * @param {import("./sources").Sources} sources
   */
  constructor(root, sources) {
    this.sources = sources;
    const { operations } = require(path.join(root, "dist", "provider", "api", "operations"));
    const client = sources.exportsOf("provider/client/index.ts").get("MonitoringClient");
    if (!client) throw new Error("provider/client/index.ts exports no MonitoringClient.");
    const methods = sources.membersOf(sources.typeOf(client));
    this.all = Object.values(operations).map(({ name, method, path }) => {
      const symbol = methods.find((member) => member.name === name);
      const section = symbol && /section (4\.\d)/.exec(sources.doc(symbol))?.[1];
      if (!section) sources.mistakes.push(`MonitoringClient.${name} doesn't say which section describes it`);
      return { name, method, path, section: section ?? "" };
    });
  }

  /**
   * The operations whose sections a doc comment names.
   * @param {string} doc
   * @param {string} title names it in a mistake
   */
  namedIn(doc, title) {
    const named = this.all.filter(({ section }) => doc.includes(section));
    if (named.length === 0)
      this.sources.mistakes.push(`${title} doesn't say which sections of the API it uses`);
    return named;
  }
}

module.exports = { Operations };
