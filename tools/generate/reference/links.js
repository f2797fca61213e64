const fs = require("node:fs");
const path = require("node:path");
const { anchor } = require("../model/markdown");

const skipped = /(^|[\\/])(node_modules|dist|\.[^\\/]+)([\\/]|$)/;

/**
 * The links in the Markdown files of this repository to a missing file or heading.
 * @param {string} root
 */
function brokenLinks(root) {
  const files = markdownIn(root, "");
  return files.flatMap((file) =>
    linksIn(path.join(root, file))
      .filter((link) => !isValid(path.join(root, file), link))
      .map((link) => `${file}: the link ${link} is broken`),
  );
}

/** @param {string} root @param {string} folder @returns {string[]} */
function markdownIn(root, folder) {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const found = path.join(folder, entry.name);
    if (skipped.test(found)) return [];
    if (entry.isDirectory()) return markdownIn(root, found);
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

module.exports = { brokenLinks };
