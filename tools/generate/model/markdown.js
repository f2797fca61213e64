const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../setup");

/** @param {string} text */
const code = (text) => `\`${text}\``;

/** @param {string} language @param {string} text */
const block = (language, text) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** Joins the paragraphs that aren't empty. @param {string[]} parts */
const page = (...parts) => parts.filter((part) => part !== "").join("\n\n");

/** Returns the first sentence of a doc comment. @param {string} text */
const firstSentence = (text) => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

/** @param {string} text */
const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the links in Markdown files to a missing file or heading. @param {readonly string[]} files */
function brokenLinks(files) {
  const pages = new Map(files.map((file) => [file, contentOf(file)]));
  return [...pages].flatMap(([file, { links }]) =>
    links.flatMap((link) => {
      const [name = "", heading] = link.split("#");
      const target = name === "" ? file : path.resolve(path.dirname(file), decodeURIComponent(name));
      const isValid = heading === undefined ? fs.existsSync(target) : pages.get(target)?.anchors.has(heading);
      return isValid ? [] : `${file}: the link ${link} is broken`;
    }),
  );
}

/** Returns the relative links of a page and the anchors of its headings. @param {string} file */
function contentOf(file) {
  /** @type {typeof import("marked")} */
  const { marked } = require(path.join(root, "node_modules", "marked"));
  /** @type {string[]} */
  const links = [];
  const anchors = new Set();
  void marked.walkTokens(marked.lexer(fs.readFileSync(file, "utf8")), (token) => {
    if (token.type === "heading") anchors.add(anchorOf(token.text));
    if ((token.type === "link" || token.type === "image") && !/^(https?|mailto):/.test(token.href))
      links.push(token.href);
  });
  return { links, anchors };
}

/** @param {string} heading in Markdown */
function anchorOf(heading) {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return text.replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}

module.exports = { block, code, firstSentence, page, upperFirst, brokenLinks };
