"use strict";

/** What a user gets: the code and its types, the schemas that editors read, and four pages. Nothing else is packed. */
const kinds = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(provider|sdk|audit|policy|sandbox|cli)\/.+(?<!\.d)\.js$/,
  /^dist\/(provider|sdk|audit|policy|sandbox)\/.+\.d\.ts$/,
  /^audit\/[^/]+\.schema\.json$/,
  /^plugin\/(pulumi-resource-monitoring(\.cmd)?|schema\.json)$/,
];

/**
 * What is wrong with the files that npm would pack.
 * @param {readonly string[]} files
 */
function contentMistakes(files) {
  const stray = files.filter((file) => !kinds.some((kind) => kind.test(file)));
  const absent = kinds.filter((kind) => !files.some((file) => kind.test(file)));
  const pages = ["LICENSE", "CHANGELOG.md"].filter((page) => !files.includes(page));
  return [
    ...stray.map((file) => `${file} is packed, and no user needs it`),
    ...absent.map((kind) => `no file is packed that is like ${kind.source}`),
    ...pages.map((page) => `${page} is not packed`),
  ];
}

/**
 * What is wrong with the packages that npm installs with this one: none may run a script of its own then.
 * @param {{packages: Record<string, {hasInstallScript?: boolean, dev?: boolean, devOptional?: boolean, peer?: boolean}>}} lockfile
 */
function installMistakes({ packages }) {
  return Object.entries(packages)
    .filter(([, entry]) => entry.hasInstallScript && !entry.dev && !entry.devOptional && !entry.peer)
    .map(([folder]) => `${folder.replace(/^.*node_modules\//, "")} runs a script when it is installed`);
}

module.exports = { contentMistakes, installMistakes };
