const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../setup");
const { command, SetupFailure } = require("../setup/run");
const { textTable } = require("../tables");

const folder = "docs/guides";
const readme = "README.md";

/** @typedef {{words: number, perSentence: number, flesch: number}} Prose */

/** The sentences of a page, without programs, tables, headings and addresses. @param {string} page @returns {string[]} */
function sentencesOf(page) {
  const text = page
    .replace(/^```[^]*?^```$/gm, "")
    .replace(/<!--[^]*?-->/g, "")
    .replace(/^(?:#|\||\[[^\]]+\]:).*$/gm, "")
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    // What stands between backticks is read as one word.
    .replace(/`[^`]+`/g, "code")
    .replace(/^\s*(?:[-*]|\d+\.|>)\s+/gm, "\n\n");
  return text
    .split(/\n\s*\n|(?<=[.!?:][)"*_]*)\s+(?=[("*_]*[A-Z0-9])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[A-Za-z]/.test(sentence));
}

/** @param {string} word */
function syllablesIn(word) {
  const sounded = word.toLowerCase().replace(/(?:[^laeiouy]es|[^td]ed|[^l]e)$/, (end) => end[0] ?? "");
  return Math.max(1, (sounded.match(/[aeiouy]+/g) || []).length);
}

/** @param {string} page @returns {Prose} flesch: Flesch's reading ease, which is higher the easier a page is */
function proseOf(page) {
  const sentences = sentencesOf(page);
  const words = sentences.flatMap((sentence) => sentence.match(/[A-Za-z][A-Za-z'’]*/g) || []);
  const syllables = words.reduce((sum, word) => sum + syllablesIn(word), 0);
  const perSentence = words.length / sentences.length;
  const flesch = 206.835 - 1.015 * perSentence - 84.6 * (syllables / words.length);
  return { words: page.split(/\s+/).filter((word) => word !== "").length, perSentence, flesch };
}

/** @param {string} commit @param {string} page @returns {Prose | undefined} undefined if the commit lacks the page */
function proseAt(commit, page) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    git("rev-parse", "--verify", `${commit}^{commit}`);
  } catch {
    throw new SetupFailure(`${commit} is no commit of this repository.`);
  }
  return git("ls-tree", commit, page) === "" ? undefined : proseOf(git("show", `${commit}:${page}`));
}

/** @param {number} value @param {number} [before] */
const shown = (value, before) => value.toFixed(1) + (before === undefined ? "" : ` (${before.toFixed(1)})`);

/** @returns {number} the exit code */
function compare() {
  const [commit] = process.argv.slice(2);
  const guides = fs.readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
  let harder = 0;
  let total = 0;
  const rows = [readme, ...guides].map((page) => {
    const now = proseOf(fs.readFileSync(path.join(root, page), "utf8"));
    const before = commit === undefined ? undefined : proseAt(commit, page);
    if (page !== readme) total += now.words;
    // As the table shows them: no page fails for what nobody sees there.
    const isHarder =
      before !== undefined &&
      ((shown(now.flesch) !== shown(before.flesch) && now.flesch < before.flesch) ||
        (shown(now.perSentence) !== shown(before.perSentence) && now.perSentence > before.perSentence));
    if (isHarder) harder += 1;
    const figures = [
      String(now.words),
      shown(now.perSentence, before?.perSentence),
      shown(now.flesch, before?.flesch),
    ];
    return [page, ...figures, isHarder ? "HARDER" : ""];
  });
  console.log(textTable([["page", "words", "words a sentence", "Flesch", ""], ...rows]));
  console.log(`Words of all guides: ${total.toLocaleString("en")}`);
  return harder === 0 ? 0 : 1;
}

/**
 * `npm run prose`: prints words, words a sentence and Flesch's reading ease of README.md and each guide. `npm run prose -- COMMIT` also
 * prints those at the commit, and fails if a page has become harder to read.
 */
command(() => Promise.resolve().then(compare));
