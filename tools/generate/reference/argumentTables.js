const { code, table } = require("../model/markdown");

/**
 * @typedef {import("../model/sources").TsSymbol} TsSymbol
 * @typedef {import("../model/facts").ArgumentFacts} Facts
 */

const defaultIn = /\s*Default: (.+?)\.(?=\s|$)/s;

/**
 * The arguments, as a table.
 * @param {import("../model/sources").Sources} sources
 * @param {import("./typeSections").TypeSections} types
 * @param {readonly TsSymbol[]} members
 * @param {string} owner names it in a mistake
 * @param {object} [known] to verify the doc comments
 * @param {(argument: string) => Facts | undefined} [known.factsOf] how the lifecycle treats an argument
 * @param {Readonly<Record<string, unknown>>} [known.defaults] of the code
 */
function argumentTable(sources, types, members, owner, { factsOf, defaults = {} } = {}) {
  const rows = members.map((member) => {
    const title = `${owner}.${member.name}`;
    const doc = sources.doc(member, title);
    const isRequired = !sources.isOptional(member);
    const preset = defaultIn.exec(doc)?.[1];
    const facts = factsOf?.(member.name);
    if (factsOf) sources.mistakes.push(...contradictions(title, { isRequired, preset }, facts));
    const usual = defaults[member.name];
    if (usual !== undefined && !says(preset, usual))
      sources.mistakes.push(`${title} has the default ${written(usual)}, which its doc comment doesn't say`);
    return [
      code(member.name),
      types.ofMember(member),
      isRequired ? "required" : shown(preset ?? "none"),
      ...(facts ? [yesOrNo(facts.replaces), yesOrNo(facts.isSecret === true)] : ["", ""]),
      doc.replace(defaultIn, ""),
    ];
  });
  return table(["Argument", "Type", "Default", "Replaces", "Secret", "Description"], rows);
}

/** @param {boolean} fact */
const yesOrNo = (fact) => (fact ? "yes" : "no");

/** @param {string} preset */
const shown = (preset) => (/^(true|false|\d+)$/.test(preset) ? code(preset) : preset);

/** A default as doc comments write it. @param {unknown} value */
function written(value) {
  if (typeof value === "number") return value.toLocaleString("en");
  return typeof value === "string" ? code(value) : String(value);
}

/** Whether a doc comment says this default, alone or after an environment variable. @param {string | undefined} preset @param {unknown} value */
const says = (preset, value) => preset?.replace(/^`MONITORING_\w+`, otherwise /, "") === written(value);

/**
 * The differences between the documentation of an argument and its lifecycle.
 * @param {string} title
 * @param {{isRequired: boolean, preset: string | undefined}} documented
 * @param {Facts | undefined} facts
 */
function contradictions(title, { isRequired, preset }, facts) {
  if (facts === undefined) return [`${title} is not known to its lifecycle`];
  const wrong = [];
  if (isRequired !== facts.isRequired)
    wrong.push(`${title} is ${facts.isRequired ? "" : "not "}required by its lifecycle`);
  if (facts.preset !== undefined && preset?.replaceAll("`", "") !== String(facts.preset)) {
    wrong.push(`${title} has the default ${String(facts.preset)}, which its doc comment doesn't say`);
  }
  return wrong;
}

module.exports = { argumentTable };
