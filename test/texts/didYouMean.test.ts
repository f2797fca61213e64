import { didYouMean, isMisspelled } from "../../provider/texts";
import { rows } from "../audit/table";

const words = "send-failure send-degraded ssl-expiry https-hook warning error stale to".split(" ");

test.each(
  rows(`
  send-falure → send-failure
  send-degraced → send-degraded
  ssl-exipry → ssl-expiry
  erro → error
  war → warning
  WARN → warning
  snd-dgrdd → send-degraded`),
)("%s suggests %s", (wrong = "", right = "") => {
  expect(didYouMean(wrong, words)).toBe(` (did you mean "${right}"?)`);
});

test.each(["", "alert-channel", "wa", "graded", "snd-dgrd", "ssstaaale", "tx"])(
  "no suggestion is made for %j",
  (wrong) => {
    expect(didYouMean(wrong, words)).toBe("");
  },
);

test.each(["stage stale state", "stale stage state", "state stage stale"])(
  "the nearest of several is suggested: %s",
  (right) => expect(didYouMean("staale", right.split(" "))).toBe(' (did you mean "stale"?)'),
);

test("a suggestion compares at most 100 characters", () => {
  const long = "x".repeat(101);
  expect(didYouMean(long.slice(1), [long])).toBe(` (did you mean "${long}"?)`);
  expect(didYouMean(long, [long.slice(1)])).toBe("");
});

test.each([
  ["SLAKC", true],
  ["SLACK", false],
  ["SMX", false],
  ["CARRIER_PIGEON", false],
])("%s is a misspelled type: %s", (name, misspelled) => {
  expect(isMisspelled(name, ["SLACK", "CALL", "SMS"])).toBe(misspelled);
});
