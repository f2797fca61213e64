const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../setup");
const { command } = require("../setup/run");
const { rowOf, textTable } = require("../tables");
const { mistakeIn, moduleOf } = require("./dependencyRules");
const { importsIn, product } = require("./imports");

/** @typedef {import("../tables").Figure} Figure */

/** @param {string} what @param {number} value @param {number} most @returns {Figure} */
function atMost(what, value, most) {
  const measured = Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(1);
  return { what, measured, bar: `<= ${most.toLocaleString("en")}`, met: value <= most };
}

/** @param {string} file */
const textOf = (file) => fs.readFileSync(path.join(root, file), "utf8");

/** @param {string} text */
const linesIn = (text) => text.split("\n").length - 1;

/** Returns the imports that violate the rules. @param {ReturnType<typeof importsIn>} graph */
function forbiddenImports(graph) {
  return [...graph].flatMap(([from, imports]) =>
    imports.flatMap(({ name, file }) => {
      const mistake = mistakeIn(from, name, file);
      return mistake === undefined ? [] : `${from} imports ${name}: ${mistake}`;
    }),
  );
}

const atRoot =
  /^(\.(git-blame-ignore-revs|gitattributes|gitignore|npmrc|nvmrc|ox(fmt|lint)rc\.json)|(CHANGELOG|CONTRIBUTING|README|SECURITY)\.md|LICENSE|Pulumi\.yaml|jest\.config\.js|(package|package-lock|tsconfig)\.json)$/;

/** Returns unknown tracked files in the root. A test may have written them. */
function strayFiles() {
  const output = execFileSync("git", ["ls-files", ":(glob)*"], { cwd: root, encoding: "utf8" });
  return output.split("\n").filter((file) => file !== "" && !atRoot.test(file));
}

/** Returns the amount of code, as figures without a limit. @param {ReturnType<typeof importsIn>} graph @returns {Figure[]} */
function figuresOfSize(graph) {
  const figure = (/** @type {string} */ what, /** @type {RegExp} */ pattern) => {
    const texts = [...graph.keys()].filter((file) => pattern.test(file)).map(textOf);
    return { what, measured: linesIn(texts.join("")).toLocaleString("en") };
  };
  return [
    figure("lines of the product", new RegExp(`^(${product.join("|")})/.*\\.ts$`)),
    figure("lines of tests, without explorer and soak", /^test\/(?!explore\/|soak\/)/),
    figure("lines of tools", /^tools\//),
  ];
}

/** @param {ReturnType<typeof importsIn>} graph @returns {Figure[]} */
function figuresOfSources(graph) {
  const sources = [...graph.keys()].filter(
    (file) => file.endsWith(".ts") && product.includes(file.split("/")[0] ?? ""),
  );
  const lines = new Map(sources.map((file) => [file, linesIn(textOf(file))]));
  const most = Math.max(...lines.values());
  const biggest = sources.find((file) => lines.get(file) === most);
  const imports = sources.flatMap((file) =>
    (graph.get(file) ?? []).flatMap(({ file: target }) => (target === undefined ? [] : { file, target })),
  );
  const between = imports.filter(({ file, target }) => moduleOf(file) !== moduleOf(target));
  const pastFaces = between.filter(({ target }) => moduleOf(target) !== target.replace(/\/index\.ts$/, ""));
  const percent = (100 * pastFaces.length) / between.length;
  return [
    atMost(`lines of the biggest file, ${biggest}`, most, 520),
    atMost("percent of imports between modules that pass a face", percent, 9.2),
  ];
}

/** Returns the files that a module of dist/ loads. @param {string} file @param {string[]} args @returns {string[]} paths from the root */
function loadedBy(file, ...args) {
  const print = 'require("node:fs").writeSync(3, JSON.stringify(Object.keys(require.cache)))';
  const code = `process.once("exit", () => ${print}); require(${JSON.stringify(path.join(root, "dist", file))})`;
  const { output } = spawnSync(process.execPath, ["-e", code, "monitoring", ...args], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
    encoding: "utf8",
  });
  /** @type {string[]} */
  const files = JSON.parse(output[3] ?? "[]");
  return files.map((name) => path.relative(root, name).replaceAll("\\", "/"));
}

/** @returns {Figure[]} */
function figuresOfLoading() {
  const ofProgram = loadedBy("sdk/index.js");
  const heavy = ofProgram.filter((file) => /^node_modules\/(zod|axios)\//.test(file));
  const ofRun = loadedBy("provider/run/index.js");
  const ofRequests = ofRun.filter((file) => /^node_modules\/axios\//.test(file));
  const own = ofProgram.filter((file) => file.startsWith("dist/"));
  const ofCommand = loadedBy("cli/monitoring.js", "--version").filter((file) => /^dist\/.*\.js$/.test(file));
  const sources = ofCommand.map((file) => textOf(file.replace("dist/", "").replace(/\.js$/, ".ts")));
  return [
    atMost("files that a program's import loads", own.length, 26),
    atMost("of these, files of zod and axios", heavy.length, 0),
    atMost("files of axios that a run without changes loads", ofRequests.length, 0),
    atMost("lines that `monitoring --version` loads", linesIn(sources.join("")), 1_480),
  ];
}

/**
 * `npm run verify -- shape`: checks the imports of each file and the files at the root, and prints figures on the shape of the product with
 * their limits. It needs the output of `npm run build`.
 */
command(() => {
  const graph = importsIn([...product, "examples", "test", "tools"]);
  const forbidden = forbiddenImports(graph);
  for (const line of forbidden) console.log(line);
  const strays = strayFiles();
  for (const file of strays) console.log(`${file} doesn't belong at the root of the repository`);
  const figures = [
    ...figuresOfSources(graph),
    ...figuresOfLoading(),
    atMost("imports that the rules forbid", forbidden.length, 0),
    atMost("files that don't belong at the root", strays.length, 0),
    ...figuresOfSize(graph),
  ];
  console.log(textTable([["figure", "measured", "required", "result"], ...figures.map(rowOf)]));
  const isMet = figures.every(({ met }) => met !== false);
  if (!isMet) console.log('"A limit" in CONTRIBUTING.md says what to do about a limit that is missed.');
  return Promise.resolve(isMet ? 0 : 1);
});
