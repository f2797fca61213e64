require("../setup/nodeVersion");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const manifest = require("../../package.json");
const { root } = require("../setup");
const { command, SetupFailure } = require("../setup/run");
/** @type {(root: {path: string, package: object, isProjectRoot: true, edgesOut: Map<unknown, unknown>}) => Promise<string[]>} */
// @ts-expect-error The package contains no types. The types in @types require the whole dependency tree from npm.
const packlist = require("npm-packlist");

/** The copies of the template's workflow that the build writes. */
const workflows = /^template-(python|yaml)\/\.github\/workflows\/status\.yml$/;
/** Patterns of the files that may be packed: code and types, the JSON Schemas, documentation with its examples, and files of the root. */
const kinds = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/,
  /^(docs|examples|template(-\w+)?)\/|^(policy|provider\/protocol)\/README\.md$/,
  /^dist\/(provider|sdk|audit|policy|sandbox|cli)\/.+\.js$|^dist\/sandbox\/seed\/\w+\.json$/,
  /^dist\/types\/.+\.d\.ts$/,
  /^dist\/(sdk\/outputNames|audit\/ruleFile\/descriptions)\.json$/,
  /^(audit|cli)\/[^/]+\.schema\.json$/,
  workflows,
  /^dist\/bundle\/((start|main)\.js|THIRD-PARTY-LICENSES)$/,
  /^plugin\/(pulumi-resource-monitoring(\.cmd)?|schema\.json)$/,
];
/** The archives that `npm run sdks` writes for a release. */
const archives = /^plugin\/sdks\/pulumi_monitoring-.*\.tar\.gz$/;

/**
 * Checks the files that npm would pack, and the packages that it installs with this package. None of the latter may have an install script.
 */
command(async () => {
  const files = await packlist({ path: root, package: manifest, isProjectRoot: true, edgesOut: new Map() });
  const mistakes = [
    ...contentMistakes(files),
    ...installMistakes(JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8"))),
  ];
  if (mistakes.length > 0) throw new SetupFailure(mistakes.join("\n"));
});

/** @param {readonly string[]} files */
function contentMistakes(files) {
  const tracked = execFileSync("git", ["ls-files", "docs", "examples", "template*"], {
    cwd: root,
    encoding: "utf8",
  }).split("\n");
  const stray = files.filter(
    (file) =>
      ![...kinds, archives].some((kind) => kind.test(file)) ||
      (/^(docs|examples|template(-\w+)?)\//.test(file) && !workflows.test(file) && !tracked.includes(file)),
  );
  const absent = kinds.filter((kind) => !files.some((file) => kind.test(file)));
  const pages = ["LICENSE", "CHANGELOG.md"].filter((page) => !files.includes(page));
  return [
    ...stray.map((file) => `${file} is packed, but no user needs it`),
    ...absent.map((kind) => `no packed file matches ${kind.source}`),
    ...pages.map((page) => `${page} is not packed`),
  ];
}

/** @param {{packages: Record<string, {hasInstallScript?: boolean, dev?: boolean, devOptional?: boolean, peer?: boolean}>}} lockfile */
function installMistakes({ packages }) {
  return Object.entries(packages)
    .filter(([, entry]) => entry.hasInstallScript && !entry.dev && !entry.devOptional && !entry.peer)
    .map(([folder]) => `${folder.replace(/^.*node_modules\//, "")} has an install script`);
}
