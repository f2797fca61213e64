import { auditAlertChannels, type AuditReport, builtInRules, presets } from "../../audit";
import { now } from "./channels";
import { type Case, ruleCases, type Said } from "./ruleCases";

/** The audit by one rule, the others being off. */
function report(rule: string, { options, channels }: Case): AuditReport {
  return auditAlertChannels(channels, { rules: { [rule]: { severity: "error", options } } }, { now });
}

function said(rule: string, one: Case): Said {
  const { channels } = one;
  const audited = report(rule, one);
  const isAbout = (channel: { id: string | number } | undefined) =>
    channel === undefined || channel.id === channels[0]?.id;
  const finds = audited.findings.filter(({ channel }) => isAbout(channel)).map(({ field }) => field);
  const cannotTell = audited.notEvaluable.filter(({ channel }) => isAbout(channel)).map(({ field }) => field);
  const isKept = audited.fleet.passed.includes(rule) || audited.channels[0]?.passed.includes(rule) === true;
  return {
    ...(finds.length > 0 && { finds }),
    ...(cannotTell.length > 0 && { cannotTell }),
    ...(finds.length + cannotTell.length === 0 && !isKept && { skips: true }),
  };
}

const cases = Object.entries(ruleCases).flatMap(([rule, cases]) =>
  cases.map((one) => [`${rule}: ${one.of}`, rule, one] as const),
);

test.each(cases)("%s", (_, rule, one) => {
  const { finds, cannotTell, skips } = one;
  expect(said(rule, one)).toEqual({
    ...(finds && { finds }),
    ...(cannotTell && { cannotTell }),
    ...(skips && { skips }),
  });
});

test.each(Object.entries(ruleCases))("%s says this of its cases", (rule, cases) => {
  const lines = cases.flatMap((one) => {
    const { findings, notEvaluable } = report(rule, one);
    return [
      ...findings.map(
        ({ field, actual, expected }) => `${one.of}: ${field}: ${actual}, expected ${expected}`,
      ),
      ...notEvaluable.map(({ field, reason }) => `${one.of}: ${field}: can't tell, ${reason}`),
    ];
  });
  expect(lines.join("\n")).toMatchSnapshot();
});

test.each(builtInRules.map(({ id }) => id))("%s has a passing, a failing and a boundary case", (id) => {
  const kinds = (ruleCases[id] ?? []).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["passing", "failing", "boundary"]));
});

test("every failing case gives a finding, and no passing one does", () => {
  for (const [name, , one] of cases) {
    if (one.kind === "failing") expect([name, one.finds]).not.toEqual([name, undefined]);
    if (one.kind === "passing") expect([name, one.finds]).toEqual([name, undefined]);
  }
});

test.each(builtInRules)("$id explains itself", ({ id, title, why, fix }) => {
  expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
  expect(title).toMatch(/^[A-Z].*[^.]$/);
  expect(why).toMatch(/^[A-Z].*\.$/);
  expect(fix).toMatch(/^[A-Z].*\.$/);
});

test("the presets name rules that exist and need no options, each once", () => {
  for (const { rules } of Object.values(presets)) {
    expect(new Set(rules).size).toBe(rules.length);
    const needless = builtInRules.filter(({ options }) => options.safeParse({}).success).map(({ id }) => id);
    expect(needless).toEqual(expect.arrayContaining([...rules]));
  }
});
