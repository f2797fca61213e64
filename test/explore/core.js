/** Loads the sources of `provider/protocol`, optionally with rules switched off or functions replaced. */
const fs = require("node:fs");
const path = require("node:path");
const { compileFunction } = require("node:vm");
const { transformSync } = require("esbuild");
const { root } = require("../../tools/setup");

/**
 * @typedef {typeof import("../../provider/protocol")} Protocol
 * @typedef {typeof import("../../provider/wording")} Wording
 * @typedef {Protocol & Pick<typeof import("../../provider/protocol/identity"), "computeContentVersion" | "computeEntryKey"> & Pick<Wording, "createPreviewFact" | "formatUpdateBlocks" | "formatRejection">} Core
 *
 * Creates the replacement of a protocol function from the original function.
 * @typedef {(original: never) => (...given: never[]) => unknown} Replacement
 *
 * A rewritten file calls this function for each comparison. `others` are the results of the comparison's changes, `first` is the index of
 * the first of these changes. Returns the result to use.
 * @typedef {(first: number, result: boolean, others: readonly boolean[]) => boolean} Watch
 *
 * The differences between a copy of the protocol and the published protocol.
 * @typedef {object} Changes
 * @property {string | undefined} [withoutGuard] the name of a guard
 * @property {string | undefined} [withoutEditGuard] the name of a guard of an edit
 * @property {Readonly<Record<string, Replacement>> | undefined} [functions] replacements, by function name. Only one file may declare a function of that name
 * @property {Readonly<Record<string, string>> | undefined} [rewrites] replaced sources, by file path without the extension
 * @property {Watch | undefined} [watch]
 * @property {number | undefined} [historyLimit] the maximum number of updates that a read returns
 */

const protocol = path.join(root, "provider", "protocol");
const wording = path.join(root, "provider", "wording");

/** Functions that are called millions of times with few different arguments. */
const memoized = new Set(["computeDigest", "computeUuid", "normalizeText", "parseMs"]);

/** @type {Map<string, string>} */
const compiled = new Map();

/**
 * Modules that the protocol imports. All copies of the protocol share them.
 * @type {Map<string, Record<string, unknown>>}
 */
const shared = new Map();

/** Unchanged copies of the protocol, by the limit of a history. They can be shared, because the protocol contains no state. @type {Map<number | undefined, Core>} */
const whole = new Map();

/** @param {Changes} [changes] @returns {Core} */
function loadCore({ historyLimit, ...changes } = {}) {
  const { withoutGuard, withoutEditGuard, functions, rewrites } = changes;
  if (withoutGuard ?? withoutEditGuard ?? functions ?? rewrites) return load({ ...changes, historyLimit });
  const core = whole.get(historyLimit) ?? load({ historyLimit });
  whole.set(historyLimit, core);
  return core;
}

/** @param {Changes} changes @returns {Core} */
function load({ withoutGuard, withoutEditGuard, functions = {}, rewrites, watch, historyLimit }) {
  /** @type {Map<string, Record<string, unknown>>} */
  const modules = new Map(shared);
  const replaced = Object.keys(functions).map((name) => ({ name, file: findFile(name) }));

  /** @param {string} file @returns {Record<string, unknown>} */
  const loadFile = (file) => {
    const loaded = modules.get(file);
    if (loaded) return loaded;
    const isProtocol = file.startsWith(protocol);
    /** @param {string} name */
    const need = (name) => {
      if (!name.startsWith(".")) return require(name);
      const target = path.resolve(path.dirname(file), name);
      const needed = loadFile(fs.existsSync(`${target}.ts`) ? target : path.join(target, "index"));
      const isLimited = isProtocol && historyLimit !== undefined && "historyLimit" in needed;
      return isLimited ? { ...needed, historyLimit } : needed;
    };
    const here = replaced.filter((each) => each.file === file);
    const rewritten = rewrites?.[file];
    const source = [
      rewritten === undefined ? getJavaScript(file) : compile(rewritten),
      ...here.map(({ name }) => formatAssignment(name)),
    ].join("\n");
    const module = { exports: /** @type {Record<string, unknown>} */ ({}) };
    compileFunction(source, ["require", "module", "replaced__", "watch__"])(need, module, functions, watch);
    const exported = { ...module.exports };
    for (const [name, value] of Object.entries(exported))
      if (memoized.has(name)) exported[name] = memoize(/** @type {(text: string) => unknown} */ (value));
    modules.set(file, exported);
    if (!isProtocol && !file.startsWith(wording)) shared.set(file, exported);
    return exported;
  };
  const files = ["protocol/identity", "protocol/index", "wording/index"];
  const all = Object.assign({}, ...files.map((file) => loadFile(path.join(root, "provider", file))));
  const core = /** @type {Core} */ (/** @type {unknown} */ (all));
  if (withoutGuard !== undefined) leaveOut(loadFile(path.join(protocol, "guards"))["guards"], withoutGuard);
  if (withoutEditGuard !== undefined)
    leaveOut(loadFile(path.join(protocol, "edit"))["editGuards"], withoutEditGuard);
  return core;
}

/** @param {unknown} guards @param {string} name */
function leaveOut(guards, name) {
  if (typeof guards !== "object" || guards === null) throw new Error("The file has no guards.");
  if (!Reflect.has(guards, name)) throw new Error(`No such guard: ${name}`);
  Reflect.deleteProperty(guards, name);
}

/** Finds the file that declares the function. @param {string} name */
function findFile(name) {
  const declaration = new RegExp(`^(export )?function ${name}\\b`, "m");
  const files = fs
    .readdirSync(protocol)
    .filter(
      (file) => file.endsWith(".ts") && declaration.test(fs.readFileSync(path.join(protocol, file), "utf8")),
    )
    .map((file) => path.join(protocol, path.basename(file, ".ts")));
  const [file] = files;
  if (file === undefined || files.length > 1)
    throw new Error(`${files.length} files of provider/protocol declare the function ${name}.`);
  return file;
}

/** Replaces a function by assigning its variable, so that calls from its own file and from other files use the replacement. @param {string} name */
function formatAssignment(name) {
  return `${name} = replaced__.${name}(${name});`;
}

/** @param {string} file */
function getJavaScript(file) {
  const known = compiled.get(file) ?? compile(fs.readFileSync(`${file}.ts`, "utf8"));
  compiled.set(file, known);
  return known;
}

/** @param {string} text */
function compile(text) {
  return transformSync(text, { loader: "ts", format: "cjs", target: "node20" }).code;
}

/** @param {(text: string) => unknown} compute */
function memoize(compute) {
  /** @type {Map<string, unknown>} */
  const known = new Map();
  return (/** @type {string} */ text) => {
    if (!known.has(text)) known.set(text, compute(text));
    return known.get(text);
  };
}

module.exports = { loadCore, protocol };
