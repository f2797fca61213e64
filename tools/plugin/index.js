require("../setup/nodeVersion");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { prepareBuild, root } = require("../setup");
const { command } = require("../setup/run");
const { version } = require("../../package.json");

/** The file that the engine starts, by Pulumi's name of the operating system. */
const launchers = {
  darwin: "pulumi-resource-monitoring",
  linux: "pulumi-resource-monitoring",
  windows: "pulumi-resource-monitoring.cmd",
};
const processors = ["amd64", "arm64"];

/**
 * Writes an archive of the plugin for each platform, with the name that the engine downloads, and a file of checksums. The same sources,
 * packages and Node version result in the same bytes.
 * @param {string} folder
 * @returns {Promise<string[]>} the names of the files
 */
async function writeArchives(folder) {
  const { bundle } = require("../setup/build/bundle");
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const staging = fs.mkdtempSync(path.join(os.tmpdir(), "plugin-"));
  try {
    await bundle(staging, "schema.json");
    for (const file of ["LICENSE", "plugin/schema.json"])
      fs.copyFileSync(path.join(root, file), path.join(staging, path.basename(file)));
    const common = fs.readdirSync(staging);
    fs.cpSync(path.join(__dirname, "launchers"), staging, { recursive: true });
    for (const name of fs.readdirSync(staging))
      fs.chmodSync(path.join(staging, name), common.includes(name) ? 0o644 : 0o755);
    const names = [];
    let checksums = "";
    for (const [system, launcher] of Object.entries(launchers))
      for (const processor of processors) {
        const name = `pulumi-resource-monitoring-v${version}-${system}-${processor}.tar.gz`;
        const file = path.join(folder, name);
        await archive(staging, [...common, launcher].sort(), file);
        names.push(name);
        // The format of `sha256sum`.
        checksums += `${createHash("sha256").update(fs.readFileSync(file)).digest("hex")}  ${name}\n`;
      }
    const list = `pulumi-monitoring_${version}_checksums.txt`;
    fs.writeFileSync(path.join(folder, list), checksums);
    return [...names, list];
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Writes an archive. The same files result in the same archive.
 * @param {string} from
 * @param {string[]} files
 * @param {string} to
 * @param {string} [prefix] folder of the files in the archive
 */
function archive(from, files, to, prefix = "") {
  const tar = require("tar");
  // A portable archive contains neither the owner nor fields that depend on the operating system.
  const portable = { portable: true, mtime: new Date(0), gzip: { level: 9 } };
  return tar.create({ cwd: from, file: to, prefix, ...portable }, files);
}

/** `npm run plugin`: writes the archives of the plugin for a release, one for each platform, into dist-plugin/. */
if (require.main === module)
  command(async () => {
    await prepareBuild();
    for (const name of await writeArchives(path.join(root, "dist-plugin")))
      console.log(path.join("dist-plugin", name));
  });

module.exports = { archive, writeArchives };
