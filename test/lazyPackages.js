/**
 * Preloaded into processes of Pulumi. Loads two packages of its SDK only when they are used: they serialize functions,
 * and take two thirds of the time that a process takes to start.
 */
const fs = require("node:fs");
const Module = require("node:module");

// The host of programs that can be built here is older than this option, and compiles JavaScript, too.
if (fs.existsSync("Pulumi.yaml") && fs.readFileSync("Pulumi.yaml", "utf8").includes("typescript: false"))
  delete process.env["PULUMI_NODEJS_TYPESCRIPT"];

const packages = new Set(["typescript", "@npmcli/arborist"]);
/** @type {(this: NodeJS.Module, id: string) => Record<PropertyKey, unknown>} */
const load = Reflect.get(Module.prototype, "require");

/**
 * @this {NodeJS.Module}
 * @param {string} id
 */
function requireLazily(id) {
  if (!packages.has(id)) return load.call(this, id);
  /** @type {Record<PropertyKey, unknown> | undefined} */
  let loaded;
  // As an ES module, so that nobody copies its members.
  const get = (/** @type {unknown} */ _, /** @type {PropertyKey} */ name) =>
    name === "__esModule" || (loaded ??= load.call(this, id))[name];
  return new Proxy({}, { get });
}

Object.assign(Module.prototype, { require: requireLazily });
