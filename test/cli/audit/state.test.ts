import { pickDocumentedConfig, redactConfig } from "../../../provider/credentials";
import { getDynamicToken, signatureKey } from "../../../provider/engine";
import {
  audit,
  exported,
  writeTemporaryFile,
  listLines,
  observed,
  parseReport,
  silence,
  buildUrn,
} from "../running";

const good = { channelId: 1, type: "EMAIL", config: {}, sendFailure: true };
/** A secret as in an export. */
const secret = { [signatureKey]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

const strict = "extends: strict\n";
const run = (state: string, rules = strict, ...args: string[]) =>
  audit(["--rules", writeTemporaryFile(rules), "--state", writeTemporaryFile(state, "stack.json"), ...args]);

const noFindings = /^No findings \(1 channel, 5 rules of .*\)\n$/;

const stated = [4101, 4103, 4107, 4108].map((channelId) =>
  observed(`channel-${channelId}`, { ...good, channelId }),
);

describe("channels are requested", () => {
  const rules = `${strict}channels: { mail: 4107 }\n`;

  test("channels of a stack are requested by the name of the resource or in the rule file, or by id", async () => {
    const asked = ["channel-4101", "mail", "4107", "4103"].flatMap((one) => ["--channel", one]);
    const { stdout } = await run(exported(...stated), rules, "--format", "json", ...asked);
    expect(parseReport(stdout).channels.map(({ id }) => id)).toEqual([4101, 4103, 4107]);
  });

  test("a requested channel is rejected if no channel of the stack has that name or ID", async () => {
    const { code, stderr } = await run(exported(...stated), rules, "--channel", "9", "--channel", "mial");
    expect(code).toBe(2);
    expect(
      stderr.match(/^--channel "\w+" is neither the ID nor the name of .*stack\.json\.$/gm),
    ).toHaveLength(2);
  });

  test.each<[string[], code: number, line: RegExp]>([
    [[], 1, /^error all channels on-call-type type: no channel wakes someone/],
    [["--channel", "4107"], 0, /^not evaluable all channels on-call-type type: only some of the channels/],
  ])("a rule on all channels of a stack requires all of them: %j", async (asked, code, line) => {
    const ended = await run(exported(...stated), "rules: { on-call-type: error }\n", ...asked);
    expect([ended.code, listLines(ended.stdout)[0]]).toEqual([code, expect.stringMatching(line)]);
  });
});

test("secret outputs are reported, and their channel isn't evaluable", async () => {
  const mail = observed("mail", { ...good, channelId: secret, config: secret }, { id: "2" });
  const { code, stdout } = await run(exported(mail));
  expect(code).toBe(3);
  expect(listLines(stdout)[0]).toMatch(
    /^not evaluable 2 mail channel-read channel: these outputs are secret in the stack: channelId, config\. Audit/,
  );
});

const silent = { ...good, sendFailure: false };

/** What a resource stores of this target. */
const stored = (config: Record<string, unknown>) => [
  observed("it", {
    ...{ ...good, type: "WEBHOOK" },
    config: pickDocumentedConfig({ type: "WEBHOOK", config: redactConfig({ type: "WEBHOOK", config }) }),
  }),
];
const other = "https://thief.example";

test.each<[string, object[], string?]>([
  ["in plain text", [observed("it", { ...silent, type: "WEBHOOK", config: { url: "https://x" } })]],
  ["recorded twice, and differently", [observed("it", good), observed("it", silent)]],
  ["with an undocumented target instead of its own", stored({ webhookUrl: other }), "config.url"],
  ["with one besides its own", stored({ url: "https://acme.example", webhookUrl: other }), "config.url"],
  ["with one that is an object", stored({ target: { host: "thief.example" } }), "config.url"],
])("a channel %s isn't evaluable", async (_, resources, field = "") => {
  const { code, stdout } = await run(exported(...resources), silence);
  expect([code, stdout]).toEqual([3, expect.stringMatching(`not evaluable.*${field}`)]);
});

test("an export may contain undocumented parts of any depth, and types with escapes", async () => {
  const twice = [1, 2].map(() => observed("it", { ...silent, subscriptions: [{ checkId: "a", x: "DEEP" }] }));
  const deep = `${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}`;
  const text = exported(...twice).replaceAll('"DEEP"', deep);
  expect(await run(text, silence)).toMatchObject({ code: 1 });
  const escaped = exported(observed("it", silent)).replaceAll(":AlertChannel", "\\u003aAlertChannel");
  expect(await run(escaped, silence)).toMatchObject({ code: 1 });
});

test("a waiver for an ID doesn't apply to a resource with that name", async () => {
  const state = exported(observed("4107", silent));
  const waived = (channel: string) =>
    `${silence}waivers: [{ rule: send-failure, channel: ${channel}, reason: x, owner: y, expires: 2999-01-01 }]\n`;
  for (const id of ["4107", '"4107"']) expect(await run(state, waived(id))).toMatchObject({ code: 1 });
});

test.each([
  ["a secret output that the audit doesn't use", exported(observed("mail", { ...good, account: secret }))],
  ["a byte order mark", `\ufeff${exported(observed("mail", good))}`],
  ["a character that replaces others", exported(observed("mail", { ...good, account: "\ufffd" }))],
])("%s is ignored", async (_, state) => {
  const { code, stdout } = await run(state, silence);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(noFindings) });
});

