const fs = require("node:fs");
const path = require("node:path");
const { program: extension } = require("../../setup/engine/usable");
const { fileOf, prepareProgram } = require("../../setup/languages/goPrograms");
const { preparePackages, root } = require("../../setup");
const { SetupFailure } = require("../../setup/failure");
const { withLock } = require("../../setup/lock");
const { run } = require("../../setup/run");
const { fingerprint } = require("../../setup/steps/stamp");

/** @type {import("../../setup/engine/goBuild").Program} */
const generator = {
  title: "the generator of the SDKs",
  module: path.join(__dirname, "generator"),
  command: ".",
  ldflags: "-s -w",
  file: `sdk-generator${extension}`,
  coreMinutes: 3,
};

const schema = path.join(root, "plugin", "schema.json");
const folder = path.join(root, "sdks");
/** The archives of the SDKs as they are committed: nobody needs Go for them until the schema changes. */
const shipped = path.join(root, "plugin", "sdks");
const stamp = ".sources";

/** What the SDKs are made from: the schema and the sources of the generator, whose folder is named after them. */
function sourcesOfSdks() {
  return fingerprint(path.basename(path.dirname(fileOf(generator))), fs.readFileSync(schema));
}

/** What the SDKs in a folder were made from. @param {string} where */
function sourcesIn(where) {
  const file = path.join(where, stamp);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : undefined;
}

/** The archives in a folder. @param {string} where */
function archivesIn(where) {
  return fs.readdirSync(where).filter((name) => name.endsWith(".tar.gz"));
}

/**
 * Brings the SDKs and an archive of each into a folder, unless they are current: those that are committed, or generated ones
 * where the schema differs.
 * @returns {Promise<string>} the folder
 */
async function prepareSdks() {
  const sources = sourcesOfSdks();
  if (sourcesIn(folder) === sources) return folder;
  const isShipped = sourcesIn(shipped) === sources;
  const program = isShipped ? undefined : await prepareProgram(generator);
  await preparePackages();
  await withLock(path.join(root, ".setup.lock"), async () => {
    fs.rmSync(folder, { recursive: true, force: true });
    if (program === undefined) unpack();
    else await generate(program);
    fs.writeFileSync(path.join(folder, stamp), `${sources}\n`);
  });
  return folder;
}

/** @param {string} program */
async function generate(program) {
  const { ok, output } = await run(program, [schema, folder]);
  if (!ok)
    throw new SetupFailure(`The SDKs could not be generated from plugin/schema.json:\n${output.trim()}`);
}

function unpack() {
  // Only now, because the packages may just have been installed.
  /** @type {typeof import("tar")} */
  const tar = require(path.join(root, "node_modules", "tar"));
  for (const name of archivesIn(shipped)) {
    const cwd = path.join(folder, name.includes("-go-") ? "go" : "python");
    fs.mkdirSync(cwd, { recursive: true });
    // Without the archive's own folder.
    tar.extract({ cwd, file: path.join(shipped, name), strip: 1, sync: true });
    fs.copyFileSync(path.join(shipped, name), path.join(folder, name));
  }
}

/** Replaces the committed archives by those of the folder, where they differ. */
function shipSdks() {
  if (sourcesIn(shipped) === sourcesIn(folder)) return;
  fs.rmSync(shipped, { recursive: true, force: true });
  fs.mkdirSync(shipped);
  for (const name of [...archivesIn(folder), stamp])
    fs.copyFileSync(path.join(folder, name), path.join(shipped, name));
}

/** Whether the committed archives are those of the schema. */
const areShippedCurrent = () => sourcesIn(shipped) === sourcesOfSdks();

module.exports = { areShippedCurrent, generator, prepareSdks, shipSdks };
