const path = require("node:path");
const { root } = require("../../setup");
const { page } = require("../model/markdown");

/** @typedef {Record<"finds" | "why" | "example" | "passes", string>} Row */

/** Returns the page with all checks of an update. */
function checksPage() {
  /** @type {{rejections: Row[], textWarnings: Row[], draftWarnings: Row[]}} */
  const { rejections, textWarnings, draftWarnings } = require(
    path.join(root, "dist", "provider", "proofreading"),
  );
  const text = page(
    "# Checks of an update before it is public",
    "[Checks and previews](../guides/checks-and-previews.md) explains when these checks run. Each message consists of the name of " +
      "the field, the finding and the reason below. It never quotes the text. The checks of a text also apply to the name of an `Incident`.",
    "## Rejected",
    listOf(rejections, quoted),
    "A description is also rejected if it contains an API key that is configured for the run, even a key that another setting overrides.",
    "Credentials are also found in code. The rules are the same as [in an audit](credentials.md), " +
      "with these differences:",
    [
      "- A value next to a name such as `password` is rejected only if it is random. If it only mixes letters and digits, a warning is shown.",
      "- A value without a name is rejected if it consists of a prefix and 30 random characters (letters, digits, `-` and `_`), or of `_` " +
        "and 32 hexadecimal digits. A warning is shown for 16 random letters and digits, and for an abbreviation, `-` and 32 hexadecimal digits. Values after a word such as id, reference, hash or commit pass, as do ULIDs.",
    ].join("\n"),
    "## Warnings",
    "Code isn't checked if it is between backticks or within `<code>` or `<pre>`. The rules about words are for English.",
    listOf(textWarnings, quoted),
    "Compared with the incident as the service shows it:",
    listOf(draftWarnings, (text) => text),
  );
  const doc = "Problems for which an update is rejected or a warning is shown, with an example of each.";
  return { group: "Checks of updates", name: "Checks", file: "checks.md", doc, text };
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

module.exports = { checksPage };
