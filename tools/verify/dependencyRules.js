const { isBuiltin } = require("node:module");
const { dependencies, peerDependencies } = require("../../package.json");

const none = /^$/;

/**
 * Modules of the product. Each is a single file, or a folder that other modules import through its `index.ts`. To avoid cycles, a module
 * may only import modules before it. It must not import modules that match its pattern. The comment of each `index.ts` describes what
 * the module hides.
 * @type {Record<string, RegExp>}
 */
const modules = {
  "provider/hosts.ts": none,
  "provider/nodeVersion.ts": none,
  "provider/packageManifest.ts": none,
  "provider/workQueue.ts": none,
  "provider/previewFacts.ts": none,
  "provider/texts.ts": none,
  "provider/terminal.ts": none,
  "provider/inertText.ts": none,
  "provider/markup.ts": none,
  "provider/problems.ts": none,
  "provider/api": none,
  "provider/credentials": none,
  "provider/expectations.ts": none,
  "provider/client": /expectations|credentials|nodeVersion/,
  "provider/files.ts": none,
  "provider/engine.ts": none,
  "provider/resendCodes.ts": none,
  "provider/connection": none,
  "provider/protocol": /credentials|expectations|client|connection|files/,
  "provider/proofreading": /expectations|client|connection/,
  "provider/wording": /connection|client/,
  "provider/publishing": none,
  "provider/lifecycles": none,
  "provider/run": none,
  "provider/lookups": none,
  "provider/dynamic": none,
  audit: /client|protocol|wording|connection|publishing|engine|lifecycles|lookups|dynamic/,
  "audit/sources": none,
  plugin: /dynamic/,
  sdk: /dynamic|plugin/,
  policy: /dynamic|plugin|sdk/,
  sandbox:
    /credentials|expectations|client|protocol|wording|publishing|engine|lifecycles|lookups|dynamic|audit|plugin|sdk|policy/,
  cli: /dynamic|plugin|sdk|policy/,
};

/** Returns the module of a file from its path relative to the root. @param {string} file */
const moduleOf = (file) =>
  Object.keys(modules).findLast((name) => file === name || file.startsWith(`${name}/`));

const order = Object.keys(modules);
const installed = Object.keys({ ...dependencies, ...peerDependencies });
/** Files that run before any package is installed. */
const bare = /^tools\/(?!setup\/build\/bundle\.js)(setup|demo|test|pulumi)\//;

/**
 * Returns the problem with an import, if any.
 *
 * @param {string} from
 * @param {string} name
 * @param {string | undefined} file that the import refers to
 */
function mistakeIn(from, name, file) {
  const [one = "", other = ""] = [moduleOf(from), moduleOf(file ?? "")];
  const isOwn = file !== undefined;
  if (one !== "" && isOwn && one !== other) {
    if (other === "") return "the product imports no tests, tools or examples";
    if (order.indexOf(other) > order.indexOf(one) || modules[one]?.test(other))
      return `${one} must not import ${other}`;
  }
  if (from.startsWith("examples/") && isOwn && !file.startsWith("examples/"))
    return "examples import the package by its name, as users do";
  if (isOwn || isBuiltin(name)) return undefined;
  if (bare.test(from)) return "what installs, builds and starts things runs before any package is installed";
  if (
    /^(provider\/(api|texts|terminal|inertText|markup|credentials|client|protocol|wording)|audit)[/.]/.test(
      from,
    ) &&
    name.startsWith("@pulumi/")
  )
    return "the API's objects, the client and the audit never import Pulumi";
  if (name === "axios" && !/^(provider\/client|test\/client|tools\/bench)\//.test(from))
    return "only the client, its tests and benchmarks know axios";
  if (one !== "" && !installed.some((each) => name === each || name.startsWith(`${each}/`)))
    return "npm doesn't install this package with the published code";
  return undefined;
}

module.exports = { mistakeIn, moduleOf, modules };
