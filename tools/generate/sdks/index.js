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

/** Their sources, and an archive of each. */
const folder = path.join(root, "sdks");
/** Where the package has the archives. */
const packed = path.join(root, "plugin", "sdks");

/** The archives by language: Python's packaging gives a source distribution this name. */
const archives = { python: `pulumi_monitoring-${version}`, go: `pulumi-monitoring-go-${version}` };

/** What Pulumi's SDK needs: the generated go.mod has 1.25, which Go 1.25.0 takes and then refuses. */
const oldestGo = "1.25.11";

/**
 * Generates the SDKs from plugin/schema.json, by Go, and puts their archives where `npm pack` finds them. Git ignores all of it.
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

/** `npm run sdks`: the SDKs of other languages, by Go, into sdks/ and, as archives, into plugin/sdks/. */
if (require.main === module)
  command(async () => {
    await generateSdks();
  });

module.exports = { folder, generateSdks, generator };
