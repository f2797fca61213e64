import { auditAlertChannels, builtInRules, presets } from "../../sdk/audit";
import { now } from "./channels";
import { type Case, ruleCases, type Said } from "./ruleCases";

/** What a rule says, the others being off. */
function said(rule: string, { options, channels }: Case): Said {
  const report = auditAlertChannels(channels, { rules: { [rule]: { severity: "error", options } } }, { now });
  const isAbout = (channel: { id: string | number } | undefined) =>
    channel === undefined || channel.id === channels[0]?.id;
  const finds = report.findings.filter(({ channel }) => isAbout(channel)).map(({ field }) => field);
  const cannotTell = report.notEvaluable.filter(({ channel }) => isAbout(channel)).map(({ field }) => field);
  const isKept = report.fleet.passed.includes(rule) || report.channels[0]?.passed.includes(rule) === true;
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
