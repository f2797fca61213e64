require("../../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { archive } = require("../../plugin");
const { filesUnder, root } = require("../../setup");
const { version } = require("../../../package.json");
const { exe, prepareProgram } = require("../../setup/go");
const { command, run, SetupFailure } = require("../../setup/run");
const { change, documentPython, inPython } = require("./python");

/** @type {import("../../setup/go").Program} */
const generator = {
  title: "the generator of the SDKs",
  module: path.join(__dirname, "generator"),
  file: `sdk-generator${exe}`,
  coreMinutes: 3,
};

/** Folder of the SDKs' sources and their archives. */
const folder = path.join(root, "sdks");
/** Folder of the archives in the package. */
const packed = path.join(root, "plugin", "sdks");

/** Names of the archives by language. For Python, it's the required name of a source distribution. */
const archives = { python: `pulumi_monitoring-${version}`, go: `pulumi-monitoring-go-${version}` };

/** Go version that Pulumi's SDK requires. The generated go.mod specifies 1.25, so Go 1.25.0 would start and then fail. */
const oldestGo = "1.25.11";

/**
 * Generates the SDKs from plugin/schema.json with Go, and writes their archives to the folder that `npm pack` includes. Git ignores all of
 * these files.
 * @returns {Promise<string>} the folder of the SDKs
 */
async function generateSdks() {
  const program = await prepareProgram(generator);
  for (const each of [folder, packed]) {
    fs.rmSync(each, { recursive: true, force: true });
    fs.mkdirSync(each);
  }
  const schema = fs.readFileSync(path.join(root, "plugin", "schema.json"), "utf8");
  for (const [language, name] of Object.entries(archives)) {
    const target = path.join(folder, language);
    const file = path.join(folder, `${language}.json`);
    fs.writeFileSync(file, language === "python" ? inPython(schema) : schema);
    const { ok, output } = await run(program, [language, file, target]);
    if (!ok)
      throw new SetupFailure(`The SDKs could not be generated from plugin/schema.json:\n${output.trim()}`);
    fs.rmSync(file);
    if (language === "python") documentPython(target);
    else change(path.join(target, "go.mod"), (text) => text.replace(/^go [\d.]+$/m, `go ${oldestGo}`));
    const files = filesUnder(target).map((each) => path.relative(target, each));
    const archived = path.join(packed, `${name}.tar.gz`);
    await archive(target, files.sort(), archived, name);
    fs.copyFileSync(archived, path.join(folder, path.basename(archived)));
  }
  return folder;
}

/** `npm run sdks`: generates the SDKs of other languages with Go into sdks/ and, as archives, into plugin/sdks/. */
if (require.main === module)
  command(async () => {
    await generateSdks();
  });

module.exports = { folder, generateSdks, generator };
