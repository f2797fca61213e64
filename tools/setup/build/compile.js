const fs = require("node:fs");
const path = require("node:path");
const manifest = require("../../../package.json");
const { SetupFailure } = require("../command");
const { run } = require("../run");
const { Declarations } = require("./declarations");

const project = "tools/setup/build/tsconfig.build.json";

/** Written last. @param {string} root */
const bundleOf = (root) => path.join(root, "dist", "bundle", "main.js");

/** Whether the build is as new as everything that it depends on. @param {string} root */
function isBuilt(root) {
  if (![bundleOf(root), rulesSchemaOf(root), linkOf(root)].every((file) => fs.existsSync(file))) return false;
  /** @type {string[]} */
  const modules = JSON.parse(fs.readFileSync(path.join(root, project), "utf8")).include;
  const sources = modules.flatMap((name) => filesUnder(path.resolve(root, path.dirname(project), name)));
  const settings = ["tsconfig.json", "package.json", project].map((name) => path.join(root, name));
  const built = fs.statSync(bundleOf(root)).mtimeMs;
  const inputs = [...sources, ...settings].filter((file) => file !== rulesSchemaOf(root));
  return inputs.every((file) => fs.statSync(file).mtimeMs < built);
}

/** Compiles the sources into dist/, and bundles the plugin: it starts in half of the time. @param {string} root */
async function build(root) {
  const began = new Date();
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const result = await run(process.execPath, [tsc, "-p", project], { cwd: root });
  if (!result.ok)
    throw new SetupFailure(
      `The sources don't compile:\n${result.output.trim()}\n` +
        "If something new is being added, its checklist in CONTRIBUTING.md names the step that is missing.",
    );
  writeTypes(root);
  removeOrphans(root);
  writeRulesSchema(root);
  linkPackage(root);
  // npm makes them executable only once for each path, so not in a later clone at the same path.
  for (const command of Object.values(manifest.bin)) fs.chmodSync(path.join(root, command), 0o755);
  // The packages may only just have been installed.
  const { bundle } = require("./bundle");
  await bundle(root, path.dirname(bundleOf(root)), "../../plugin/schema.json");
  // A source that changed meanwhile is newer.
  fs.utimesSync(bundleOf(root), began, began);
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
function linkPackage(root) {
  if (fs.existsSync(linkOf(root)) && fs.realpathSync(linkOf(root)) === fs.realpathSync(root)) return;
  fs.rmSync(linkOf(root), { recursive: true, force: true });
  fs.symlinkSync("..", linkOf(root), "junction");
}

/** All files in a folder and its folders; none when it is missing. @param {string} folder @returns {string[]} */
function filesUnder(folder) {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.map((name) => path.join(folder, name)).filter((file) => fs.statSync(file).isFile());
}

module.exports = { build, isBuilt, filesUnder };
