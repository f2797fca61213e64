import { redactConfig } from "../../provider/credentials";
import { dynamicToken } from "../../provider/engine";
import { seedData } from "../../sandbox";
import {
  audit,
  auditState,
  exported,
  fileWith,
  linesOf,
  observed,
  reportIn,
  silence,
  urnOf,
} from "./running";

const [account] = seedData().accounts;
const seeded = account.alertChannels.map(({ id, config, created_at, updated_at, ...rest }) => {
  const known = { channelId: id, config: redactConfig({ type: rest.type, config }, account.id) };
  const outputs = { ...rest, ...known, createdAt: created_at, updatedAt: updated_at };
  return observed(`channel-${id}`, outputs);
});

const good = { channelId: 1, type: "EMAIL", config: {}, sendFailure: true };
/** A secret as in an export. */
const secret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "v1:x",
};

const strict = "extends: strict\n";
const run = (state: string, rules = strict, ...args: string[]) => auditState(state, rules, ...args);

const noFindings = /^No findings \(1 channel, 5 rules of .*\)\n$/;

test("the channels in a stack's state are audited offline", async () => {
  const { code, stdout, stderr } = await run(exported(...seeded));
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const expected = [
    expect.stringMatching(/^error 4106 channel-4106 https-hook config\.url: http, expected https\./),
    expect.stringMatching(/^error 4106 channel-4106 public-hook config\.url: a private address/),
    "error 4107 channel-4107 send-failure sendFailure: false, expected true. Turn failure alerts on in the channel's settings.",
    expect.stringMatching(/^error 4108 channel-4108 duplicate-target config\.address: same as in 4107/),
    expect.stringMatching(
      /^error 4102 channel-4102 credential-reference config\.apiKey: a secret in plain text/,
    ),
  ];
  expect(linesOf(stdout)).toEqual(expect.arrayContaining(expected));
  expect(linesOf(stdout).at(-2)).toMatch(/\(12 channels, \d+ rules of /);
});

describe("channels are requested", () => {
  const rules = `${strict}channels: { mail: 4107 }\n`;

  test("by the name of the resource or in the rule file, or by id", async () => {
    const asked = ["channel-4101", "mail", "4107", "4103"].flatMap((one) => ["--channel", one]);
    const { stdout } = await run(exported(...seeded), rules, "--format", "json", ...asked);
    expect(reportIn(stdout).channels.map(({ id }) => id)).toEqual([4101, 4103, 4107]);
  });

  test("and rejected when there is none of these", async () => {
    const { code, stderr } = await run(exported(...seeded), rules, "--channel", "9", "--channel", "mial");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^--channel "9" is neither an id nor a name of a channel in .*stack\.json\.\n--channel "mial" is neither /,
    );
  });
});

test("secret outputs are named, and their channel isn't evaluable", async () => {
  const hook = observed("hook", { ...good, config: secret }, { id: "1" });
  const mail = observed("mail", { ...good, channelId: secret, config: secret }, { id: "2" });
  const { code, stdout } = await run(exported(hook, mail));
  expect(code).toBe(3);
  const why = "channel-read channel: the stack keeps these outputs secret:";
  expect(linesOf(stdout).filter((line) => line.startsWith("not evaluable"))).toEqual([
    expect.stringContaining(`not evaluable 1 hook ${why} config; audit`),
    expect.stringContaining(`not evaluable 2 mail ${why} channelId, config;`),
  ]);
});

test.each([
  ["a secret output that the audit doesn't use", exported(observed("mail", { ...good, account: secret }))],
  ["a byte order mark", `\ufeff${exported(observed("mail", good))}`],
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
    { urn: urnOf("bare"), id: "7", type: dynamicToken("AlertChannel") },
    observed("replaced", silent, { delete: true }),
    observed("other", silent, { type: dynamicToken("StatusPage") }),
  );
  const { code, stdout } = await run(state, silence);
  expect(code).toBe(3);
  const unusable = (fields: string) =>
    `its outputs in the stack are unusable (${fields}); run \`pulumi refresh\``;
  expect(linesOf(stdout).slice(0, 3)).toEqual([
    "not evaluable 2 gone channel-read channel: it didn't exist on the service at the last refresh; remove its resource, or run `pulumi refresh` if it is back",
    `not evaluable 3 empty channel-read channel: ${unusable("channelId, type, config")}`,
    `not evaluable 7 bare channel-read channel: ${unusable("all of them")}`,
  ]);
  expect(stdout).toMatch(/\(1 channel, 5 rules of .*, 3 not evaluable, 3 of them blocking\)/);
});

describe("not a stack export: exit code 2, one line", () => {
  const notOne =
    "can't be used: it isn't a whole stack export, or the stack is empty; create one with `pulumi stack export --file FILE`";
  const noChannels = "contains no alert channels: declare AlertChannel resources in its stack.";
  const utf16 = Buffer.from(exported(...seeded), "utf16le").toString("latin1");

  test.each<[string, string, unknown]>([
    ["other JSON", '{"deployment": {"resources": {}}}', notOne],
    ["a checkpoint of a backend", '{"checkpoint": {"latest": {"resources": []}}}', notOne],
    ["no JSON", "resources:\n  - x\n", notOne],
    ["UTF-16, as PowerShell writes it", utf16, "can't be read: it is UTF-16; save it as UTF-8"],
    ["an export that was cut off", exported(...seeded).slice(0, 9_000), notOne],
    ["a stack without channels", exported(), noChannels],
    ["a stack without any", exported(observed("gone", {}, { delete: true })), noChannels],
  ])("%s", async (_, content, mistake) => {
    const { code, stdout, stderr } = await run(content);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(/^\S+stack\.json (.*)\n$/.exec(stderr)?.[1]).toEqual(mistake);
  });

  test("no file", async () => {
    const stderr = "nowhere.json can't be read: no such file or directory\n";
    const ended = await audit(["--rules", fileWith(strict), "--state", "nowhere.json"]);
    expect(ended).toEqual({ code: 2, stdout: "", stderr });
  });
});

describe("channels that the rule file names, and the state doesn't have,", () => {
  const duty = exported(observed("duty", { ...good, channelId: 4109 }));
  const runWith = (channels: string, ...args: string[]) =>
    run(duty, `${silence}channels: ${channels}\n`, ...args);

  test("aren't audited, which the report says, and the audit doesn't pass", async () => {
    const { code, stdout } = await runWith('{ duty: 4109, operations: 4107, ops: "4107", tickets: 4106 }');
    const lines = linesOf(stdout).map((line) => line.replace(/\S+(?=stack\.json)/, ""));
    const reason = "channel: it isn't in stack.json; declare an AlertChannel resource for it";
    expect(code).toBe(3);
    expect(lines[0]).toBe(`not evaluable 4106 tickets, 4107 ops channel-read ${reason}`);
    expect(lines.at(-2)).toMatch(
      /^Not fully evaluable \(1 channel, 5 rules of .*, 2 not evaluable, 2 of them blocking\)$/,
    );
  });

  test("change nothing when others are requested", async () => {
    const { code, stdout } = await runWith("{ duty: 4109, operations: 4107 }", "--channel", "duty");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(noFindings) });
  });
});
