const path = require("node:path");

/** @typedef {import("../../../provider/api/operations").Operation} Operation */

/** The operations of the service. Doc comments name them as "operation `getIncident`". */
class Operations {
  /** @type {Operation[]} */
  all;

  /**
   * @param {string} root
   * @param {import("../model/sources").Sources} sources
   */
  constructor(root, sources) {
    this.sources = sources;
    const { operations } = require(path.join(root, "dist", "provider", "api", "operations"));
    const client = sources.exportsOf("provider/client/index.ts").get("MonitoringClient");
    if (!client) throw new Error("provider/client/index.ts exports no MonitoringClient.");
    const methods = sources.membersOf(client);
    this.all = Object.values(operations);
    for (const { name } of this.all) {
      const symbol = methods.find((member) => member.name === name);
      if (!symbol || !names(sources.doc(symbol), name))
        sources.mistakes.push(`MonitoringClient.${name} doesn't name its operation`);
    }
  }

  /**
   * The operations that a doc comment names.
   * @param {string} doc
   * @param {string} title names it in a mistake
   */
  namedIn(doc, title) {
    const named = this.all.filter(({ name }) => names(doc, name));
    if (named.length === 0) this.sources.mistakes.push(`${title} doesn't name the operations that it uses`);
    return named;
  }
}

/** @param {string} doc @param {string} operation */
function names(doc, operation) {
  return doc.includes(`operation \`${operation}\``);
}

module.exports = { Operations };
