/** Loads the protocol of `provider/protocol` from its sources, with texts replaced where a check asks for it. */
const fs = require("node:fs");
const path = require("node:path");
const { compileFunction } = require("node:vm");
const ts = require("typescript");
const { root } = require("../../tools/setup");

/**
 * @typedef {typeof import("../../provider/protocol")} Core
 *
 * A rule that is switched off: each text occurs exactly once in its file.
 * @typedef {{file: string, text: string, by: string}} Replacement
 */

const protocol = path.join(root, "provider", "protocol");

/** Called with few different arguments, millions of times. */
const memoized = new Set(["digestOf", "uuidOf", "normalizeText", "msOf"]);

/** @type {Map<string, string>} */
const compiled = new Map();

/**
 * What the protocol imports, the same for each copy of it.
 * @type {Map<string, Record<string, unknown>>}
 */
const shared = new Map();

/**
 * @param {readonly Replacement[]} [replacements]
 * @param {string} [guard] the name of a guard to leave out
 * @returns {Core}
 */
function loadCore(replacements = [], guard) {
  if (replacements.length > 0 || guard !== undefined) return load(replacements, guard);
  whole ??= load([], undefined);
  return whole;
}

/** The protocol as it is; it has no state. @type {Core | undefined} */
let whole;

/** @param {readonly Replacement[]} replacements @param {string | undefined} guard @returns {Core} */
function load(replacements, guard) {
  /** @type {Map<string, Record<string, unknown>>} */
  const modules = new Map(shared);
  for (const { file } of replacements) {
    if (!fs.existsSync(path.join(protocol, `${file}.ts`))) throw new Error(`No such file: ${file}`);
  }

  /** @param {string} file @returns {Record<string, unknown>} */
  const loadFile = (file) => {
    const loaded = modules.get(file);
    if (loaded) return loaded;
    const module = { exports: /** @type {Record<string, unknown>} */ ({}) };
    modules.set(file, module.exports);
    if (!file.startsWith(protocol)) shared.set(file, module.exports);
    const here = replacements.filter((each) => file === path.join(protocol, each.file));
    /** @param {string} name */
    const need = (name) => {
      if (!name.startsWith(".")) return require(name);
      const target = path.resolve(path.dirname(file), name);
      return loadFile(fs.existsSync(`${target}.ts`) ? target : path.join(target, "index"));
    };
    compileFunction(javaScriptOf(file, here), ["require", "exports"])(need, module.exports);
    for (const [name, value] of Object.entries(module.exports)) {
      if (memoized.has(name))
        module.exports[name] = memoize(/** @type {(text: string) => unknown} */ (value));
    }
    return module.exports;
  };
  const core = /** @type {Core} */ (/** @type {unknown} */ (loadFile(path.join(protocol, "index"))));
  if (guard !== undefined) withoutGuard(loadFile(path.join(protocol, "decide"))["guards"], guard);
  return core;
}

/** @param {unknown} guards @param {string} name */
function withoutGuard(guards, name) {
  if (typeof guards !== "object" || guards === null || !Reflect.has(guards, name)) {
    throw new Error(`No such guard: ${name}`);
  }
  Reflect.deleteProperty(guards, name);
}

/** @param {string} file @param {readonly Replacement[]} replacements */
function javaScriptOf(file, replacements) {
  if (replacements.length > 0) return compile(file, replacements);
  const known = compiled.get(file) ?? compile(file, []);
  compiled.set(file, known);
  return known;
}

/** @param {string} file @param {readonly Replacement[]} replacements */
function compile(file, replacements) {
  const source = replacements.reduce(replaceOnce, fs.readFileSync(`${file}.ts`, "utf8"));
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

/** @param {string} source @param {Replacement} replacement */
function replaceOnce(source, { file, text, by }) {
  const parts = source.split(text);
  if (parts.length !== 2) throw new Error(`Found ${parts.length - 1} times in ${file}.ts: ${text}`);
  return parts.join(by);
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

module.exports = { loadCore };
