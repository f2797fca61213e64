const path = require("node:path");
const { compileFunction } = require("node:vm");

/** @typedef {Record<string, unknown>} Outputs */

/**
 * Runs programs of `examples/reference` against the service that the environment names. In place of the engine, Pulumi's
 * mocks call the providers.
 * @param {string} root
 * @param {Date} now stands for the times that the programs cause; their ids are counted
 * @param {ReadonlyMap<string, string>} programs in TypeScript, by name
 * @returns {Promise<Record<string, Outputs>>} what each exports
 */
async function exampleOutputs(root, now, programs) {
  /** @type {typeof import("@pulumi/pulumi")} */
  const pulumi = require(path.join(root, "node_modules", "@pulumi/pulumi"));
  await pulumi.runtime.setMocks({
    newResource: (resource) => created(root, resource),
    call: () => ({}),
  });
  /** @type {Record<string, Outputs>} */
  const exported = {};
  for (const [name, text] of programs)
    exported[name] = await new Promise((done) => pulumi.output(run(root, text)).apply(done));
  await pulumi.runtime.disconnect();
  /** @type {string[]} */
  const ids = [];
  return JSON.parse(JSON.stringify(exported), (_, value) => {
    if (typeof value !== "string") return value;
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return [value, now.toISOString()].sort()[0];
    if (!ownId.test(value)) return value;
    if (!ids.includes(value)) ids.push(value);
    return `5b2f60c1-7d1e-5a04-9c3e-${String(ids.indexOf(value) + 1).padStart(12, "0")}`;
  });
}

/** An id that the client has made: of version 5. Those of the sandbox's data are of version 4. */
const ownId = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f-]{21}$/;

/** What a program exports. @param {string} root @param {string} text @returns {Outputs} */
function run(root, text) {
  /** @type {typeof import("typescript")} */
  const ts = require(path.join(root, "node_modules", "typescript"));
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(text, { compilerOptions });
  /** @type {Outputs} */
  const exported = {};
  compileFunction(outputText, ["require", "exports"])(
    () => require(path.join(root, "dist", "sdk")),
    exported,
  );
  return exported;
}

/** @param {string} root @param {import("@pulumi/pulumi").runtime.MockResourceArgs} resource */
async function created(root, { type, name, inputs }) {
  const [, kind = ""] = /^pulumi-nodejs:dynamic\/monitoring:(\w+)$/.exec(type) ?? [];
  /** @type {Record<string, typeof import("../../../provider/dynamic").IncidentUpdate>} */
  const { [kind]: provider } = require(path.join(root, "dist", "provider", "dynamic"));
  if (!provider) return { id: name, state: inputs };
  await provider.configure({ config: { get: () => undefined, require: () => "" } });
  const { inputs: checked = {}, failures = [] } = await provider.check({}, inputs);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
  const { id, outs = {} } = await provider.create(checked);
  return { id, state: outs };
}

module.exports = { exampleOutputs };
