const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../setup");

/** @param {string} text */
const code = (text) => `\`${text}\``;

/** @param {string} language @param {string} text */
const block = (language, text) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** Joins paragraphs, without the empty ones. @param {string[]} parts */
const page = (...parts) => parts.filter((part) => part !== "").join("\n\n");

/** The anchor that a heading gets. @param {string} heading */
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

/** The first sentence of a doc comment. @param {string} text */
const firstSentence = (text) => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

/** @param {string} text */
const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** @param {string} text */
const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);

const skipped = /(^|[\\/])(node_modules|dist|\.[^\\/]+)([\\/]|$)/;

/** The links in the Markdown files of a folder to a missing file or heading. */
function brokenLinks(folder = root) {
  return markdownIn(folder).flatMap((file) =>
    linksIn(path.join(folder, file))
      .filter((link) => !isValid(path.join(folder, file), link))
      .map((link) => `${file}: the link ${link} is broken`),
  );
}

/** @param {string} folder @returns {string[]} from it on, those of packages and of the build left out */
function markdownIn(folder, parent = "") {
  return fs.readdirSync(path.join(folder, parent), { withFileTypes: true }).flatMap((entry) => {
    const found = path.join(parent, entry.name);
    if (skipped.test(found)) return [];
    if (entry.isDirectory()) return markdownIn(folder, found);
    return found.endsWith(".md") ? [found] : [];
  });
}

/** The text of a file without its code blocks. @param {string} file */
function prose(file) {
  return fs
    .readFileSync(file, "utf8")
    .replace(/^( *)(```+)[^]*?^\1\2 *$/gm, "")
    .replace(/<!--[^]*?-->/g, "");
}

/** @param {string} file @returns {string[]} the relative links */
function linksIn(file) {
  const links = [...prose(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => !/^(https?|mailto):/.test(link));
}

/** @param {string} from @param {string} link */
function isValid(from, link) {
  const [name = "", heading] = link.split("#");
  const file = name === "" ? from : path.resolve(path.dirname(from), decodeURIComponent(name));
  if (!fs.existsSync(file)) return false;
  return heading === undefined || anchorsIn(file).includes(heading);
}

/** The anchors of a file's headings; a heading that repeats gets a number. @param {string} file */
function anchorsIn(file) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return [...prose(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => {
    const name = anchor(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
}

module.exports = { anchor, block, code, firstSentence, lowerFirst, page, upperFirst, brokenLinks };
