const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../setup");
const { SetupFailure } = require("../setup/failure");
const { fingerprint } = require("../setup/steps/stamp");
const { cache, commonTo, isKept } = require("../setup/passed");
const { runTool } = require("./tool");

/** @typedef {import("../setup/passed").Hashes} Hashes */
/** @typedef {{fileNames: string[], fileInfos: (string | {affectsGlobalScope?: boolean})[], fileIdsList?: number[][], referencedMap?: [file: number, list: number][]}} BuildInfo as tsc writes it; ids count from 1 */

const known = path.join(cache, "lint.json");
const isLinted = /\.(ts|js|mjs|cjs)$/;

/**
 * Lints what has changed. The rules know the types of what a file imports, so a file has changed when the types of an import
 * have, too; a cache of ESLint's own knows only the file.
 * @param {import("../setup/passed").Passed} before
 * @returns {Promise<boolean>} whether there was something to lint
 */
async function lint(before) {
  const keys = keysOf(before.hashes);
  /** @type {Record<string, string>} */
  const passed = isKept && fs.existsSync(known) ? JSON.parse(fs.readFileSync(known, "utf8")) : {};
  const stale = [...keys.keys()].filter((file) => passed[file] !== keys.get(file));
  if (stale.length === 0) return false;
  const files = stale.length === keys.size ? ["."] : stale;
  const { code, output } = await runTool("eslint", "eslint", ...files, "--max-warnings", "0");
  const lines = new Set(output.split(/\r?\n/));
  const failed = new Set(stale.filter((file) => lines.has(path.join(root, file))));
  // Otherwise it didn't say which files have failed.
  if (code === 0 || (code === 1 && failed.size > 0))
    before.atEnd((after) => {
      const then = keysOf(after);
      const unchanged = [...keys].filter(([file, key]) => !failed.has(file) && then.get(file) === key);
      fs.writeFileSync(known, JSON.stringify(Object.fromEntries(unchanged)));
    });
  if (code !== 0) throw new SetupFailure(output.trim());
  return true;
}

/**
 * For each file a hash of what its findings depend on: its text, and the types of all that it imports.
 * @param {Hashes} hashes
 */
function keysOf(hashes) {
  const { imports, globals } = importsOf(hashes);
  const settings = [...hashes].filter(
    ([file]) => /(^|\/)tsconfig\S*\.json$|^eslint\.config/.test(file) || globals.has(file),
  );
  const common = fingerprint(commonTo(hashes), ...settings.flat());
  const everything = fingerprint(...[...hashes].flat());
  const shapes = new Map([...hashes].map(([file, hash]) => [file, shapeOf(file) ?? hash]));
  const files = [...hashes.keys()].filter((file) => isLinted.test(file) && !file.startsWith("dist/"));
  return new Map(
    files.map((file) => {
      const all = imports.has(file) ? [...reachable(file, imports)].sort() : undefined;
      const types = all?.flatMap((each) => [each, shapes.get(each) ?? ""]) ?? [everything];
      return [file, fingerprint(common, hashes.get(file) ?? "", ...types)];
    }),
  );
}

/** The types of a compiled source, as the last build declared them. @param {string} file */
function shapeOf(file) {
  const declared = path.join(root, "dist", ".declarations", file.replace(/\.ts$/, ".d.ts"));
  return file.endsWith(".ts") && fs.existsSync(declared) ? fingerprint(fs.readFileSync(declared)) : undefined;
}

/** @param {string} start @param {ReadonlyMap<string, string[]>} imports */
function reachable(start, imports) {
  const found = new Set([start]);
  for (const file of found) for (const each of imports.get(file) ?? []) found.add(each);
  return found;
}

/**
 * What each file imports, as tsc has resolved it in the check of types, and the files that declare something for all.
 * @param {Hashes} hashes
 */
function importsOf(hashes) {
  /** @type {Map<string, string[]>} */
  const imports = new Map();
  /** @type {Set<string>} */
  const globals = new Set();
  const names = fs.existsSync(cache) ? fs.readdirSync(cache) : [];
  for (const name of names.filter((each) => each.endsWith(".tsbuildinfo"))) {
    /** @type {BuildInfo} */
    const {
      fileNames,
      fileInfos,
      fileIdsList = [],
      referencedMap = [],
    } = JSON.parse(fs.readFileSync(path.join(cache, name), "utf8"));
    const files = fileNames.map((file) =>
      path.relative(root, path.resolve(cache, file)).replaceAll("\\", "/"),
    );
    fileInfos.forEach((info, index) => {
      const file = files[index] ?? "";
      if (!hashes.has(file)) return;
      imports.set(file, imports.get(file) ?? []);
      if (typeof info === "object" && info.affectsGlobalScope) globals.add(file);
    });
    for (const [id, list] of referencedMap) {
      const referenced = (fileIdsList[list - 1] ?? []).map((each) => files[each - 1] ?? "");
      imports.get(files[id - 1] ?? "")?.push(...referenced.filter((file) => hashes.has(file)));
    }
  }
  return { imports, globals };
}

module.exports = { lint };
