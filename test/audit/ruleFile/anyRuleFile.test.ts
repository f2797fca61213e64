/** Any text as a rule file: it gives rules, or all of its mistakes with their positions. */
import fc from "fast-check";
import { parseRules } from "../../../audit/ruleFile";
import { RulesError } from "../../../audit/ruleFile/yaml";
import { mutatedTexts } from "../../mutatedTexts";
import { runs } from "../../propertySeed";

/** Without them, a reader that rejects everything would pass. */
const valid = [
  "extends: recommended\n",
  "extends: strict\nrules:\n  stale: off\n  https-hook: {severity: warning, select: {types: [WEBHOOK]}}\nchannels: {ops: 4101}\n",
  "extends: recommended\nwaivers:\n  - rule: stale\n    channel: ops\n    reason: moving\n    owner: ops\n    expires: 2027-01-31\n",
  '{"rules": {"stale": "off", "https-hook": "warning"}, "extends": "strict", "waivers": [{"rule": "stale", "channel": 1, "reason": "a", "owner": "b", "expires": "2027-01-31"}]}',
  '{"extends": "recommended", "channels": {"a": 1, "b": "2"}, "rules": {"stale": {"severity": "error"}}}',
];
const keys =
  "extends rules waivers channels customRules expect stale pattern anyOf not select __proto__ constructor toString";
const words = [
  ...keys.split(" ").map((key) => `${key}: `),
  ..."off error recommended (a+)+$ *a --- ... # { } [ ] ' null 1e999 0o17 .nan 2027-01-31".split(" "),
  ..."&a |<<: |!!js/function |!!binary |? |- |---\n|...\n|%YAML 1.1\n|>-\n".split("|"),
  "|\n",
  ...["\n", "\n  ", "\t", ": ", '"'],
];

function mistakesOf(read: () => unknown): RulesError["mistakes"] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof RulesError) || error.mistakes.length === 0) throw error;
    return error.mistakes;
  }
}

test.each(valid)("%j is valid", (text) => {
  expect(mistakesOf(() => parseRules(text, "audit.yaml"))).toEqual([]);
});

test("every mistake has a reason, a place, and a line and column of the text", () => {
  fc.assert(
    fc.property(mutatedTexts([...valid, "a: &x [1]\nb: *x\n<<: *x\n"], words), (text) => {
      const lines = text.split(/\r\n|\r|\n/).length;
      for (const { reason, line = 0, column = 0, at } of mistakesOf(() => parseRules(text, "audit.yaml"))) {
        expect(reason).not.toBe("");
        expect(at).not.toContain("undefined");
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines);
        expect(column).toBeGreaterThanOrEqual(1);
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: runs(50) },
  );
});
