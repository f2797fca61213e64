const fs = require("node:fs");
const path = require("node:path");
const { generators } = require("../generate/generated");
const { root } = require("../setup");
const { project: buildProject } = require("../setup/steps/compile");
const { SetupFailure } = require("../setup/failure");
const { npm } = require("../setup/npm");
const { run } = require("../setup/run");
const { contentMistakes, installMistakes } = require("./tarball");
const { lint } = require("./lint");
const { cache, isKept } = require("../setup/passed");
const { isNoPage, isNoTest, isPacked, readsOf } = require("../setup/reads");
const { tool } = require("./tool");

/** @typedef {import("../setup/passed").Passed} Passed */
/** @typedef {(passed: Passed) => Promise<boolean>} Check whether it was run, or had passed; throws a SetupFailure with the output of the tool */

/** @param {import("../setup/reads").Reads} reads @param {() => Promise<void>} run @returns {(name: string) => Check} */
const on = (reads, run) => (name) => (passed) => passed.orRun(name, reads, run);

/** `npm test` compares the snapshots. */
const generated = Object.keys(generators).filter((name) => name !== "snapshots");

/** They run in this order: the longest first, and the types, which the first may have checked, last. @type {Record<string, (name: string) => Check>} */
const makers = {
  lint: () => checkLint,
  ...Object.fromEntries(
    generated.map((name) => [name, on(readsOf(name), () => succeeds("generate/update.js", name))]),
  ),
  package: on(isPacked, checkPackage),
  dependencies: on(isNoPage, () =>
    tool("dependency-cruiser", "depcruise", "--config", "tools/verify/dependencyRules.cjs", ...modules()),
  ),
  unused: on(isNoPage, () =>
    tool(
      "knip",
      "knip",
      "--no-config-hints",
      "--config",
      "tools/verify/knip.json",
      "--tsConfig",
      buildProject,
    ),
  ),
  format: on(() => true, checkFormat),
  types: () => checkTypes,
};

const checks = Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make(name)]));

/** The folders with dependency rules. */
function modules() {
  return "provider plugin sdk audit policy cli sandbox examples test tools".split(" ");
}

/** @type {Promise<boolean> | undefined} */
let types;

/** The modules, the tests in a browser, then each example against the built package with its own settings, as in a user's project. @type {Check} */
function checkTypes(passed) {
  const examples = path.join(root, "examples");
  const folders = fs.readdirSync(examples).map((name) => path.join(examples, name));
  const projects = [root, path.join(root, "test", "browser"), ...folders];
  types ??= (async () => {
    let isRun = false;
    for (const folder of projects.filter((each) => fs.existsSync(path.join(each, "tsconfig.json"))))
      isRun = (await typesOf(folder, passed)) || isRun;
    return isRun;
  })();
  return types;
}

/** Checks only changed files and their dependents. @param {string} folder @param {Passed} passed */
function typesOf(folder, passed) {
  const name = folder === root ? "modules" : path.basename(folder);
  const start = `${path.relative(root, folder).replaceAll("\\", "/")}/`;
  const isExample = start.startsWith("examples/");
  const known = path.join(cache, `${name}.tsbuildinfo`);
  return passed.orRun(
    `types-${name}`,
    // An example sees no more of the package than a user does.
    (file) => !isExample || file.startsWith(start) || /^dist\/types\/|tsconfig\S*\.json$/.test(file),
    () => tool("typescript", "tsc", "-p", folder, "--noEmit", "--incremental", "--tsBuildInfoFile", known),
  );
}

/** @type {Check} */
async function checkLint(passed) {
  // It leaves what each file imports. Where everything is linted, nothing depends on it.
  if (isKept) await checkTypes(passed).catch(() => undefined);
  return lint(passed);
}

function checkFormat() {
  const cached = isKept ? ["--cache", "--cache-strategy", "content"] : [];
  return tool("prettier", "prettier", "--check", ...cached, "--log-level", "warn", ".");
}

/** Whether what a script generates is up to date. @param {string[]} script with its arguments */
async function succeeds(...script) {
  const { ok, output } = await run(process.execPath, [...script, "--check"], {
    cwd: path.join(root, "tools"),
  });
  if (!ok) throw new SetupFailure(output.trim());
}

/** The packed package: its files, its dependencies, and its types for every way to import it. */
async function checkPackage() {
  fs.mkdirSync(cache, { recursive: true });
  const packed = await npm(["pack", "--ignore-scripts", "--json", "--pack-destination", cache], {
    cwd: root,
  });
  if (!packed.ok) throw new SetupFailure(packed.output);
  const [{ filename, files }] = JSON.parse(packed.stdout);
  const mistakes = [
    ...contentMistakes(files.map((/** @type {{path: string}} */ file) => file.path)),
    ...installMistakes(JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8"))),
  ];
  if (mistakes.length > 0) throw new SetupFailure(mistakes.join("\n"));
  const tarball = path.join(cache, filename);
  await tool("publint", "publint", "run", tarball, "--strict");
  await tool("@arethetypeswrong/cli", "attw", tarball, "--no-emoji");
}

module.exports = { checks };
