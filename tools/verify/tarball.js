"use strict";

/** The only files that are packed: code and types, the JSON Schemas for editors, and four files of the root. */
const kinds = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(provider|sdk|audit|policy|sandbox|cli)\/.+\.js$|^dist\/sandbox\/seed\/\w+\.json$/,
  /^dist\/types\/.+\.d\.ts$/,
  /^dist\/sdk\/outputNames\.json$/,
  /^audit\/[^/]+\.schema\.json$/,
  /^dist\/bundle\/((start|main)\.js|THIRD-PARTY-LICENSES)$/,
  /^plugin\/(pulumi-resource-monitoring(\.cmd)?|schema\.json)$/,
  /^plugin\/sdks\/pulumi_monitoring-.*\.tar\.gz$/,
];

/**
 * The problems of the files that npm would pack.
 * @param {readonly string[]} files
 */
function contentMistakes(files) {
  const stray = files.filter((file) => !kinds.some((kind) => kind.test(file)));
  const absent = kinds.filter((kind) => !files.some((file) => kind.test(file)));
  const pages = ["LICENSE", "CHANGELOG.md"].filter((page) => !files.includes(page));
  return [
    ...stray.map((file) => `${file} is packed, but no user needs it`),
    ...absent.map((kind) => `no packed file matches ${kind.source}`),
    ...pages.map((page) => `${page} is not packed`),
  ];
}

/**
 * The problems of the packages that npm installs with this one: none may have an install script.
 * @param {{packages: Record<string, {hasInstallScript?: boolean, dev?: boolean, devOptional?: boolean, peer?: boolean}>}} lockfile
 */
function installMistakes({ packages }) {
  return Object.entries(packages)
    .filter(([, entry]) => entry.hasInstallScript && !entry.dev && !entry.devOptional && !entry.peer)
    .map(([folder]) => `${folder.replace(/^.*node_modules\//, "")} has an install script`);
}

module.exports = { contentMistakes, installMistakes };
