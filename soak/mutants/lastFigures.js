/** The last figures of the groups that take an hour each: `npm run mutants` writes them, `npm run soak` shows them. */
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../../scripts/setup");
const { groups } = require("./groups");

/** @typedef {{killed: number, count: number, equivalent: number, on: string, code: string}} Last */

const file = path.join(__dirname, "lastFigures.json");
const long = Object.keys(groups).filter((name) => groups[name]?.bar !== 100);

/** @returns {Record<string, Last>} */
function read() {
  return JSON.parse(fs.readFileSync(file, "utf8"));
}

/** @param {import("./measure").Measured} measured */
function keepFigures({ name, killed, count, equivalent }) {
  if (!long.includes(name)) return;
  const last = { killed, count, equivalent, on: new Date().toISOString().slice(0, 10), code: digestOf(name) };
  const all = { ...read(), [name]: last };
  const inOrder = long.flatMap((each) => (all[each] ? [[each, all[each]]] : []));
  fs.writeFileSync(file, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
}

/** @returns {import("..").Figure[]} */
function lastFigures() {
  const last = read();
  return long.map((name) =>
    figureOf(name, groups[name]?.bar ?? 100, last[name], last[name] && ageOf(name, last[name])),
  );
}

/**
 * @param {string} what
 * @param {number} bar
 * @param {Pick<Last, "killed" | "count" | "equivalent">} [last]
 * @param {string} [age]
 * @returns {import("..").Figure}
 */
function figureOf(what, bar, last, age = "") {
  const percent = `>= ${bar} %`;
  if (!last) return { what: `mutants of ${what} killed`, measured: "never", bar: percent, met: false };
  const score = (100 * last.killed) / Math.max(1, last.count);
  return {
    what: `mutants of ${what} killed, of ${last.count}; ${last.equivalent} more are equivalent${age}`,
    measured: `${score.toFixed(1)} %`,
    bar: percent,
    met: score >= bar,
  };
}

/** @param {string} name @param {Last} last */
function ageOf(name, { on, code }) {
  return `; measured on ${on}${code === digestOf(name) ? "" : ", the code has changed since"}`;
}

/** Changes with the code of the group. @param {string} name */
function digestOf(name) {
  const digest = createHash("sha256");
  for (const pattern of groups[name]?.mutate ?? []) {
    const folder = path.join(root, pattern.replace(/\*.*$/, ""));
    for (const each of fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
      if (each.endsWith(".ts")) digest.update(fs.readFileSync(path.join(folder, each)));
    }
  }
  return digest.digest("hex").slice(0, 16);
}

module.exports = { figureOf, keepFigures, lastFigures };
