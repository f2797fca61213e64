require("../setup/nodeVersion");
const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure, command } = require("../setup/command");
const { prepareBuild, root } = require("../setup");
const { handOver } = require("../setup/run");

const version = "9.6.1";

/** `npm run mutants -- FOLDER`: the changes of a folder's code that none of its tests notices. */
command(async () => {
  const folder = (process.argv[2] ?? "").replace(/\/$/, "");
  if (folder === "" || !fs.existsSync(path.join(root, folder)))
    throw new SetupFailure("Say which folder to change: `npm run mutants -- provider/client`.");
  await prepareBuild();
  const packages = ["core", "jest-runner"].map((name) => `--package=@stryker-mutator/${name}@${version}`);
  const args = ["exec", "--yes", ...packages, "--", "stryker", "run", "tools/mutants/stryker.config.js"];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  return handOver(npm, args, { cwd: root, env: { ...process.env, MUTATED: folder } });
});
