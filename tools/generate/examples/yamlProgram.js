const { isReference } = require("./exampleProgram");

/**
 * @typedef {import("../schema/pulumi").Declaration} Declaration
 * @typedef {import("../schema/pulumi").Reference} Reference
 * @typedef {import("../schema/pulumi").Value} Value
 */

/** @param {Reference} reference */
function interpolation({ declaration: { label, variable }, path }) {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  return `\${${label ?? variable}${steps.join("")}}`;
}

/** @param {Value} value @returns {unknown} */
function plain(value) {
  if (isReference(value)) return interpolation(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/** @param {Declaration} declaration @returns {[string, object]} */
function entry({ name, label, variable, args, gate }) {
  const token = `monitoring:${name}`;
  const hasArgs = Object.keys(args).length > 0;
  const options = gate && { dependsOn: [interpolation({ declaration: gate, path: [] })] };
  if (label !== undefined)
    return [label, { type: token, ...(hasArgs && { properties: plain(args) }), ...(options && { options }) }];
  return [variable, { "fn::invoke": { function: token, ...(hasArgs && { arguments: plain(args) }) } }];
}

/**
 * @param {import("../schema/pulumi").Program} program
 * @param {(value: unknown) => string} stringify
 */
function yamlProgram({ declarations, exports }, stringify) {
  const sections = {
    variables: declarations.filter(({ label }) => label === undefined).map(entry),
    resources: declarations.filter(({ label }) => label !== undefined).map(entry),
    outputs: exports.map(([name, reference]) => [name, interpolation(reference)]),
  };
  const filled = Object.entries(sections).filter(([, entries]) => entries.length > 0);
  return stringify(
    Object.fromEntries(filled.map(([name, entries]) => [name, Object.fromEntries(entries)])),
  ).trimEnd();
}

module.exports = { yamlProgram };
