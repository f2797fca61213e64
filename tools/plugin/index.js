require("../setup/nodeVersion");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { prepareBuild, root } = require("../setup");
const { command } = require("../setup/run");
const { version } = require("../../package.json");

/** As Pulumi calls them. */
const systems = ["darwin", "linux", "windows"];
const processors = ["amd64", "arm64"];

const launchers = path.join(__dirname, "launchers");

/**
 * Writes an archive of the plugin for each platform, under the name by which the engine downloads it, and their checksums.
 * The same sources, packages and Node give the same bytes.
 * @param {string} folder
 * @returns {Promise<string[]>} the names of the files
 */
async function writeArchives(folder) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const staging = fs.mkdtempSync(path.join(os.tmpdir(), "plugin-"));
  try {
    const common = await stage(staging);
    const names = [];
    for (const system of systems) {
      const files = [...common, launcherOf(system)].sort();
      for (const processor of processors) {
        const name = `pulumi-resource-monitoring-v${version}-${system}-${processor}.tar.gz`;
        await archive(staging, files, path.join(folder, name));
        names.push(name);
      }
    }
    const checksums = `pulumi-monitoring_${version}_checksums.txt`;
    fs.writeFileSync(path.join(folder, checksums), names.map((name) => checksumOf(folder, name)).join(""));
    return [...names, checksums];
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Brings together what the archives hold.
 * @param {string} folder
 * @returns {Promise<string[]>} the files that all platforms have in common
 */
async function stage(folder) {
  const { bundle } = require("../setup/build/bundle");
  await bundle(folder, "schema.json");
  fs.copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  fs.copyFileSync(path.join(root, "plugin", "schema.json"), path.join(folder, "schema.json"));
  const common = fs.readdirSync(folder);
  for (const name of common) fs.chmodSync(path.join(folder, name), 0o644);
  for (const system of systems) {
    const launcher = launcherOf(system);
    fs.copyFileSync(path.join(launchers, launcher), path.join(folder, launcher));
    fs.chmodSync(path.join(folder, launcher), 0o755);
  }
  return common;
}

/** The file that the engine starts. @param {string} system */
function launcherOf(system) {
  return system === "windows" ? "pulumi-resource-monitoring.cmd" : "pulumi-resource-monitoring";
}

/**
 * The same files make the same archive.
 * @param {string} from
 * @param {string[]} files
 * @param {string} to
 * @param {string} [prefix] the folder that holds them in the archive
 */
function archive(from, files, to, prefix = "") {
  const tar = require("tar");
  // Portable: without the owner, and without what tells the operating system.
  const portable = { portable: true, mtime: new Date(0), gzip: { level: 9 } };
  return tar.create({ cwd: from, file: to, prefix, ...portable }, files);
}

/** A line as `sha256sum` writes and checks it. @param {string} folder @param {string} name */
function checksumOf(folder, name) {
  const bytes = fs.readFileSync(path.join(folder, name));
  return `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;
}

/** `npm run plugin`: writes the archives of the plugin that a release has, one for each platform, into dist-plugin/. */
if (require.main === module)
  command(async () => {
    await prepareBuild();
    for (const name of await writeArchives(path.join(root, "dist-plugin")))
      console.log(path.join("dist-plugin", name));
  });

module.exports = { archive, writeArchives };
