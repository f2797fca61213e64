const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../setup");
const { markdownTable } = require("../../tables/table");
const { killedByExplorer } = require("./explorer");
const { filesOf, groups } = require("./groups");

/**
 * What was measured of a file, as long as it is unchanged.
 * @typedef {{hash: string, date: string, killed: number, byExplorer?: number, mutants: number, survivors: string[]}} Score
 * @typedef {Record<string, Record<string, Score>>} Scores by group and file
 * @typedef {import("./explorer").Mutant} Mutant
 */

const scoresFile = path.join(__dirname, "scores.json");
const readme = path.join(__dirname, "..", "README.md");

/** @returns {Scores} */
const read = () => JSON.parse(fs.readFileSync(scoresFile, "utf8"));

/** @param {string} file */
function hashOf(file) {
  return createHash("sha256")
    .update(fs.readFileSync(path.join(root, file)))
    .digest("hex")
    .slice(0, 12);
}

/**
 * Adds the results of whole files to scores.json, and the sums to the table in tools/soak/README.md.
 * @param {string} name of the group
 * @param {readonly string[]} files that were mutated
 * @returns {Promise<boolean>} whether as many were killed as the group requires
 */
async function addScores(name, files) {
  const report = JSON.parse(fs.readFileSync(path.join(root, ".stryker", `${name}.json`), "utf8"));
  const date = new Date().toISOString().slice(0, 10);
  const scores = read();
  const group = (scores[name] ??= {});
  for (const file of files) {
    /** @type {Mutant[]} */
    const mutants = report.files[file]?.mutants ?? [];
    // A file that doesn't load proves nothing, as in Stryker's own score.
    const untested = ["Ignored", "CompileError", "RuntimeError"];
    const tested = mutants.filter(({ status }) => !untested.includes(status));
    const survivors = tested.filter(({ status }) => status !== "Killed" && status !== "Timeout");
    const explored = groups[name]?.isExplored ? await killedByExplorer(file, survivors) : [];
    const left = survivors.filter((mutant) => !explored.includes(mutant));
    for (const mutant of left) console.log(`${file}:${titleOf(mutant)}`);
    group[file] = {
      hash: hashOf(file),
      date,
      killed: tested.length - left.length,
      ...(explored.length > 0 ? { byExplorer: explored.length } : {}),
      mutants: tested.length,
      survivors: left.map(titleOf),
    };
  }
  scores[name] = Object.fromEntries(Object.entries(group).sort());
  fs.writeFileSync(scoresFile, `${JSON.stringify(scores, undefined, 2)}\n`);
  const text = fs.readFileSync(readme, "utf8");
  const table = `<!-- npm run mutants -->\n\n${markdownTable(rowsOf(scores))}\n\n<!-- end -->`;
  fs.writeFileSync(
    readme,
    text.replace(/<!-- npm run mutants -->[^]*?<!-- end -->/, () => table),
  );
  const measured = files.map((file) => group[file]);
  return sumOf(measured, "killed") * 100 >= sumOf(measured, "mutants") * (groups[name]?.percent ?? 100);
}

/** @param {readonly (Score | undefined)[]} scores @param {"killed" | "byExplorer" | "mutants"} what */
function sumOf(scores, what) {
  return scores.reduce((sum, score) => sum + (score?.[what] ?? 0), 0);
}

/** @param {Mutant} mutant */
function titleOf({ location: { start }, mutatorName, replacement }) {
  return `${start.line}:${start.column} ${mutatorName} ${replacement}`;
}

/** Of files that have changed since, nothing is known, and a group of such files has no row. @param {Scores} scores */
function rowsOf(scores) {
  const rows = Object.keys(groups).flatMap((name) => {
    const files = filesOf(name);
    const known = files.flatMap((file) => {
      const score = scores[name]?.[file];
      return score?.hash === hashOf(file) ? [score] : [];
    });
    if (known.length === 0) return [];
    const [killed, byExplorer, mutants] = [
      sumOf(known, "killed"),
      sumOf(known, "byExplorer"),
      sumOf(known, "mutants"),
    ];
    const dates = known.map(({ date }) => date).sort();
    const percent = `${killed} of ${mutants} (${((100 * killed) / mutants).toFixed(1)} %)`;
    const row = [
      name,
      `${groups[name]?.percent} %`,
      percent,
      groups[name]?.isExplored ? String(byExplorer) : "",
      `${known.length} of ${files.length}`,
      dates[0] ?? "",
    ];
    return [row];
  });
  return [
    ["group", "required", "killed", "of them by the explorer", "files that were measured", "since"],
    ...rows,
  ];
}

module.exports = { addScores };
