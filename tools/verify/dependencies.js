require("../setup/nodeVersion");
const { command } = require("../setup/run");
const { mistakeIn } = require("./dependencyRules");
const { importsIn, product } = require("./imports");

/** @typedef {ReadonlyMap<string, import("./imports").Import[]>} Graph */

/** The first circle of imports. @param {string} file @param {Graph} graph @param {Set<string>} done @param {string[]} way @returns {string[] | undefined} */
function circleFrom(file, graph, done, way = []) {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const { file: next } of graph.get(file) ?? []) {
    const circle = next !== undefined && circleFrom(next, graph, done, [...way, file]);
    if (circle) return circle;
  }
  done.add(file);
  return undefined;
}

/** Checks what each file imports by its rules, and that no imports form a circle. */
command(() => {
  const graph = importsIn([...product, "examples", "test", "tools"]);
  const mistakes = [...graph].flatMap(([from, imports]) =>
    imports.flatMap(({ name, file }) => {
      const mistake = mistakeIn(from, name, file);
      return mistake === undefined ? [] : `${from} imports ${name}: ${mistake}`;
    }),
  );
  const done = new Set();
  for (const from of graph.keys()) {
    const circle = circleFrom(from, graph, done);
    if (circle) mistakes.push(`imports form a circle: ${circle.join(" -> ")}`);
  }
  for (const mistake of mistakes) console.log(mistake);
  return Promise.resolve(mistakes.length === 0 ? 0 : 1);
});
