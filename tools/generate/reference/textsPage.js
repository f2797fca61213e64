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
    "For when these checks run, see [checks and previews](../guides/checks-and-previews.md). Each message names the field and describes the " +
      "problem, without quoting the text.",
    "## Refused",
    listOf(refusals, quoted),
    "A text is also rejected if it contains an API key that this run uses, or a key that is overridden by a different setting. " +
      "Credentials are also detected in code. The rules are those of [an audit](credentials.md), with these differences: next to a name such " +
      "as `token`, a random value is rejected, and a value that only mixes letters and digits is a warning. Without such a name, a prefix " +
      "followed by 30 random letters and digits, or by `_` and 32 hexadecimal digits, is rejected, and 16 random letters and digits are a " +
      "warning, unless a word such as id, hash or commit stands before them.",
    "## Warned of",
    "Code, between backticks or within `<code>` or `<pre>`, is ignored. The checks of words are for English.",
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
      const title = finds === rows[index - 1]?.finds ? [] : [`- **${escaped(finds)}**: ${why}.`];
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
