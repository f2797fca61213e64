/** Rules with very many overrides, custom rules or mistakes: the work grows as they do. */
import { auditAlertChannels, parseRules, type Rules, RulesError } from "../../../audit";
import { callsIn } from "../../countedWork";
import { channel } from "../channels";
import { thrownBy } from "../table";

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

/** What four times as much costs. */
function growthOf(work: (count: number) => unknown): number {
  const [few = 0, many = 0] = [100, 400].map((count) => callsIn(() => work(count)));
  return many / few;
}

const custom = (index: number) => ({
  ...{ id: `own-${index}`, title: "Own", why: "Own.", fix: "Own." },
  ...{ severity: "warning" as const, expect: { sendFailure: true } },
});
const override = (index: number, id = "stale") => ({
  ...{ select: { ids: [index] }, rules: { [id]: "warning" as const } },
});

test.each<[string, (count: number) => Rules]>([
  ["of one rule", (count) => ({ extends: "recommended", overrides: times(count, (each) => override(each)) })],
  [
    "that all select the same channel",
    (count) => ({ rules: { stale: "error" }, overrides: times(count, () => override(1)) }),
  ],
  [
    "of custom rules, one for each",
    (count) => ({
      customRules: times(count, custom),
      overrides: times(count, (each) => override(each, `own-${each}`)),
    }),
  ],
])("overrides %s", (_, rulesOf) => {
  const channels = times(3, (id) => channel({ id, name: `channel-${id}` }));
  expect(growthOf((count) => auditAlertChannels(channels, rulesOf(count)))).toBeLessThan(5);
});

const mistakesOf = (text: string): RulesError["mistakes"] => {
  const error = thrownBy(() => parseRules(text, "audit.yaml"));
  if (!(error instanceof RulesError)) throw error;
  return error.mistakes;
};
const lines = (count: number, line: (index: number) => string): string => times(count, line).join("\n");

test.each<[string, (count: number) => string]>([
  ["unknown rules", (count) => `rules:\n${lines(count, (each) => `  stalee-${each}: error`)}`],
  [
    "unknown rules in JSON",
    (count) => `{"rules": {${lines(count, (each) => `"stalee-${each}": 1,`)}"x": 1}}`,
  ],
  ["names of an alias", (count) => `channels: &a\n${lines(count, (each) => `  n${each}: x`)}\nrules: *a`],
  [
    "rules beside as many custom ones",
    (count) =>
      `rules:\n${lines(count, (each) => `  stalee-${each}: error`)}\ncustomRules:\n${lines(
        count,
        (each) =>
          `- { id: own-${each}, title: t, why: w, fix: f, severity: error, expect: { sendFailure: true } }`,
      )}`,
  ],
  ["waivers", (count) => `waivers:\n${lines(count, (each) => `- { rule: stalee, channel: ${each} }`)}`],
])("mistakes in %s", (_, textOf) => {
  expect(mistakesOf(textOf(10)).length).toBeGreaterThanOrEqual(10);
  expect(growthOf((count) => mistakesOf(textOf(count)))).toBeLessThan(5);
});
