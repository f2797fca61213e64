const { name, version } = require("../../package.json");

/** Collects the facts of a trial, and renders them without IDs and names of the account. */
class Transcript {
  /** Lines by section. @type {Record<"Facts" | "Responses", Set<string>>} */
  #sections = { Facts: new Set(), Responses: new Set() };
  /** Replacements by value. @type {Map<string, string>} */
  #aliases = new Map();

  /** Replaces values in the whole transcript. @param {Record<string, string | number | null | undefined>} values by alias */
  hide(values) {
    for (const [alias, value] of Object.entries(values)) if (value) this.#aliases.set(String(value), alias);
  }

  /** @param {string} subject @param {string} fact */
  add(subject, fact) {
    this.#sections.Facts.add(`- ${subject}: ${fact}`);
  }

  /** Records the status, and the headers about limits and deprecation. @param {Record<string, any>} exchange */
  addResponse({ request: { method, path }, response: { statusCode, headers } }) {
    const { Responses: lines } = this.#sections;
    lines.add(`- ${method} ${decodeURI(path)}: ${statusCode}`);
    for (const [header, value] of Object.entries(headers)) {
      const isNotable = /rate-?limit|^(retry-after|deprecation|sunset)$/.test(header);
      // Values of other headers may contain IDs. Counters of successful responses would fill the transcript.
      const text = statusCode === 429 && isNotable ? `${header}: ${String(value)}` : header;
      if (statusCode === 429 || isNotable) lines.add(`- Header with ${statusCode}: \`${text}\``);
    }
  }

  /** @param {string} host */
  render(host) {
    const now = new Date().toISOString();
    const versions = `${name} ${version} and Node.js ${process.versions.node}`;
    const heading = `# Trial of ${now.slice(0, 10)}\n\nRecorded at ${now} on ${host} with ${versions}.`;
    const { Facts, Responses } = this.#sections;
    const text = [heading, "\n## Facts\n", ...Facts, "\n## Responses\n", ...Responses].join("\n");
    // An ID may contain another ID.
    const hidden = [...this.#aliases].sort(([one], [other]) => other.length - one.length);
    return hidden.reduce((result, [value, alias]) => result.replaceAll(value, alias), text);
  }
}

module.exports = { Transcript };
