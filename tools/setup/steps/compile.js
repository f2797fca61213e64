const fs = require("node:fs");
const path = require("node:path");
const { isExecutable } = require("../engine/usable");
const { Declarations } = require("./declarations");
const { SetupFailure } = require("../failure");
const { filesUnder } = require("../files");
const { step } = require("../progress");
const { run } = require("../run");
const { stamped } = require("./stamp");
const manifest = require("../../../package.json");

const project = "tools/setup/steps/tsconfig.build.json";

/** Everything that dist/ depends on. @param {string} root */
function inputsOf(root) {
  const file = path.join(root, project);
  /** @type {string[]} */
  const modules = JSON.parse(fs.readFileSync(file, "utf8")).include;
  const files = modules.flatMap((name) => filesUnder(path.resolve(path.dirname(file), name)));
  const sources = files.filter((each) => each !== rulesSchemaOf(root));
  const settings = ["tsconfig.json", project, "package-lock.json", "tools/setup/steps/declarations.js"];
  return [...sources.sort(), ...settings.map((name) => path.join(root, name))];
}

/** Compiles the sources into dist/. @param {string} root */
async function make(root) {
  await step("Compiling", "a few seconds", async () => {
    const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
    const result = await run(process.execPath, [tsc, "-p", project], { cwd: root });
    if (!result.ok)
      throw new SetupFailure(
        `The sources don't compile:\n${result.output.trim()}\n` +
          "If something new is being added, its checklist in CONTRIBUTING.md names the step that is missing.",
      );
    writeTypes(root);
  });
  removeOrphans(root);
  writeRulesSchema(root);
  makeImportable(root);
  for (const command of commandsOf(root)) fs.chmodSync(command, 0o755);
}

/** The declarations of the package, of those of all sources. @param {string} root */
function writeTypes(root) {
  const types = path.join(root, "dist", "types");
  const entries = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? [] : entry.types,
  );
  const all = new Declarations(
    require(path.join(root, "node_modules", "typescript")),
    path.join(root, "dist", ".declarations"),
    entries.map((file) => path.relative(types, path.join(root, file))),
  );
  fs.rmSync(types, { recursive: true, force: true });
  for (const [name, text] of all.files()) {
    fs.mkdirSync(path.dirname(path.join(types, name)), { recursive: true });
    fs.writeFileSync(path.join(types, name), text);
  }
}

/** What completes rule files in an editor: the JSON Schema at the path that users refer to. @param {string} root */
function rulesSchemaOf(root) {
  return path.join(root, "audit", "audit.schema.json");
}

/** @param {string} root */
function writeRulesSchema(root) {
  const { rulesJsonSchema } = require(path.join(root, "dist", "audit"));
  fs.writeFileSync(rulesSchemaOf(root), `${JSON.stringify(rulesJsonSchema(), undefined, 2)}\n`);
}

/** Removes the output of deleted sources: tsc keeps it, and npm would pack it. @param {string} root */
function removeOrphans(root) {
  const dist = path.join(root, "dist");
  const folders = fs.readdirSync(dist).filter((name) => /^(?!types$)\w+$/.test(name));
  for (const file of folders.flatMap((name) => filesUnder(path.join(dist, name)))) {
    const source = path.relative(dist, file).replace(/\.js$/, ".ts");
    if (!fs.existsSync(path.join(root, source))) fs.rmSync(file);
  }
}

/**
 * The link by which the examples, and the provider process that the engine starts in their folders, import the package
 * by its name.
 * @param {string} root
 */
function linkOf(root) {
  return path.join(root, "node_modules", manifest.name);
}

/** @param {string} root */
function isImportable(root) {
  return fs.existsSync(linkOf(root)) && fs.realpathSync(linkOf(root)) === fs.realpathSync(root);
}

/** @param {string} root */
function makeImportable(root) {
  if (isImportable(root)) return;
  fs.rmSync(linkOf(root), { recursive: true, force: true });
  fs.symlinkSync("..", linkOf(root), "junction");
}

/**
 * The files that `npx` runs in a clone. npm makes them executable only once for each path, so not in a later clone at the
 * same path.
 * @param {string} root
 */
function commandsOf(root) {
  return Object.values(manifest.bin).map((file) => path.join(root, file));
}

/** @param {string} root */
function isWhole(root) {
  return isImportable(root) && fs.existsSync(rulesSchemaOf(root)) && commandsOf(root).every(isExecutable);
}

module.exports = { project, build: stamped("dist/.sources", inputsOf, make, isWhole) };
