/** GitHub rejects an upload when a result has no physical location. */
import { auditAlertChannels, formats, parseRules, type Rules, type RuleSet } from "../../audit";
import { channel, now } from "./channels";

const waivers = [{ rule: "stale", channel: 1, reason: "old", owner: "Ana", expires: "2026-01-31" }];
const rules: Rules = { rules: { "send-failure": "error", "on-call-type": "error" }, waivers };

/** File and line of each result: one on a channel, one on all channels, one on the rules. */
function placesOf(ruleSet: Rules | RuleSet): string[] {
  const report = auditAlertChannels([channel({ sendFailure: false })], ruleSet, { now });
  const log: { runs: [{ results: { locations: [{ physicalLocation?: Physical }] }[] }] } = JSON.parse(
    formats.sarif(report),
  );
  return log.runs[0].results.map(({ locations: [{ physicalLocation }] }) =>
    physicalLocation === undefined
      ? "none"
      : `${physicalLocation.artifactLocation.uri}:${physicalLocation.region.startLine}`,
  );
}

interface Physical {
  artifactLocation: { uri: string };
  region: { startLine: number };
}

test("results are located in the rule file", () => {
  expect(placesOf(parseRules(JSON.stringify(rules, null, 1), "audit.json"))).toEqual([
    "audit.json:3",
    "audit.json:7",
    "audit.json:4",
  ]);
});

test("results of rules that are an object are located in the project's file", () => {
  expect(placesOf(rules)).toEqual(["Pulumi.yaml:1", "Pulumi.yaml:1", "Pulumi.yaml:1"]);
});

test("the rule file is a relative address, whatever its name", () => {
  const places = placesOf(parseRules(JSON.stringify(rules), "alerts\\audit #1?.json"));
  expect(places[0]).toBe("alerts/audit%20%231%3F.json:1");
});
