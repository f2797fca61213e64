require("../nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const manifest = require("../../../package.json");
const { fingerprint } = require("../go");
const { command, run, SetupFailure } = require("../run");
const { Declarations } = require("./declarations");

const root = path.resolve(__dirname, "..", "..", "..");
const project = "tools/setup/build/tsconfig.build.json";

const bundleOf = () => path.join(root, "dist", "bundle", "main.js");

/** File with the key of the sources, written at the end of a build. */
const recordOf = () => path.join(root, "dist", ".sources");

/** Returns true if nothing that the build depends on has changed. */
function isBuilt() {
  const outputs = [recordOf(), bundleOf(), ...schemas(), ...workflows().slice(1), linkOf()];
  if (!outputs.every((file) => fs.existsSync(file))) return false;
  return fs.readFileSync(recordOf(), "utf8") === hashOf(inputs());
}

/** @returns {string[]} the files that the build depends on */
function inputs() {
  /** @type {string[]} */
  const modules = JSON.parse(fs.readFileSync(path.join(root, project), "utf8")).include;
  const sources = modules.flatMap((name) => filesUnder(path.resolve(root, path.dirname(project), name)));
  const settings = ["tsconfig.json", "package.json", project].map((name) => path.join(root, name));
  return [...sources, ...settings, ...workflows().slice(0, 1)].filter((file) => !schemas().includes(file));
}

/**
 * Returns a hash of the files' content. Modification times aren't reliable, because a file that is moved or copied may keep an older time.
 *
 * @param {string[]} files
 */
function hashOf(files) {
  return fingerprint(...files.flatMap((file) => [file, fs.readFileSync(file)]));
}

/** Compiles the sources into dist/. Bundles the plugin and the audit, because they then start in half of the time. */
async function build() {
  // Compute the key first, because a source that changes during the build isn't included in the build.
  const key = hashOf(inputs());
  fs.rmSync(recordOf(), { force: true });
  const tsc = path.join(root, "node_modules", "typescript-7", "bin", "tsc");
  if (!fs.existsSync(tsc)) throw new SetupFailure("The packages are not installed: run `npm ci` first.");
  // With several checkers, each resolves most types again, so the work doubles and the time stays the same.
  const result = await run(process.execPath, [tsc, "-p", project, "--checkers", "1"], { cwd: root });
  if (!result.ok)
    throw new SetupFailure(
      `The sources don't compile:\n${result.output.trim()}\n` +
        "If something new is being added, its checklist in CONTRIBUTING.md names the step that is missing.",
    );
  writeTypes();
  removeOrphans();
  writeSchemas();
  const [workflow = "", ...copies] = workflows();
  for (const copy of copies) fs.cpSync(workflow, copy);
  linkPackage();
  // npm only makes them executable once for each path, and so not in a later clone at the same path.
  for (const command of Object.values(manifest.bin)) fs.chmodSync(path.join(root, command), 0o755);
  // Load the bundler here, because its packages may not be installed when this file is loaded.
  const { bundle, bundleAudit } = require("./bundle");
  const packages = await bundleAudit(path.join(root, "dist", "cli", "audit", "index.js"));
  await bundle(path.dirname(bundleOf()), "../../plugin/schema.json", packages);
  fs.writeFileSync(recordOf(), key);
}

/**
 * Writes the package's declarations, generated from the declarations of all sources. Skipped if these are unchanged, because most edits are
 * within functions.
 */
function writeTypes() {
  const types = path.join(root, "dist", "types");
  const declared = path.join(root, "dist", ".declarations");
  const versions = ["package.json", "node_modules/.package-lock.json"].map((name) => path.join(root, name));
  const key = hashOf([...[__dirname, declared].flatMap(filesUnder), ...versions]);
  const record = path.join(root, "dist", ".types");
  if (fs.existsSync(types) && fs.existsSync(record) && fs.readFileSync(record, "utf8") === key) return;
  fs.rmSync(record, { force: true });
  const entries = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? [] : entry.types,
  );
  const all = new Declarations(
    require(path.join(root, "node_modules", "typescript")),
    declared,
    entries.map((file) => path.relative(types, path.join(root, file))),
  );
  fs.rmSync(types, { recursive: true, force: true });
  for (const [name, text] of all.files()) {
    fs.mkdirSync(path.dirname(path.join(types, name)), { recursive: true });
    fs.writeFileSync(path.join(types, name), text);
  }
  fs.writeFileSync(record, key);
}

/**
 * Returns the paths of the JSON Schemas that users refer to: the schema of rule files, for editors, and the schema of previews, for bots
 * and policies.
 */
function schemas() {
  return ["audit/audit.schema.json", "cli/preview.schema.json"].map((file) => path.join(root, file));
}

/** Returns the path of the template's workflow, and the paths of its copies in the templates of the other languages. */
function workflows() {
  const templates = ["template", "template-python", "template-yaml"];
  return templates.map((name) => path.join(root, name, ".github", "workflows", "status.yml"));
}

function writeSchemas() {
  const { rulesJsonSchema } = require(path.join(root, "dist", "audit", "public"));
  const { createPreviewSchema } = require(path.join(root, "dist", "cli", "preview", "report"));
  const [ofRules = "", ofPreviews = ""] = schemas();
  fs.writeFileSync(ofRules, `${JSON.stringify(rulesJsonSchema(), undefined, 2)}\n`);
  fs.writeFileSync(ofPreviews, `${JSON.stringify(createPreviewSchema(), undefined, 2)}\n`);
}

/** Removes the output of deleted sources, because tsc keeps it and npm would pack it. */
function removeOrphans() {
  const dist = path.join(root, "dist");
  const folders = fs.readdirSync(dist).filter((name) => /^(?!types$)\w+$/.test(name));
  for (const file of folders.flatMap((name) => filesUnder(path.join(dist, name)))) {
    const source = path.relative(dist, file).replace(/\.js$/, ".ts");
    if (!fs.existsSync(path.join(root, source))) fs.rmSync(file);
  }
}

/**
 * Returns the path of the link that lets the examples import the package by name. The provider process that the engine starts in their
 * folders also uses it.
 */
function linkOf() {
  return path.join(root, "node_modules", manifest.name);
}

function linkPackage() {
  if (fs.existsSync(linkOf()) && fs.realpathSync(linkOf()) === fs.realpathSync(root)) return;
  fs.rmSync(linkOf(), { recursive: true, force: true });
  fs.symlinkSync("..", linkOf(), "junction");
}

/**
 * Returns all files in a folder and its subfolders. Returns an empty list if the folder is missing.
 *
 * @param {string} folder
 * @returns {string[]}
 */
function filesUnder(folder) {
  if (!fs.existsSync(folder)) return [];
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.map((name) => path.join(folder, name)).filter((file) => fs.statSync(file).isFile());
}

// `npm run build`
if (require.main === module) command(build);

module.exports = { build, filesUnder, hashOf, isBuilt, root };
