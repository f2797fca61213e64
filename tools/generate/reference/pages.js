const { code, firstSentence, page } = require("../model/markdown");
const { checksPage } = require("./checksPage");
const { commandPages } = require("./commandPages");
const { objectPages } = require("./objectPages");
const { rulesPage } = require("./rulesPage");
const { writtenPages } = require("./writtenPages");

/**
 * @typedef {{group: string, name: string, file: string, doc: string, text: string, isWritten?: true}} Page group, name and doc are for
 *   its entry in the index
 */

/**
 * Returns the pages of the reference by file name.
 * @param {import("../schema/pulumi").PackageSpec} spec
 * @param {(type: string) => string} declarationOf returns the declaration of a type in TypeScript
 * @returns {Record<string, string>}
 */
function makePages(spec, declarationOf) {
  const pages = [
    ...objectPages(spec, declarationOf),
    ...commandPages(),
    rulesPage(),
    checksPage(),
    ...writtenPages(),
  ];
  const all = [...pages, { file: "README.md", text: indexOf(pages) }];
  return Object.fromEntries(
    all.map(({ file, text }) => [file, `${text.replace(/operation `\w+`/, "[$&](../openapi.yaml)")}\n`]),
  );
}

/** @param {readonly Page[]} pages */
function indexOf(pages) {
  const sections = [...new Set(pages.map(({ group }) => group))].flatMap((group) => [
    `## ${group}`,
    pages
      .filter((each) => each.group === group)
      .map(
        ({ name, file, doc, isWritten }) =>
          `- [${isWritten ? name : code(name)}](${file}): ${firstSentence(doc)}`,
      )
      .join("\n"),
  ]);
  return page(
    "# Reference",
    "- *Pages with components* are status pages made since August 2026. Older status pages are *pages with cards*.\n" +
      "- Names are TypeScript names; see [names in other languages](../guides/other-languages.md#names).\n" +
      "- Arguments of a resource accept plain values and outputs. If an argument is a secret, its output is a secret as well. A change to " +
      "an argument that is marked *replaces* replaces the resource.\n" +
      "- A data source such as `getIncident(args)` returns a promise. `getIncidentOutput(args)` accepts outputs and returns an output. " +
      "Identical reads in one program share one request.\n" +
      "- A time is a string; see [`Timestamp`](types.md#timestamp) for its forms.\n" +
      "- Failed requests throw [errors of the client](MonitoringClient.md#errors).",
    ...sections,
  );
}

module.exports = { makePages };
