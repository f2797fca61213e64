const path = require("node:path");
const { root } = require("../../setup");
const { page } = require("../model/markdown");

/** @typedef {Record<"finds" | "why" | "example" | "passes", string>} Row */

/** The page with all rules on the texts of updates */
function textsPage() {
  /** @type {{refusals: Row[], textDoubts: Row[], draftDoubts: Row[]}} */
  const { refusals, textDoubts, draftDoubts } = require(path.join(root, "dist", "provider", "proofreading"));
  const text = page(
    "# Checks of an update before it is public",
    "[Before an update is public](../guides/before-it-is-public.md) says when these run. A message names the field, and says this of it. " +
      "It never quotes the text.",
    "## Refused",
    listOf(refusals, quoted),
    "It also refuses a text that has an API key of the run's own connections, and one that another setting overrides. Credentials count within " +
      "code, too. [The tables of an audit](../guides/auditing.md#what-counts-as-a-secret) decide, but in a text a name makes only a random value a certain " +
      "credential, one that mixes letters and digits a likely one. Without a name, a prefix and 30 random letters and digits, or `_` and 32 " +
      "hexadecimal digits, are a certain one, and 16 random letters and digits are a likely one, unless a word such as id, hash or commit " +
      "stands before them.",
    "## Warned of",
    "Code doesn't count, which is between backticks or within `<code>` or `<pre>`. Rules on words are for English texts.",
    listOf(textDoubts, quoted),
    "Within the incident, as it is shown:",
    listOf(draftDoubts, (words) => words),
  );
  const doc = "What is refused or warned of before an update is public, with an example of each.";
  return { group: "Texts of updates", name: "Checks", file: "texts.md", doc, text };
}

/** @param {Row[]} rows @param {(text: string) => string} shown */
function listOf(rows, shown) {
  return rows
    .flatMap(({ finds, why, example, passes }, index) => {
      const title = finds === rows[index - 1]?.finds ? [] : [`- **${escaped(finds)}**. ${why}.`];
      return [...title, `  - Found: ${shown(example)}`, `    Passes: ${shown(passes)}`];
    })
    .join("\n");
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replace(/[[\]<>{}]/g, "\\$&");

/** @param {string} text */
const quoted = (text) => {
  const line = text.replaceAll("\n", "⏎").replaceAll("\u001b", "␛");
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
};

module.exports = { textsPage };
