const path = require("node:path");
const { filesUnder } = require("../files");

/** @typedef {(names: string[]) => string[]} Lines */

/** @type {Lines} */
const exportAll = (names) => names.map((name) => `export * from "./${name}";`);
/** @type {Lines} */
const lookups = (names) => [
  ...names.map((name) => `import { ${name} } from "./${name}";`),
  `\nexport const lookups = { ${names.join(", ")} };`,
];

/** Which files of a folder its `index.ts` has, and how. @type {[folder: string, files: RegExp, lines: Lines][]} */
const kinds = [
  ["provider/lookups", /^get\w+(?=\.ts$)/, lookups],
  ["sdk/dataSources", /^get\w+(?=\.ts$)/, exportAll],
  ["sdk/components", /^[A-Z]\w+(?=\.ts$)/, exportAll],
];

/** The lists of the data sources and components: their files are enough. @param {string} root @returns {Map<string, string>} */
function indexTexts(root) {
  return new Map(
    kinds.map(([folder, files, lines]) => {
      const names = filesUnder(path.join(root, folder)).flatMap(
        (file) => files.exec(path.basename(file))?.[0] ?? [],
      );
      const text = ["/** All files of this kind. Written by `npm run update`. */", ...lines(names.sort())];
      return [`${folder}/index.ts`, text.join("\n")];
    }),
  );
}

module.exports = { indexTexts };
