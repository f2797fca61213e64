require("./setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { argumentsOf, command } = require("./command");
const { generators } = require("./generated");
const { inParallel } = require("./parallel");
const { prepareBuild, root } = require("./setup");
const { SetupFailure } = require("./setup/failure");
const { npm } = require("./setup/npm");
const { run } = require("./setup/run");
const { contentMistakes, installMistakes } = require("./tarball");

/**
 * @typedef {() => Promise<void>} Check throws a SetupFailure with the output of the tool
 * @type {Record<string, Check>}
 */
const checks = {
  lint: () => tool("eslint", "eslint", ".", "--max-warnings", "0"),
  types: checkTypes,
  format: () => tool("prettier", "prettier", "--check", "--log-level", "warn", "."),
  dependencies: () => tool("dependency-cruiser", "depcruise", ...modules()),
  unused: () => tool("knip", "knip", "--no-config-hints", "--tsConfig", "tsconfig.build.json"),
  package: checkPackage,
  pictures: () => succeeds("pictures.js"),
  ...Object.fromEntries(Object.keys(generators).map((name) => [name, () => succeeds("update.js", name)])),
};

/** The commands that fix what a check finds. @type {Record<string, string>} */
const fixes = {
  lint: "`npx eslint --fix .` fixes some of it.",
  format: "`npm run format` fixes it.",
  unused:
    "Something new isn't in its list yet: the checklists in CONTRIBUTING.md say which. Anything else: delete it. Only what is " +
    "run by its name belongs into knip.json.",
  dependencies: ".dependency-cruiser.cjs says why each rule exists.",
};

const cache = path.join(root, "node_modules", ".cache", "verify");

/** `npm run verify`: all checks, or the named ones: `npm run verify -- lint types`. */
command(async () => {
  const started = Date.now();
  const { names } = argumentsOf("check", checks, {});
  // Lint, types and dependencies of the examples need the built package.
  await prepareBuild();
  const wanted = Object.entries(checks).filter(([name]) => names.includes(name));
  const count = wanted.length;
  const failed = (await inParallel(wanted, failureOf)).flat();
  const seconds = since(started);
  if (failed.length === 0) console.log(`${count} of ${count} checks passed in ${seconds}`);
  else console.log(`${failed.length} of ${count} checks failed in ${seconds}: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
});

/** @param {[name: string, check: Check]} named @returns {Promise<string[]>} its name if it fails */
async function failureOf([name, check]) {
  const started = Date.now();
  try {
    await check();
    console.log(`ok      ${name.padEnd(12)} ${since(started)}`);
    return [];
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    const text = [error.message, fixes[name] || ""].join("\n").trimEnd();
    console.log(`FAILED  ${name.padEnd(12)} ${since(started)}\n${text.replace(/^/gm, "  ")}`);
    return [name];
  }
}

/** @param {number} started */
function since(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`;
}

/**
 * Runs a command of an installed package.
 * @param {string} name of the package
 * @param {string} bin
 * @param {string[]} args
 */
async function tool(name, bin, ...args) {
  const folder = path.join(root, "node_modules", name);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = path.join(folder, typeof manifest.bin === "string" ? manifest.bin : manifest.bin[bin]);
  const { ok, output } = await run(process.execPath, [file, ...args], { cwd: root });
  if (!ok) throw new SetupFailure(output.trim());
}

/** The folders with dependency rules. */
function modules() {
  return "provider plugin sdk audit policy cli sandbox examples test bench scripts soak".split(" ");
}

/** The modules, the tests in a browser, then each example against the built package with its own settings, as in a user's project. */
async function checkTypes() {
  await typesOf("modules", root);
  await typesOf("browser", path.join(root, "test", "browser"));
  const examples = path.join(root, "examples");
  for (const name of fs.readdirSync(examples)) {
    const folder = path.join(examples, name);
    if (fs.existsSync(path.join(folder, "tsconfig.json"))) await typesOf(name, folder);
  }
}

/**
 * Checks only changed files and their dependents.
 * @param {string} name
 * @param {string} folder
 */
async function typesOf(name, folder) {
  const known = path.join(cache, `${name}.tsbuildinfo`);
  await tool("typescript", "tsc", "-p", folder, "--noEmit", "--incremental", "--tsBuildInfoFile", known);
}

/** Whether what a script generates is up to date. @param {string[]} script with its arguments */
async function succeeds(...script) {
  const { ok, output } = await run(process.execPath, [...script, "--check"], { cwd: __dirname });
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
