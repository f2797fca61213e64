const none = /^$/;

/**
 * The modules of the product: each is a folder entered through its `index.ts`, or one file. It imports only modules before it, so that
 * nothing is circular, and of these none that its pattern names. CONTRIBUTING.md says what each hides.
 */
const modules = {
  "provider/files.ts": none,
  "provider/nodeVersion.ts": none,
  "provider/packageManifest.ts": none,
  "provider/workQueue.ts": none,
  "provider/texts": none,
  "provider/problems.ts": none,
  "provider/api": none,
  "provider/credentials": none,
  "provider/expectations.ts": none,
  "provider/client": /expectations|credentials|nodeVersion/,
  "provider/protocol": /credentials|expectations|client|files/,
  "provider/connection": none,
  "provider/publishing": none,
  "provider/engine.ts": none,
  "provider/lifecycles": none,
  "provider/lookups": none,
  "provider/dynamic": none,
  audit: /client|protocol|connection|publishing|engine|lifecycles|lookups|dynamic/,
  "audit/sources": none,
  plugin: /dynamic/,
  sdk: /dynamic|plugin/,
  policy: /dynamic|plugin|sdk/,
  sandbox:
    /credentials|expectations|client|protocol|publishing|engine|lifecycles|lookups|dynamic|audit|plugin|sdk|policy/,
  cli: /dynamic|plugin|sdk|policy/,
};

/** The module of a file, by its path from the root. @param {string} file */
const moduleOf = (file) =>
  Object.keys(modules).findLast((name) => file === name || file.startsWith(`${name}/`));

module.exports = { moduleOf, modules };
