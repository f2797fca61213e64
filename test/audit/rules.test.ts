import { builtInRules, presets } from "../../audit";
import { audit } from "./channels";
import { alerts } from "./ruleCases/alerts";
import type { Case, Cases } from "./ruleCases/cases";
import { credentials } from "./ruleCases/credentials";
import { fleet } from "./ruleCases/fleet";
import { targets } from "./ruleCases/targets";

const ruleCases: Cases = { ...alerts, ...targets, ...credentials, ...fleet };

/** The result for the first channel or for all, as a case expects it, and all messages. */
function evaluate(rule: string, [description, channels, , options]: Case) {
  const list = [channels].flat();
  const rules = { rules: { [rule]: { severity: "error" as const, options } } };
  const { findings, notEvaluable, fleet, ...report } = audit(list, rules);
  const isFirst = ({ channel }: { channel?: { id: string | number } }) =>
    channel === undefined || channel.id === list[0]?.id;
  const fields = [
    ...findings.filter(isFirst).map(({ field }) => field),
    ...notEvaluable.filter(isFirst).map(({ field }) => `? ${field}`),
  ];
  const passed = fleet.passed.includes(rule) || report.channels[0]?.passed.includes(rule) === true;
  return {
    result: fields.join(", ") || (passed ? "" : "n/a"),
    messages: [
      ...findings.map((one) => `${description}: ${one.field}: ${one.actual}, expected ${one.expected}`),
      ...notEvaluable.map(({ field, reason }) => `${description}: ${field}: not evaluable, ${reason}`),
    ],
  };
}

test.each(builtInRules.map(({ id }) => id))("%s", (rule) => {
  const cases = ruleCases[rule];
  if (!cases) throw new Error(`Add cases of the rule ${rule} to a file in test/audit/ruleCases.`);
  const results = cases.map((one) => ({ description: one[0], ...evaluate(rule, one) }));
  expect(results.map(({ description, result }) => [description, result])).toEqual(
    cases.map(([description, , expected = ""]) => [description, expected]),
  );
  expect(results.map(({ result }) => result)).toEqual(expect.arrayContaining([""]));
  expect(results.flatMap(({ messages }) => messages).join("\n")).toMatchSnapshot();
  // One of a preset finds something without options.
  const unset = results.filter((_, index) => cases[index]?.[3] === undefined);
  const needed: unknown[] = presets.strict.rules.includes(rule)
    ? [expect.stringContaining(", expected ")]
    : [];
  expect(unset.flatMap(({ messages }) => messages)).toEqual(expect.arrayContaining(needed));
});

test.each(builtInRules)("$id is documented", ({ id, title, why, fix }) => {
  expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  expect(title).toMatch(/^[A-Z].*[^.]$/);
  expect(why).toMatch(/^[A-Z].*\.$/);
  expect(fix).toMatch(/^[A-Z].*\.$/);
});
