/** The word that a mistyped one was meant to be. */
import { didYouMean } from "../../audit/didYouMean";

const rules = [
  "send-failure",
  "send-degraded",
  "ssl-expiry",
  "https-hook",
  "warning",
  "error",
  "stale",
  "to",
];

test.each([
  ["a letter too few", "send-falure", "send-failure"],
  ["a letter too many", "https-hoook", "https-hook"],
  ["a letter that is another", "send-degraced", "send-degraded"],
  ["two letters that changed places", "ssl-exipry", "ssl-expiry"],
  ["its first letter", "rror", "error"],
  ["its last letter", "erro", "error"],
  ["another case", "HTTPS-Hook", "https-hook"],
  ["a beginning of three letters", "war", "warning"],
  ["a beginning in another case", "WARN", "warning"],
  ["a third of a long word", "snd-dgrdd", "send-degraded"],
])("is found for %s", (_, wrong, right) => {
  expect(didYouMean(wrong, rules)).toBe(` (did you mean "${right}"?)`);
});

test.each([
  ["nothing", ""],
  ["something else", "alert-channel"],
  ["a beginning of two letters", "wa"],
  ["an end", "graded"],
  ["more than a third of a long word", "snd-dgrd"],
  ["more than two letters of a shorter one", "ssstaaale"],
  ["half of a short word", "tx"],
])("is not guessed for %s", (_, wrong) => {
  expect(didYouMean(wrong, rules)).toBe("");
});

test.each([[["stage", "stale", "state"]], [["stale", "stage", "state"]], [["state", "stage", "stale"]]])(
  "is the nearest of several: %j",
  (right) => {
    expect(didYouMean("staale", right)).toBe(' (did you mean "stale"?)');
  },
);

test("is looked for up to a hundred letters", () => {
  const long = "x".repeat(101);
  expect(didYouMean(long.slice(1), [long])).toBe(` (did you mean "${long}"?)`);
  expect(didYouMean(long, [long.slice(1)])).toBe("");
});
