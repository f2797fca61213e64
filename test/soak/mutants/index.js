/**
 * Changes the files that decide in every small way, by Stryker, each with its nearest tests: what no test notices survives. Prints the
 * survivors, each as its line before and after, and the score of each file: how many of 100 changes a test notices. `equivalents.yaml`
 * lists the changes that make no difference; they don't count.
 */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const YAML = require("yaml");
const { none, textTable } = require("../../../tools/tables");
const { root } = require("../../../tools/setup");
const { lastLines, npm, SetupFailure, step } = require("../../../tools/setup/run");
const { groups, resultsOf } = require("./groups");

/**
 * @typedef {import("../../../tools/tables").Figure} Figure
 * @typedef {{line: number, column: number}} Position counted from 1
 * @typedef {{status: string, replacement: string, location: {start: Position, end: Position}}} Mutant
 * @typedef {{source: string, mutants: Mutant[]}} Mutated
 * @typedef {{file: string, line: number, from: string, to: string}} Change
 */

/** @type {readonly {file: string, why: string, changes: {from: string, to: string}[]}[]} */
const reasons = YAML.parse(fs.readFileSync(path.join(__dirname, "equivalents.yaml"), "utf8"));
const equivalents = reasons.flatMap(({ file, changes }) => changes.map((change) => ({ file, ...change })));

/** Not a dependency of the package: what only this stage needs is fetched when it runs. */
const version = "9.6.1";
/** Of `--short`, which shows that the stage works. */
const short = "edit";
const daysOfWeek = 7;

/** @param {import("..").Options} options @returns {Promise<Figure[]>} */
async function stage(options) {
  const figures = [];
  for (const name of namesIn(options)) figures.push(...(await figuresOf(name)));
  return figures;
}

/** @param {import("..").Options} options */
function namesIn({ short: isShort, replay, day }) {
  const all = Object.keys(groups);
  if (replay !== undefined) return [replay];
  if (day !== undefined) return all.filter((_, index) => (index - day) % daysOfWeek === 0);
  return isShort ? [short] : all;
}

/** @param {string} name of a group @returns {Promise<Figure[]>} */
async function figuresOf(name) {
  const group = groups[name];
  if (!group) throw new SetupFailure(`The groups are ${Object.keys(groups).join(", ")}, not "${name}".`);
  const files = Object.entries(await mutatedBy(name));
  const survivors = files.flatMap(([file, mutated]) => survivorsIn(file, mutated));
  const counted = survivors.filter((change) => !equivalents.some((each) => isSame(each, change)));
  if (counted.length > 0)
    console.log(
      textTable(
        counted.flatMap(({ file, line, from, to }) => [
          [`${file}:${line}`, from],
          ["", to],
        ]),
      ),
    );
  const stale = equivalents.filter(
    (each) => files.some(([file]) => file === each.file) && !survivors.some((change) => isSame(each, change)),
  );
  for (const { file, from, to } of stale) console.log(`No survivor of ${file}: ${from} → ${to}`);
  return [
    ...files.map(([file, { mutants }]) => {
      const missed = counted.filter((change) => change.file === file).length;
      const noticed = mutants.filter(({ status }) => status === "Killed" || status === "Timeout").length;
      const score = (100 * noticed) / (noticed + missed);
      const measured = `${score.toFixed(1)} %, ${missed} survive`;
      return { what: file, measured, bar: `>= ${group.least} %`, met: score >= group.least };
    }),
    none(`equivalents of ${name} that no survivor is`, stale.length),
  ];
}

/** Runs Stryker on a group. @param {string} name @returns {Promise<Record<string, Mutated>>} by file */
async function mutatedBy(name) {
  const packages = ["core", "jest-runner"].map((part) => `--package=@stryker-mutator/${part}@${version}`);
  const settings = path.join(__dirname, "stryker.config.js");
  const atOnce = String(os.availableParallelism());
  // Whoever edits a test meanwhile changes its name.
  const results = resultsOf(name);
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

/** @param {string} file @param {Mutated} mutated @returns {Change[]} */
function survivorsIn(file, { source, mutants }) {
  const lines = source.split("\n");
  return mutants
    .filter(({ status }) => status === "Survived" || status === "NoCoverage")
    .map(({ replacement, location: { start, end } }) => {
      const before = (lines[start.line - 1] ?? "").slice(0, start.column - 1);
      const after = (lines[end.line - 1] ?? "").slice(end.column - 1);
      const changed = lines.slice(start.line - 1, end.line).join("\n");
      return { file, line: start.line, from: shown(changed), to: shown(before + replacement + after) };
    })
    .sort((one, other) => one.line - other.line);
}

const longest = 160;
/** Code on one line, without the middle of what is long. @param {string} code */
function shown(code) {
  const line = code.trim().replaceAll(/\s+/g, " ");
  return line.length <= longest ? line : `${line.slice(0, longest / 2)} … ${line.slice(-longest / 2)}`;
}

/** @param {{file: string, from: string, to: string}} one @param {Change} other */
function isSame(one, other) {
  return one.file === other.file && one.from === other.from && one.to === other.to;
}

module.exports = { stage };
