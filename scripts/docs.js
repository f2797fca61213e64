require("./setup/nodeVersion");
const { command } = require("./command");
const { isCheck, writeGenerated } = require("./generated");
const { prepareBuild, root } = require("./setup");
const { SetupFailure } = require("./setup/failure");

/** `npm run docs`: writes the reference. With `--check`: reports stale pages and broken links. */
command(async () => {
  await prepareBuild();
  const { brokenLinks } = require("./docs/links");
  const { makePages } = require("./docs/pages");
  const folder = "docs/reference";
  const pages = new Map([...(await makePages(root))].map(([name, text]) => [`${folder}/${name}`, text]));
  const changed = await writeGenerated(root, pages, { command: "npm run docs", parser: "markdown", folder });
  const problems = isCheck() ? brokenLinks(root) : [];
  if (problems.length > 0) throw new SetupFailure(problems.join("\n"));
  if (!isCheck()) console.log(`${pages.size} pages in ${folder}, ${changed.length} of them changed`);
});
