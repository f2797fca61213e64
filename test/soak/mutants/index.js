/**
 * Changes the files that decide in every small way, by Stryker, each with its nearest tests: what no test notices survives. Prints the
 * survivors, each as its line before and after, and the score of each file: how many of 100 changes a test notices. Those that make no
 * difference don't count.
 */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { textTable } = require("../../../tools/tables");
const { root } = require("../../../tools/setup");
const { lastLines, npm, SetupFailure, step } = require("../../../tools/setup/run");
const { equivalents, groups, getResultsFile } = require("./groups");

/**
 * @typedef {import("../../../tools/tables").Figure} Figure
 * @typedef {{line: number, column: number}} Position counted from 1
 * @typedef {{status: string, replacement: string, location: {start: Position, end: Position}}} Mutant
 * @typedef {{source: string, mutants: Mutant[]}} Mutated
 * @typedef {{line: number, from: string, to: string}} Change
 */

/** Not a dependency of the package: what only this stage needs is fetched when it runs. */
const version = "9.6.1";
/** Of `--short`, which shows that the stage works. */
const short = "edit";
const daysOfWeek = 7;

/** @param {import("..").Options} options @returns {Promise<Figure[]>} */
async function stage(options) {
  const figures = [];
  for (const name of selectGroups(options)) figures.push(...(await measureGroup(name)));
  return figures;
}

/** @param {import("..").Options} options */
function selectGroups({ short: isShort, replay, day }) {
  const all = Object.keys(groups);
  if (replay !== undefined) return [replay];
  if (day !== undefined) return all.filter((_, index) => (index - day) % daysOfWeek === 0);
  return isShort ? [short] : all;
}

/** @param {string} name of a group @returns {Promise<Figure[]>} */
async function measureGroup(name) {
  const group = groups[name];
  if (!group) throw new SetupFailure(`The groups are ${Object.keys(groups).join(", ")}, not "${name}".`);
  return Object.entries(await mutateGroup(name)).map(([file, mutated]) => {
    const survivors = listSurvivors(mutated);
    const without = equivalents[file] ?? 0;
    if (survivors.length !== without)
      console.log(
        textTable(
          survivors.flatMap(({ line, from, to }) => [
            [`${file}:${line}`, from],
            ["", to],
          ]),
        ),
      );
    const count = (/** @type {string} */ wanted) =>
      mutated.mutants.filter(({ status }) => status === wanted).length;
    const noticed = count("Killed") + count("Timeout");
    const missed = Math.max(0, survivors.length - without);
    const score = (100 * noticed) / (noticed + missed);
    // On a busy machine, a change that makes no difference may take too long.
    const isStale = survivors.length + count("Timeout") < without;
    return {
      what: file,
      measured: `${score.toFixed(1)} %, ${survivors.length} survive, ${without} make no difference`,
      bar: `>= ${group.least} %`,
      met: score >= group.least && !isStale,
    };
  });
}

/** Runs Stryker on a group. @param {string} name @returns {Promise<Record<string, Mutated>>} by file */
async function mutateGroup(name) {
  const packages = ["core", "jest-runner"].map((part) => `--package=@stryker-mutator/${part}@${version}`);
  const settings = path.join(__dirname, "stryker.config.js");
  const atOnce = String(os.availableParallelism());
  // Whoever edits a test meanwhile changes its name.
  const results = getResultsFile(name);
  const command = ["stryker", "run", settings, "--concurrency", atOnce];
  const ended = await step(`Changes of ${name}`, "one to twenty minutes", (tell) =>
    npm(["exec", "--yes", ...packages, "--", ...command], {
      ...{ cwd: root, env: { ...process.env, MUTANTS: name } },
      onLine: (line) => tell(/\d+\/\d+ tested.*/.exec(line)?.[0] ?? ""),
    }),
  );
  if (!ended.ok) throw new SetupFailure(`Stryker failed: ${lastLines(ended.output, 20)}`);
  return JSON.parse(fs.readFileSync(path.join(root, results), "utf8")).files;
}

/** @param {Mutated} mutated @returns {Change[]} */
function listSurvivors({ source, mutants }) {
  const lines = source.split("\n");
  return mutants
    .filter(({ status }) => status === "Survived" || status === "NoCoverage")
    .map(({ replacement, location: { start, end } }) => {
      const before = (lines[start.line - 1] ?? "").slice(0, start.column - 1);
      const after = (lines[end.line - 1] ?? "").slice(end.column - 1);
      const changed = lines.slice(start.line - 1, end.line).join("\n");
      return { line: start.line, from: shown(changed), to: shown(before + replacement + after) };
    })
    .sort((one, other) => one.line - other.line);
}

const longest = 160;
/** Code on one line, without the middle of what is long. @param {string} code */
function shown(code) {
  const line = code.trim().replaceAll(/\s+/g, " ");
  return line.length <= longest ? line : `${line.slice(0, longest / 2)} … ${line.slice(-longest / 2)}`;
}

module.exports = { stage };
