import { readFileSync } from "node:fs";
import { join } from "node:path";
import { auditCheckedChannels, formats, listIncompleteChannels, readRules } from "../../audit";
import { builtInRules } from "../../audit/public";
import { checkGivenChannels } from "../../audit/channelInputs";
import { hiddenByService, notReturned, getRuleUrl } from "../../audit/rule";
import { metaRules } from "../../audit/rules";
import { alertChannelTypes } from "../../provider/api";
import { redactConfig } from "../../provider/credentials";
import { packageFolder } from "../../provider/packageManifest";
import { audit, channel, now, silence } from "./channels";
import { type Case, ruleCases } from "./ruleCases";

/** Returns the result for the first channel or for all channels, in the form of a case, and all messages. */
function evaluate(rule: string, [, channels, , options]: Case) {
  const list = [channels].flat();
  const rules = readRules({ rules: { [rule]: { severity: "error", options } } });
  // The rule file names channel 1.
  const listing = list.length > 0 ? { named: new Set(["1"]), absent: [] } : undefined;
  const judged = checkGivenChannels(list, rules);
  const { findings, notEvaluable, fleet, ...report } = auditCheckedChannels(judged, rules, { now }, listing);
  const isFirst = ({ channel }: { channel?: { id: string | number } }) =>
    channel === undefined || channel.id === list[0]?.id;
  const fields = [
    ...findings.filter(isFirst).map(({ field }) => field),
    ...notEvaluable.filter(isFirst).map(({ field }) => `? ${field}`),
  ];
  const passed = fleet.passed.includes(rule) || report.channels[0]?.passed.includes(rule) === true;
  // A field that a rule needs is read individually, unless a service may not support it.
  const isLacking = notEvaluable.some(
    ({ field, reason }) =>
      field !== "projectBindings.owner" && (reason.endsWith(notReturned) || reason.endsWith(hiddenByService)),
  );
  if (isLacking) expect(listIncompleteChannels(judged, rules, false, now)).not.toEqual([]);
  return {
    result: fields.join(", ") || (passed ? "" : "n/a"),
    messages: [
      ...findings.map(({ field, actual, expected }) => `${field}: ${actual}, expected ${expected}`),
      ...notEvaluable.map(({ field, reason }) => `${field}: not evaluable, ${reason}`),
    ],
  };
}

const judging = new Set([...builtInRules.map(({ id }) => id), ...Object.keys(ruleCases)]);

test.each([...judging])("the rule %s finds the problems in its cases, and gives the reasons", (rule) => {
  const cases = ruleCases[rule];
  if (!cases) throw new Error(`Add cases of the rule ${rule} to test/audit/ruleCases.ts.`);
  const results = cases.map((one) => ({ description: one[0], ...evaluate(rule, one) }));
  expect(results.map(({ description, result }) => [description, result])).toEqual(
    cases.map(([description, , expected = ""]) => [description, expected]),
  );
  expect(results.map(({ result }) => result)).toEqual(expect.arrayContaining([""]));
  const messages = [...new Set(results.flatMap((each) => each.messages))];
  const listCases = (message: string) =>
    results.flatMap((each) => (each.messages.includes(message) ? each.description : []));
  // Lists each message once, with its cases.
  expect(messages.map((one) => `${one} (${listCases(one).join("; ")})`).join("\n")).toMatchSnapshot();
  // A rule in a preset must find problems without options.
  const unset = results.filter((_, index) => cases[index]?.[3] === undefined);
  const { preset } = builtInRules.find(({ id }) => id === rule) ?? {};
  const needed: unknown[] = preset ? [expect.stringContaining(", expected ")] : [];
  expect(unset.flatMap((each) => each.messages)).toEqual(expect.arrayContaining(needed));
});

const web = "https://git.acme.example/monitoring";
test.each<[string, { url: string } | undefined, isWeb: boolean]>([
  ["with git+", { url: `git+${web}.git` }, true],
  ["without an ending", { url: web }, true],
  ["that no browser opens", { url: "git@git.acme.example:monitoring.git" }, false],
  ["that it lacks", undefined, false],
])(
  "a package of a repository %s links to its pages in that repository, or doesn't link",
  (_, repository, isWeb) => {
    const release = { version: "1.2.3", repository };
    const page = isWeb ? `${web}/blob/v1.2.3/docs/reference/rules.md#send-failure` : undefined;
    expect(getRuleUrl("send-failure", release)).toBe(page);
  },
);

