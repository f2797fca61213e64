require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const ts = require("typescript");
const { filesUnder, root } = require("../setup");
const { command } = require("../setup/run");
const { mistakeIn, modules } = require("./dependencyRules");

const typeImport = /^import (type [^;]*|\{(\s*type \w+( as \w+)?,?)+\s*\}) from "[^."][^;]*;/gm;

/** A file's imports by their names, with the files of this repository that they name. @param {string} from @param {ReadonlySet<string>} files */
function importsOf(from, files) {
  // Only types: they need no package at run time.
  const text = fs.readFileSync(path.join(root, from), "utf8").replace(typeImport, "");
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName: name }) => {
    const target = path.posix.join(path.posix.dirname(from), name);
    const candidates = [target, ...[".ts", ".js", "/index.ts", "/index.js"].map((end) => target + end)];
    return {
      name,
      file: name.startsWith(".") ? (candidates.find((each) => files.has(each)) ?? target) : undefined,
    };
  });
}

/** The first circle of imports. @param {string} file @param {ReadonlyMap<string, string[]>} graph @param {Set<string>} done @param {string[]} way @returns {string[] | undefined} */
function circleFrom(file, graph, done, way = []) {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const next of graph.get(file) ?? []) {
    const circle = circleFrom(next, graph, done, [...way, file]);
    if (circle) return circle;
  }
  done.add(file);
  return undefined;
}

/** Checks what each file imports by its rules, and that no imports form a circle. */
command(() => {
  const folders = [
    ...new Set(Object.keys(modules).map((name) => name.split("/")[0] ?? "")),
    "examples",
    "test",
    "tools",
  ];
  const all = folders.flatMap((folder) => filesUnder(path.join(root, folder)));
  const files = new Set(all.map((file) => path.relative(root, file).replaceAll("\\", "/")));
  const graph = new Map();
  const mistakes = [];
  for (const from of [...files].filter((file) => /\.(ts|js|cjs|mjs)$/.test(file))) {
    const imports = importsOf(from, files);
    graph.set(
      from,
      imports.flatMap(({ file = [] }) => file),
    );
    for (const { name, file } of imports) {
      const mistake = mistakeIn(from, name, file);
      if (mistake !== undefined) mistakes.push(`${from} imports ${name}: ${mistake}`);
    }
  }
  const done = new Set();
  for (const from of graph.keys()) {
    const circle = circleFrom(from, graph, done);
    if (circle) mistakes.push(`imports form a circle: ${circle.join(" -> ")}`);
  }
  for (const mistake of mistakes) console.log(mistake);
  return Promise.resolve(mistakes.length === 0 ? 0 : 1);
});
