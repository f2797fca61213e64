"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../setup/failure");

/**
 * What a change means for users, worst first, with the heading that it stands under.
 * @type {Record<string, string>}
 */
const kinds = { major: "Changes that need yours", minor: "New", patch: "Mended" };

/**
 * @typedef {object} Fragment
 * @property {string} file
 * @property {string} kind
 * @property {string} text
 */

/**
 * The fragments in a folder, by name.
 * @param {string} folder
 * @returns {Fragment[]}
 * @throws {SetupFailure} names each file that is no fragment
 */
function fragmentsOf(folder) {
  const files = fs.readdirSync(folder).filter((file) => file !== "README.md");
  const fragments = files.sort().map((file) => ({
    file,
    kind: /^[a-z0-9-]+\.([a-z]+)\.md$/.exec(file)?.[1] ?? "",
    text: fs.readFileSync(path.join(folder, file), "utf8").trim(),
  }));
  const wrong = fragments.filter(({ kind, text }) => !Object.hasOwn(kinds, kind) || text === "");
  if (wrong.length > 0) {
    const names = wrong.map(({ file }) => `changes/${file}`).join(", ");
    throw new SetupFailure(
      `${names}: a fragment is called like some-words.minor.md, with one of ${Object.keys(kinds).join(", ")}, and says something.`,
    );
  }
  return fragments;
}

/**
 * By semantic versioning. Before 1.0.0 a change that needs one of the users raises the minor version, as npm's `^`
 * understands it.
 * @param {string} version
 * @param {readonly Fragment[]} fragments
 */
function nextVersion(version, fragments) {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const worst = Object.keys(kinds).find((kind) => fragments.some((fragment) => fragment.kind === kind));
  if (worst === "patch") return `${major}.${minor}.${patch + 1}`;
  return worst === "minor" || major === 0 ? `${major}.${minor + 1}.0` : `${major + 1}.0.0`;
}

/**
 * A release, as the changelog tells it.
 * @param {string} version
 * @param {string} date such as 2026-11-20
 * @param {readonly Fragment[]} fragments
 */
function sectionOf(version, date, fragments) {
  const parts = Object.entries(kinds).map(([kind, heading]) => {
    const items = fragments.filter((fragment) => fragment.kind === kind);
    const lines = items.map(({ text }) => `- ${text.replace(/\n/g, "\n  ")}\n`);
    return lines.length === 0 ? "" : `### ${heading}\n\n${lines.join("")}\n`;
  });
  return `## ${version} (${date})\n\n${parts.join("")}`;
}

module.exports = { fragmentsOf, nextVersion, sectionOf };
