require("./setup/nodeVersion");
const fs = require("node:fs/promises");
const path = require("node:path");
const { command } = require("./command");
const { root } = require("./setup");
const { SetupFailure } = require("./setup/failure");
const { fragmentsOf, nextVersion, sectionOf } = require("./changelog/fragments");
const { setVersion, versionOf } = require("./changelog/version");

/**
 * `npm run changelog`: folds the fragments of changes/ into CHANGELOG.md, and raises the version by what they are.
 * `npm run changelog -- 1.0.0` takes that version instead.
 */
command(async () => {
  const folder = path.join(root, "changes");
  const fragments = fragmentsOf(folder);
  if (fragments.length === 0)
    throw new SetupFailure("There is nothing to release: changes/ holds no fragment.");
  const version = process.argv[2] || nextVersion(versionOf(root), fragments);
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new SetupFailure(`${version} is no version such as 1.0.0.`);

  const changelog = path.join(root, "CHANGELOG.md");
  const [title = "", ...rest] = (await fs.readFile(changelog, "utf8")).split(/^(?=## )/m);
  const section = sectionOf(version, new Date().toISOString().slice(0, 10), fragments);
  await fs.writeFile(changelog, [title, section, ...rest].join(""));
  setVersion(root, version);
  for (const { file } of fragments) await fs.rm(path.join(folder, file));
  console.log(`${section}\nNow commit this, and push the tag v${version}: that releases it.`);
});
