const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../scripts/setup");
const { markdownTable } = require("../../scripts/table");
const { filesOf, groups } = require("./groups");

/**
 * What was measured of a file, as long as it is unchanged.
 * @typedef {{hash: string, date: string, killed: number, mutants: number}} Score
 * @typedef {Record<string, Record<string, Score>>} Scores by group and file
 * @typedef {{status: string}} Mutant
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
 * Adds the results of whole files to scores.json, and the sums to the table in soak/README.md.
 * @param {string} name of the group
 * @param {readonly string[]} files that were mutated
 */
function addScores(name, files) {
  const report = JSON.parse(fs.readFileSync(path.join(root, ".stryker", `${name}.json`), "utf8"));
  const date = new Date().toISOString().slice(0, 10);
  const scores = read();
  const group = (scores[name] ??= {});
  for (const file of files) {
    /** @type {Mutant[]} */
    const mutants = report.files[file]?.mutants ?? [];
    const tested = mutants.filter(({ status }) => status !== "Ignored" && status !== "CompileError");
    const killed = tested.filter(({ status }) => status === "Killed" || status === "Timeout");
    group[file] = { hash: hashOf(file), date, killed: killed.length, mutants: tested.length };
  }
  scores[name] = Object.fromEntries(Object.entries(group).sort());
  fs.writeFileSync(scoresFile, `${JSON.stringify(scores, undefined, 2)}\n`);
  const text = fs.readFileSync(readme, "utf8");
  const table = `<!-- npm run mutants -->\n\n${markdownTable(rowsOf(scores))}\n\n<!-- end -->`;
  fs.writeFileSync(
    readme,
    text.replace(/<!-- npm run mutants -->[^]*?<!-- end -->/, () => table),
  );
}

/** Of files that have changed since, nothing is known. @param {Scores} scores */
function rowsOf(scores) {
  const rows = Object.keys(groups).map((name) => {
    const files = filesOf(name);
    const known = files.flatMap((file) => {
      const score = scores[name]?.[file];
      return score?.hash === hashOf(file) ? [score] : [];
    });
    const killed = known.reduce((sum, score) => sum + score.killed, 0);
    const mutants = known.reduce((sum, score) => sum + score.mutants, 0);
    const dates = known.map(({ date }) => date).sort();
    const percent =
      mutants === 0 ? "" : `${killed} of ${mutants} (${((100 * killed) / mutants).toFixed(1)} %)`;
    return [
      name,
      `${groups[name]?.percent} %`,
      percent,
      `${known.length} of ${files.length}`,
      dates[0] ?? "",
    ];
  });
  return [["group", "required", "killed", "files that were measured", "since"], ...rows];
}

module.exports = { addScores };
