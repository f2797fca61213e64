require("./setup/nodeVersion");
const path = require("node:path");
const { command } = require("./command");
const { prepareBuild, root } = require("./setup");
const { SetupFailure } = require("./setup/failure");

const folder = path.join(root, "docs", "reference");

/** `npm run docs`: writes the reference. With `--check`: reports stale pages and broken links. */
command(async () => {
  await prepareBuild();
  const { changesIn, writePages } = require("./docs/folder");
  const { brokenLinks } = require("./docs/links");
  const { makePages } = require("./docs/pages");
  const pages = await makePages(root);
  if (process.argv.includes("--check")) {
    const stale = changesIn(folder, pages).map(
      (name) => `docs/reference/${name} is stale: run \`npm run docs\``,
    );
    const problems = [...stale, ...brokenLinks(root)];
    if (problems.length > 0) throw new SetupFailure(problems.join("\n"));
  } else {
    const changed = writePages(folder, pages);
    console.log(`${pages.size} pages in docs/reference, ${changed} of them changed`);
  }
});