test("deleted, invalid and replaced resources are distinguished", async () => {
  const silent = { ...good, channelId: 4, sendFailure: false };
  const state = exported(
    observed("good", good),
    observed("gone", { ...good, channelId: 2, missing: true }),
    observed("empty", {}, { id: "3" }),
    { urn: buildUrn("bare"), id: "7", type: getDynamicToken("AlertChannel") },
    observed("replaced", silent, { delete: true }),
    observed("other", silent, { type: getDynamicToken("StatusPage") }),
    observed("by hand", { ...good, channelId: 5 }, { id: null, delete: "no" }),
    { id: 8, type: getDynamicToken("AlertChannel") },
    { type: getDynamicToken("AlertChannel") },
  );
  const { code, stdout } = await run(state, silence);
  expect(code).toBe(3);
  const unusable = (fields: string) =>
    `its outputs in the stack are unusable (${fields}). Run \`pulumi refresh\``;
  expect(listLines(stdout).slice(0, 3)).toEqual([
    "not evaluable 2 gone channel-read channel: the channel didn't exist on the service at the last refresh. Remove its resource or, if the channel exists again, run `pulumi refresh`",
    `not evaluable 3 empty channel-read channel: ${unusable("channelId, type, config")}`,
    `not evaluable 7 bare, 8 an unknown channel, an unknown channel an unknown channel channel-read channel: ${unusable("all outputs")}`,
  ]);
  expect(stdout).toMatch(/\(2 channels, 5 rules of .*, 5 not evaluable, 5 of them blocking\)/);
});

const notOne =
  "can't be used, because it isn't a complete stack export or the stack is empty. Create an export with `pulumi stack export --file FILE`";
const noChannels = "contains no alert channels. Declare AlertChannel resources in its stack.";

test.each<[string, string, unknown]>([
  ["other JSON", '{"deployment": {"resources": {}}}', notOne],
  ["no JSON", "resources:\n  - x\n", notOne],
  ["an export that was cut off", exported(...stated).slice(0, 900), notOne],
  ["a stack without channels", exported(), noChannels],
])("%s is not a stack export with channels: exit code 2, one line", async (_, content, mistake) => {
  const { code, stdout, stderr } = await run(content);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(/^\S+stack\.json (.*)\n$/.exec(stderr)?.[1]).toEqual(mistake);
});

describe("channels that are named in the rule file but missing in the state", () => {
  const duty = exported(observed("duty", { ...good, channelId: 4109 }));
  const runWithChannels = (channels: string, ...args: string[]) =>
    run(duty, `${silence}channels: ${channels}\n`, ...args);

  test("channels that are named in the rule file but missing in the state are reported as not audited, and fail the audit", async () => {
    const { code, stdout } = await runWithChannels(
      '{ duty: 4109, operations: 4107, ops: "4107", tickets: 4106 }',
    );
    const lines = listLines(stdout).map((line) => line.replace(/\S+(?=stack\.json)/, ""));
    const reason =
      "channel: the channel isn't in stack.json. Declare an AlertChannel resource for the channel";
    expect(code).toBe(3);
    expect(lines[0]).toBe(`not evaluable 4106 tickets, 4107 ops channel-read ${reason}`);
    expect(lines.at(-2)).toMatch(/^Not fully evaluable \(1 channel, .*, 2 of them blocking\)$/);
  });

  test("channels that are named in the rule file but missing in the state are ignored if other channels are requested", async () => {
    const { code, stdout } = await runWithChannels("{ duty: 4109, operations: 4107 }", "--channel", "duty");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(noFindings) });
  });
});
