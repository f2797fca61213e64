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
 * @param {(argument: string) => Facts | undefined} [factsOf] how the lifecycle treats an argument, to verify the doc comments
 */
function argumentTable(sources, types, members, owner, factsOf) {
  const rows = members.map((member) => {
    const title = `${owner}.${member.name}`;
    const doc = sources.doc(member, title);
    const isRequired = !sources.isOptional(member);
    const preset = defaultIn.exec(doc)?.[1];
    const facts = factsOf?.(member.name);
    if (factsOf) sources.mistakes.push(...contradictions(title, { isRequired, preset }, facts));
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
