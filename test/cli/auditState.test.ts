import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resourcesIn } from "../../cli/auditStackExport";
import { redactConfig } from "../../provider/client/redact";
import { dynamicToken } from "../../provider/resourceTypes";
import { seedData } from "../../sandbox";
import { temporaryFolder } from "../sandbox/sandboxes";
import { audit, fileWith } from "./auditing";

const token = dynamicToken("AlertChannel");
const urnOf = (name: string, type = token) => `urn:pulumi:prod::alerts::${type}::${name}`;

/** What `pulumi stack export` has of an observed channel. */
function observed(name: string, outputs: object, others: object = {}): object {
  return { urn: urnOf(name), custom: true, id: "0", type: token, inputs: {}, outputs, ...others };
}

const [account] = seedData().accounts;
const seeded = account.alertChannels.map(({ id, config, created_at, updated_at, ...rest }) =>
  observed(`channel-${id}`, {
    ...rest,
    channelId: id,
    config: redactConfig({ type: rest.type, config }, account.id),
    createdAt: created_at,
    updatedAt: updated_at,
  }),
);

function exported(...resources: object[]): string {
  const stack = {
    urn: "urn:pulumi:prod::alerts::pulumi:pulumi:Stack::alerts-prod",
    type: "pulumi:pulumi:Stack",
  };
  return JSON.stringify(
    { version: 3, deployment: { manifest: { resources: [] }, resources: [stack, ...resources] } },
    null,
    4,
  );
}

/** A secret as in an export. */
const secret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "v1:x",
};

const strict = "extends: strict\n";
const run = async (state: string, rules = strict, ...args: string[]) =>
  audit(["--rules", fileWith(rules), "--state", fileWith(state, "stack.json"), ...args]);

test("the channels in a stack's state are audited offline", async () => {
  const { code, stdout, stderr } = await run(exported(...seeded));
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const lines = stdout.split("\n");
  for (const expected of [
    /^error +4106 channel-4106 +https-hook +config\.url: http, expected https$/,
    /^error +4106 channel-4106 +public-hook +config\.url: a private address/,
    /^error +4107 channel-4107 +send-failure +sendFailure: false, expected true$/,
    /^error +4108 channel-4108 +duplicate-target +config\.address: same as in 4107/,
    /^error +4102 channel-4102 +credential-reference +config\.apiKey: a literal, expected a reference$/,
  ])
    expect(lines).toContainEqual(expect.stringMatching(expected));
  expect(lines.at(-2)).toContain("(12 channels, 24 rules,");
});

test("a rule that needs the credential itself is not evaluable", async () => {
  const rules = "rules: { allowed-targets: { severity: error, options: { hosts: [acme.example] } } }\n";
  const { code, stdout } = await run(exported(...seeded), rules, "--format", "json");
  const { notEvaluable } = JSON.parse(stdout) as {
    notEvaluable: { channel: { id: number }; reason: string }[];
  };
  expect(code).toBe(0);
  expect(notEvaluable).toContainEqual({
    rule: "allowed-targets",
    channel: { id: 4106, name: "channel-4106", type: "WEBHOOK" },
    field: "config.url",
    reason: "the host is unknown without the credential itself",
  });
});

test("channels are requested by the name of the resource or in the rule file, or by id", async () => {
  const rules = `${strict}channels: { mail: 4107 }\n`;
  const asked = ["channel-4101", "mail", "4107", "4103"].flatMap((one) => ["--channel", one]);
  const { stdout } = await run(exported(...seeded), rules, "--format", "json", ...asked);
  const { channels } = JSON.parse(stdout) as { channels: { id: number }[] };
  expect(channels.map(({ id }) => id)).toEqual([4101, 4103, 4107]);

  const { code, stderr } = await run(exported(...seeded), rules, "--channel", "9", "--channel", "mial");
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^--channel "9" is neither an id nor a name of a channel in .*stack\.json\.\n--channel "mial" is neither /,
  );
});

test("secret outputs are named, and their channel is unreadable", async () => {
  const hook = { channelId: 1, type: "WEBHOOK", config: secret, sendFailure: true };
  const { code, stdout } = await run(
    exported(
      observed("hook", hook, { id: "1" }),
      observed("mail", { ...hook, channelId: secret }, { id: "2" }),
    ),
  );
  expect(code).toBe(3);
  const read = stdout.split("\n").filter((line) => line.startsWith("error"));
  expect(read).toEqual([
    expect.stringMatching(
      /^error +1 hook +channel-read +channel: not read: the stack keeps these outputs secret: config; audit/,
    ),
    expect.stringMatching(
      /^error +2 mail +channel-read +channel: not read: the stack keeps these outputs secret: channelId, config;/,
    ),
  ]);
});

