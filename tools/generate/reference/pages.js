const { code, firstSentence, page } = require("../model/markdown");
const { commandPages } = require("./commandPages");
const { objectPages } = require("./objectPages");
const { rulesPage } = require("./rulesPage");
const { textsPage } = require("./textsPage");
const { writtenPages } = require("./writtenPages");

/**
 * group, name and doc are those of the entry in the index.
 * @typedef {{group: string, name: string, file: string, doc: string, text: string, isWritten?: true}} Page
 */

/**
 * The pages of the reference, by their file names.
 * @param {import("../schema/pulumi").PackageSpec} spec
 * @param {(type: string) => string} declarationOf the declaration of a type in TypeScript
 * @returns {Record<string, string>}
 */
function makePages(spec, declarationOf) {
  const pages = [
    ...objectPages(spec, declarationOf),
    ...commandPages(),
    rulesPage(),
    textsPage(),
    ...writtenPages(),
  ];
  const all = [...pages, { file: "README.md", text: indexOf(pages) }];
  return Object.fromEntries(
    all.map(({ file, text }) => [file, `${text.replace(/operation `\w+`/g, "[$&](../openapi.yaml)")}\n`]),
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
          `- [${isWritten ? name : code(name)}](${file}): ${summaryOf(doc)}`,
      )
      .join("\n"),
  ]);
  return page(
    "# Reference",
    "`npm run update` generates the pages whose names are code from the code's doc comments, rules and commands. The tests run each " +
      "example against the sandbox.",
    "- Names are the names in TypeScript. See [names in other languages](../guides/other-languages.md#names).\n" +
      "- An argument of a resource accepts a plain value or an output. The output of a secret is also a secret. Changing an argument " +
      "marked `replaces` replaces the resource.\n" +
      "- A data source such as `getIncident(args)` returns a promise. `getIncidentOutput(args)` returns an output, and accepts " +
      "outputs. Identical reads in one program share one request.\n" +
      "- A time is a string, a [`Timestamp`](AlertChannel.md#timestamp).\n" +
      "- Failed requests throw [errors of the client](MonitoringClient.md#errors).",
    ...sections,
  );
}

/** The first sentence of a doc comment, without its operations. @param {string} doc */
const summaryOf = (doc) => firstSentence(doc).replace(/ \(operation [^)]*\)/g, "");

module.exports = { makePages };
