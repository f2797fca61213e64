/** Channels that the rule file names, and that a stack's state doesn't have. */
import { dynamicToken } from "../../provider/resourceTypes";
import { audit, fileWith } from "./auditing";

const type = dynamicToken("AlertChannel");
const resources = [
  {
    urn: `urn:pulumi:prod::alerts::${type}::duty`,
    type,
    id: "4109",
    outputs: { channelId: 4109, type: "EMAIL", config: {}, sendFailure: true },
  },
];
const state = JSON.stringify({ version: 3, deployment: { resources } });
const run = (channels: string, ...args: string[]) => {
  const rules = fileWith(`rules: { send-failure: error }\nchannels: ${channels}\n`);
  return audit(["--rules", rules, "--state", fileWith(state, "stack.json"), ...args]);
};

it("aren't audited, which the report says, and the audit doesn't pass", async () => {
  const { code, stdout } = await run('{ duty: 4109, operations: 4107, ops: "4107", tickets: 4106 }');
  const lines = stdout.split("\n").map((line) => line.replace(/ +/g, " ").replace(/\S+(?=stack\.json)/, ""));
  const reason =
    "channel: not read: it isn't in stack.json; declare an AlertChannel resource for it, expected a readable channel";
  expect(lines.slice(0, 2)).toEqual([
    `error 4106 tickets channel-read ${reason}`,
    `error 4107 ops channel-read ${reason}`,
  ]);
  expect({ code, counted: lines.at(-2) }).toEqual({
    code: 3,
    counted: "2 errors, 0 warnings (1 channel, 5 rules, 2 not read)",
  });
});

it.each([
  ["there is none", "{ duty: 4109 }", []],
  ["others are requested", "{ duty: 4109, operations: 4107 }", ["--channel", "duty"]],
])("change nothing when %s", async (_, channels, args) => {
  const { code, stdout } = await run(channels, ...args);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "No findings (1 channel, 5 rules)\n" });
});
