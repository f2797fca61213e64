const fs = require("node:fs");
const path = require("node:path");
const { filesUnder } = require("../files");

/**
 * An index, and the files that it has. They are enough: nothing else lists them.
 * @typedef {object} Index
 * @property {string} file
 * @property {string} folder
 * @property {RegExp} files what it has of the folder; the last group is the name
 * @property {string} says its first line
 * @property {(found: {name: string, from: string}[]) => string[]} lines
 */

const lifecycles = {
  folder: "provider/lifecycles",
  // A folder of its own, or a file among the observed ones.
  files: /^(?:observed\/(?!observedLifecycle)|(\w+)\/(?=\1\.ts$))(\w+)\.ts$/,
};

/** @param {string} name */
const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** @type {Index["lines"]} */
const exportAll = (found) => found.map(({ from }) => `export * from "./${from}";`);

/** @type {Index[]} */
const indexes = [
  {
    file: "provider/lookups/index.ts",
    folder: "provider/lookups",
    files: /^(get\w+)\.ts$/,
    says: "All files of this kind.",
    lines: (found) => [
      ...found.map(({ name, from }) => `import { ${name} } from "./${from}";`),
      `\nexport const lookups = { ${found.map(({ name }) => name).join(", ")} };`,
    ],
  },
  {
    file: "provider/engine/lifecycles.ts",
    ...lifecycles,
    says: "Every lifecycle, by the type of its resources.",
    lines: (found) => [
      'import { type ResourceType } from "./resourceTypes";',
      'import { type Lifecycle } from "../lifecycles/lifecycle";',
      ...found.map(({ name, from }) => `import { ${name} } from "../lifecycles/${from}";`),
      "\nexport const lifecycles: Readonly<Record<ResourceType, Lifecycle>> = {",
      ...found.map(({ name }) => `${capital(name)}: ${name},`),
      "};",
    ],
  },
  {
    file: "provider/dynamic/index.ts",
    ...lifecycles,
    says: "The providers that the state of a stack references (`dynamic/serializedProvider.ts`): one per resource type.",
    lines: (found) => [
      'import { providerOf } from "./providerOf";\n',
      ...found.map(({ name }) => `export const ${capital(name)} = providerOf("${capital(name)}");`),
    ],
  },
  ...[
    { folder: "sdk/dataSources", files: /^(get\w+)\.ts$/ },
    { folder: "sdk/components", files: /^([A-Z]\w+)\.ts$/ },
  ].map((kind) => ({
    ...kind,
    file: `${kind.folder}/index.ts`,
    says: "All files of this kind.",
    lines: exportAll,
  })),
];

/** The lists whose files are enough. @param {string} root @returns {Map<string, string>} */
function indexTexts(root) {
  return new Map(
    indexes.map(({ file, folder, files, says, lines }) => {
      const found = filesUnder(path.join(root, folder)).flatMap((each) => {
        const from = path.relative(path.join(root, folder), each).replaceAll("\\", "/");
        const name = files.exec(from)?.at(-1);
        return name === undefined ? [] : { name, from: from.replace(/\.ts$/, "") };
      });
      found.sort((a, b) => (a.name < b.name ? -1 : 1));
      return [file, [`/** ${says} Written by \`npm run update\`. */`, ...lines(found)].join("\n")];
    }),
  );
}

/**
 * The indexes that don't have the files that there are. Compared without formatting, which is another check's.
 * @param {string} root
 */
function staleIndexes(root) {
  const bare = (/** @type {string} */ text) => text.replace(/,(?=\s*})|\s/g, "");
  return [...indexTexts(root)].flatMap(([file, text]) => {
    const target = path.join(root, file);
    return fs.existsSync(target) && bare(fs.readFileSync(target, "utf8")) === bare(text) ? [] : file;
  });
}

module.exports = { indexTexts, staleIndexes };