test("the preset strict adds the rules that auditors require", () => {
  const readPreset = (preset: "recommended" | "strict") => readRules({ extends: preset }).rules;
  const recommended = readPreset("recommended").map(({ id }) => id);
  const added = readPreset("strict").filter(({ id }) => !recommended.includes(id));
  expect(added.map(({ id, severity }) => `${id}: ${severity}`)).toEqual([
    ...["stale: error", "managed-as-code: error", "unlisted-channel: warning", "single-recipient: error"],
  ]);
});

test.each([...builtInRules, ...metaRules])("$id has a heading on the page of the rules", ({ id }) => {
  const page = readFileSync(join(packageFolder, "docs", "reference", "rules.md"), "utf8");
  expect(page).toMatch(new RegExp(`^##+ ${id}$`, "m"));
});

const docs = "https://git.acme.example/rules.md";

test.each([
  ["markdown", `[\`send-failure\`]: ${docs}`],
  ["html", `href="${docs}"`],
  ["sarif", `"helpUri":"${docs}"`],
] as const)("%s links to the page of a rule only if the page is published", (format, link) => {
  const report = audit([channel({ sendFailure: false })], silence);
  const findings = report.findings.map((one) => ({ ...one, docs }));
  const rules = report.rules.map((one) => ({ ...one, docs }));
  expect(formats[format]({ ...report, findings, rules })).toContain(link);
  expect(formats[format](report)).not.toMatch(/file:|git\.acme/);
});

/** Settings of a channel of each type, without problems. */
const sound: Readonly<Record<string, Record<string, unknown>>> = {
  EMAIL: { address: "ops@acme.example" },
  SLACK: { url: "https://hooks.slack.com/services/{{SLACK_HOOK_PATH}}", channel: "#ops" },
  SLACK_APP: { slackChannels: ["#ops"] },
  WEBHOOK: { name: "Hook", url: "https://ops.acme.io/x", method: "POST", webhookSecret: "{{SECRET}}" },
  SMS: { number: "+12025550143", name: "Duty" },
  CALL: { number: "+12025550144", name: "Duty" },
  PAGERDUTY: { serviceKey: "{{PAGERDUTY_KEY}}", account: "acme", serviceName: "Ops" },
  OPSGENIE: { apiKey: "{{OPSGENIE_KEY}}", name: "Ops", region: "EU", priority: "P1" },
};

test("the rules of the preset strict don't contradict each other, because a channel of each type passes all of them", () => {
  expect(Object.keys(sound).sort()).toEqual([...alertChannelTypes].sort());
  const channels = Object.entries(sound).map(([type, config], id) =>
    channel({ id, type, config: redactConfig({ type, config }) }),
  );
  const report = audit(channels, { extends: "strict" });
  expect(report.findings).toEqual([]);
  const judged = [...report.fleet.passed, ...report.channels.flatMap(({ passed }) => passed)];
  // One rule requires the list of the account's channels.
  const unjudged = builtInRules.flatMap(({ id, preset }) =>
    preset && ![...judged, "unlisted-channel"].includes(id) ? id : [],
  );
  expect(unjudged.map((rule) => `${rule}: add what it judges to test/audit/channels.ts`)).toEqual([]);
});

test.each([
  ["hooks.acme.io/x", "Enter the complete URL, starting with https://."],
  [
    "http://hooks.acme.io/x",
    "Use the webhook's https URL, and rotate its token, because the old token may have been read.",
  ],
])("the advice of https-hook about %s fits the missing part: %s", (url, fix) => {
  const one = channel({ type: "WEBHOOK", config: redactConfig({ type: "WEBHOOK", config: { url } }) });
  const { findings } = audit([one], { rules: { "https-hook": "error" } });
  expect(findings.map((finding) => finding.fix)).toEqual([fix]);
});
