/**
 * Runs mutation tests with Stryker: changes the files with decisions in every small way and runs the tests nearest to them. A change that no
 * test detects survives. Prints the line of each survivor before and after the change, and the score of each file: the percentage of detected
 * changes. Some survivors have no effect, so the required scores are below 100.
 */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { textTable } = require("../../../tools/tables");
const { root } = require("../../../tools/setup");
const { npm, SetupFailure, step } = require("../../../tools/setup/run");
const { groups, getResultsFile } = require("./groups");

/**
 * @typedef {import("../../../tools/tables").Figure} Figure
 * @typedef {{line: number, column: number}} Position numbers start at 1
 * @typedef {{status: string, replacement: string, location: {start: Position, end: Position}}} Mutant
 * @typedef {{source: string, mutants: Mutant[]}} Mutated
 * @typedef {{line: number, status: string, from: string, to: string}} Change the line before and after
 */

/** Stryker's version. It isn't a dependency of the package, because only this stage needs it. npx downloads it. */
const version = "9.6.1";
/** The group that `--short` tests, to show that the stage works. */
const short = "edit";
/** Each day tests one of this many parts of the groups. */
const parts = 3;
const minDefaultScore = 85;

/** @param {import("..").Options} options @returns {Promise<Figure[]>} */
async function stage(options) {
  const figures = [];
  for (const name of selectGroups(options))
    figures.push(...(await measureGroup(name).catch(reportFailure(name))));
  return figures;
}

/** @param {import("..").Options} options */
function selectGroups({ short: isShort, replay, day }) {
  const all = Object.keys(groups);
  if (replay !== undefined) return [replay];
  if (day !== undefined) return all.filter((_, index) => (index - day) % parts === 0);
  return isShort ? [short] : all;
}

/** @param {string} name the name of a group @returns {Promise<Figure[]>} */
async function measureGroup(name) {
  const group = groups[name];
  if (!group) throw new SetupFailure(`The groups are ${Object.keys(groups).join(", ")}, not "${name}".`);
  const { least = minDefaultScore } = group;
  return Object.entries(await mutateGroup(name)).map(([file, mutated]) => {
    const changes = listChanges(mutated);
    const survivors = changes.filter(({ status }) => status === "Survived" || status === "NoCoverage");
    const rows = survivors.flatMap(({ line, from, to }) => [
      [`${file}:${line}`, from],
      ["", to],
    ]);
    if (rows.length > 0) console.log(textTable(rows));
    const { length: noticed } = changes.filter(({ status }) => status === "Killed" || status === "Timeout");
    const score = (100 * noticed) / (noticed + survivors.length);
    return {
      what: file,
      measured: `${score.toFixed(1)} %, ${survivors.length} survive`,
      bar: `>= ${least} %`,
      met: score >= least,
    };
  });
}

/** Returns a function that reports the failure of a group as a figure, so that the other groups are measured. @param {string} name */
const reportFailure = (name) => (/** @type {unknown} */ error) => {
  if (!(error instanceof SetupFailure)) throw error;
  console.log(error.message);
  return [{ what: name, measured: "failed", bar: "a score", met: false }];
};

/** Runs Stryker on a group. @param {string} name @returns {Promise<Record<string, Mutated>>} by file */
async function mutateGroup(name) {
  const packages = ["core", "jest-runner"].map((part) => `--package=@stryker-mutator/${part}@${version}`);
  const settings = path.join(__dirname, "stryker.config.js");
  const atOnce = String(os.availableParallelism());
  // The name is computed first, because it changes if a test is edited during the run.
  const results = getResultsFile(name);
  const command = ["stryker", "run", settings, "--concurrency", atOnce];
  const ended = await step(`Changes of ${name}`, "one to twenty minutes", (tell) =>
    npm(["exec", "--yes", ...packages, "--", ...command], {
      ...{ cwd: root, env: { ...process.env, MUTANTS: name } },
      onLine: (line) => tell(/\d+\/\d+ tested.*/.exec(line)?.[0] ?? ""),
    }),
  );
  if (!ended.ok) throw new SetupFailure(`Stryker failed:\n${ended.output.trim()}`);
  return JSON.parse(fs.readFileSync(path.join(root, results), "utf8")).files;
}

/** @param {Mutated} mutated @returns {Change[]} */
function listChanges({ source, mutants }) {
  const lines = source.split("\n");
  return mutants
    .map(({ status, replacement, location: { start, end } }) => {
      const changed = lines.slice(start.line - 1, end.line);
      const before = (changed[0] ?? "").slice(0, start.column - 1);
      const after = (changed.at(-1) ?? "").slice(end.column - 1);
      const all = changed.join("\n");
      const code = all.slice(before.length, all.length - after.length);
      const [from, to] = [code, replacement].map((each) => formatChange(before, each, after));
      return { line: start.line, status, from: from ?? "", to: to ?? "" };
    })
    .sort((one, other) => one.line - other.line);
}

const longest = 80;
/** Formats changed code within its line, without distant code and the middle of long code. @param {string} code */
function formatChange(/** @type {string} */ before, code, /** @type {string} */ after) {
  const [start = "", middle = "", end = ""] = [before, code, after].map((each) =>
    each.replaceAll(/\s+/g, " "),
  );
  const half = longest / 2;
  return [
    start.length <= longest ? start : `…${start.slice(-longest)}`,
    middle.length <= longest ? middle : `${middle.slice(0, half)}…${middle.slice(-half)}`,
    end.length <= longest ? end : `${end.slice(0, longest)}…`,
  ]
    .join("")
    .trim();
}

module.exports = { stage };