test("a secret output that the audit doesn't use is ignored", async () => {
  const mail = { channelId: 1, type: "EMAIL", config: {}, sendFailure: true, account: secret };
  const { code, stdout } = await run(exported(observed("mail", mail)), "rules: { send-failure: error }\n");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "No findings (1 channel, 4 rules)\n" });
});

test("deleted, invalid and replaced resources are distinguished", async () => {
  const good = { channelId: 1, type: "EMAIL", config: {}, sendFailure: true };
  const state = exported(
    observed("good", good),
    observed("gone", { ...good, channelId: 2, missing: true }),
    observed("empty", {}, { id: "3" }),
    { urn: urnOf("bare"), id: "7", type: token },
    observed("replaced", { ...good, channelId: 4, sendFailure: false }, { delete: true }),
    { ...observed("other", { ...good, channelId: 5, sendFailure: false }), type: dynamicToken("Incident") },
  );
  const { code, stdout } = await run(state, "rules: { send-failure: error }\n");
  expect(code).toBe(3);
  const unusable = "its outputs in the stack are unusable; run `pulumi refresh`";
  expect(stdout.split("\n").slice(0, 3)).toEqual(
    [
      "2 gone   channel-read  channel: not read: it didn't exist on the service at the last refresh",
      `3 empty  channel-read  channel: not read: ${unusable}`,
      `7 bare   channel-read  channel: not read: ${unusable}`,
    ].map((line) => `error  ${line}, expected a readable channel`),
  );
  expect(stdout).toContain("(1 channel, 4 rules, 3 not read)");
});

describe("not a stack export: exit code 2, one line", () => {
  const notOne =
    "it isn't a stack export, or the stack is empty; create one with `pulumi stack export --file FILE`";
  test.each([
    ["other JSON", '{"deployment": {"resources": {}}}', notOne],
    ["a list", "[]", notOne],
    ["a checkpoint of a backend", '{"checkpoint": {"latest": {"resources": []}}}', notOne],
    ["no JSON", "resources:\n  - x\n", notOne],
    ["nothing", "", notOne],
    [
      "UTF-16, as PowerShell writes it",
      Buffer.from(exported(...seeded), "utf16le").toString("latin1"),
      notOne,
    ],
    ["an export that was cut off", exported(...seeded).slice(0, 9_000), "it is truncated"],
    [
      "a resource that is no JSON",
      exported(...seeded).replace('"custom": true', '"custom": truth'),
      expect.stringMatching(/^Unexpected token/),
    ],
  ])("%s", async (_, content, reason) => {
    const { code, stdout, stderr } = await run(content);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const [, said] = /^\S+stack\.json can't be used: (.*)\n$/.exec(stderr) ?? [];
    expect(said).toEqual(reason);
  });

  test.each([
    ["a stack without channels", exported()],
    ["a stack without any", exported(observed("gone", {}, { delete: true }))],
  ])("%s has no channels", async (_, content) => {
    const { code, stdout, stderr } = await run(content);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      /stack\.json contains no alert channels: declare AlertChannel resources in its stack\.\n$/,
    );
  });

  test("no file", async () => {
    const ended = await audit(["--rules", fileWith(strict), "--state", "nowhere.json"]);
    expect(ended).toEqual({
      code: 2,
      stdout: "",
      stderr: "nowhere.json can't be used: no such file or directory\n",
    });
  });
});

test("resources are found wherever chunks end: in strings, escapes and keys", () => {
  const odd = observed('"\\{[}]', {
    text: '\\"}],"resources":[{',
    nested: [[{}], { deployment: { resources: [{}] } }],
    letters: "ä€😀".repeat(400_000),
  });
  const file = join(temporaryFolder(), "stack.json");
  for (const padding of [0, 1, 2, 3]) {
    writeFileSync(file, " ".repeat(padding) + exported(odd, ...seeded, odd));
    const { deployment } = JSON.parse(readFileSync(file, "utf8")) as { deployment: { resources: object[] } };
    expect([...resourcesIn(file, "")].map((one) => JSON.stringify(one))).toEqual(
      deployment.resources.map((one) => JSON.stringify(one)),
    );
  }
});

test("a channel is audited although another account has one with its id", async () => {
  const mail = (host: string, sendFailure: boolean) => ({
    ...{ channelId: 4101, type: "EMAIL", config: {}, sendFailure },
    origin: { host, path: "/", accountId: "a" },
  });
  const state = exported(observed("eu", mail("eu.example", true)), observed("us", mail("us.example", false)));
  const { code, stdout } = await run(state, "rules: { send-failure: error }\n");
  expect([code, stdout.split("\n")[0]]).toEqual([
    1,
    "error  4101 us (account a on us.example)  send-failure  sendFailure: false, expected true",
  ]);
});
