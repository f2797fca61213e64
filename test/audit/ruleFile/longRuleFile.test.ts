/** Files with very many mistakes: the work grows as the file does. */
import { parseRules, RulesError } from "../../../audit";
import { callsIn } from "../../countedWork";
import { thrownBy } from "../table";

const mistakesOf = (text: string): RulesError["mistakes"] => {
  const error = thrownBy(() => parseRules(text, "audit.yaml"));
  if (!(error instanceof RulesError)) throw error;
  return error.mistakes;
};

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

test.each<[string, (count: number) => string]>([
  ["unknown rules", (count) => `rules:\n${lines(count, (index) => `  stalee-${index}: error`)}`],
  [
    "unknown rules in JSON",
    (count) => `{"rules": {${lines(count, (index) => `"stalee-${index}": 1,`)}"x": 1}}`,
  ],
  ["names of an alias", (count) => `channels: &a\n${lines(count, (index) => `  n${index}: x`)}\nrules: *a`],
  ["waivers", (count) => `waivers:\n${lines(count, (index) => `- { rule: stalee, channel: ${index} }`)}`],
])("%s", (_, textOf) => {
  let mistakes: RulesError["mistakes"] = [];
  const [few, many] = [250, 1_000].map((count) => callsIn(() => (mistakes = mistakesOf(textOf(count)))));
  expect(mistakes.length).toBeGreaterThanOrEqual(1_000);
  expect(many).toBeLessThan(5 * (few ?? 0));
});

test("only the first ten mistakes have a suggestion", () => {
  const mistakes = mistakesOf(`rules:\n${lines(30, (index) => `  stal${index}: error`)}`);
  expect(mistakes).toHaveLength(30);
  expect(mistakes.filter(({ reason }) => reason.includes("did you mean"))).toHaveLength(10);
  expect(mistakesOf("extends: x\nrules: { stael: off }")[1]?.reason).toContain("did you mean");
});
