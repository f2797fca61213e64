/** `monitoring audit --channels FILE`: channels that a plan creates, before they exist. */
import { audit, writeTemporaryFile, listLines, silence } from "../running";

const secret = "hunter2-of-the-hook";
const webhook = {
  type: "WEBHOOK",
  config: { name: "tickets", url: `http://hooks.quillmarket.dev/${secret}` },
};
const mail = { id: 4107, type: "EMAIL", config: { address: "ops@quillmarket.dev" }, sendFailure: false };

const run = (content: unknown, ...args: string[]) =>
  audit(["--channels", writeTemporaryFile(JSON.stringify(content), "channels.json"), ...args]);

test("channels in a file are audited without the service, with the rule file if one exists, and no secret is printed", async () => {
  const { code, stdout, stderr } = await run([webhook, mail]);
  expect([code, stderr]).toEqual([1, ""]);
  expect(listLines(stdout)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^error new-1 tickets WEBHOOK https-hook config\.url: http, expected https/),
      expect.stringMatching(/^error 4107 \S+ EMAIL send-failure sendFailure: false, expected true/),
    ]),
  );
  expect(stdout).not.toContain(secret);
  const named = await run(
    [mail],
    "--rules",
    writeTemporaryFile(`${silence}channels: { mail: 4107, gone: 1 }\n`),
  );
  expect(named.code).toBe(1);
  expect(listLines(named.stdout)[0]).toMatch(/^error 4107 mail EMAIL send-failure/);
  expect(named.stdout).not.toContain("gone");
});

test("a channel in a file is found by an ID that is a string, and an invalid channel doesn't pass", async () => {
  const { code, stdout } = await run([{ ...mail, id: "4107" }, { type: "EMAIL" }]);
  expect(code).toBe(3);
  expect(stdout).toMatch(/error +4107 /);
  expect(stdout).toMatch(/not evaluable +new-2 .*these fields don't match the API: config/);
});

test.each([
  ["an empty list", []],
  ["an object", { channels: [mail] }],
  ["a list of names", ["mail"]],
])("a file of channels that has %s is rejected", async (_, content) => {
  const { code, stderr } = await run(content);
  expect(code).toBe(2);
  expect(stderr).toMatch(/channels\.json can't be used, because it isn't a JSON list of alert channels/);
});
