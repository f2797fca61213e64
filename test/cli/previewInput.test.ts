/** `monitoring preview`: its input, its files and its arguments. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { runPreview } from "../../cli/preview";
import { temporaryFolder } from "../temporaryFolder";
import { dynamic, posts, run, urn } from "./previewing";

it("says that nothing changes", async () => {
  const same = [{ op: "same", urn: urn("pulumi:pulumi:Stack", "shop-dev") }];
  expect(await run({ steps: same })).toEqual({
    code: 0,
    stdout: "## Preview: nothing will be posted\n\nThe stack is unchanged.\n",
    stderr: "",
  });
});

it("writes the comment to a file, and the whole preview to the log", async () => {
  const folder = temporaryFolder();
  const output = join(folder, "preview.md");
  const steps = [{ op: "create", urn: urn("aws:s3:Bucket", "b") }];
  const diagnostics = [
    ...dynamic(...posts("over", "All good.")),
    { message: "error: ##vso[x] \u001b[2J of others\n  second line\n", severity: "error" },
  ];
  const { code, stdout } = await run({ steps, diagnostics }, "--output", output);
  expect(code).toBe(1);
  expect(readFileSync(output, "utf8")).toMatch(/^## The preview fails\n\n\*\*IncidentUpdate "over"/);
  expect(stdout.split("\n")).toEqual([
    "create  urn:pulumi:dev::shop::aws:s3:Bucket::b",
    ...posts("over", "All good."),
    "error: # #vso[x]  [2J of others",
    "  second line",
    "",
    "The preview fails",
    "",
  ]);
});

it.each([
  ["for a reason that the JSON lacks", JSON.stringify({ steps: [] })],
  ["before the preview", "\n"],
])("says that Pulumi failed %s", async (_, input) => {
  expect(await run(input, "--exit-code", "255")).toEqual({
    code: 1,
    stdout: "## The preview fails\n\nPulumi failed: see the log.\n",
    stderr: "",
  });
  expect(await run("Updating", "--exit-code", "255")).toMatchObject({ code: 2 });
});

it.each([
  ["", "it is empty, because pulumi failed before the preview"],
  ["Previewing update (dev):", "it is not JSON"],
  ["{}", "it has neither steps nor diagnostics"],
  ["[]", "Invalid input: expected object, received array"],
  ['{"steps":[{"op":1,"urn":"u"}]}', "steps: 0: op: Invalid input: expected string, received number"],
])("of %j says what it expected, and the command that makes it", async (input, reason) => {
  expect(await run(input)).toEqual({
    code: 2,
    stdout: "",
    stderr:
      `Standard input isn't what \`pulumi preview --json\` prints: ${reason}. Run \`pulumi preview --json > preview.json\`, ` +
      "then `monitoring preview preview.json`.\n",
  });
});

it("names a file that it can't read or write", async () => {
  expect(await run("", join(temporaryFolder(), "none.json"))).toMatchObject({
    code: 2,
    stderr: /none\.json can't be read/,
  });
  expect(await run("{}", "--output", temporaryFolder())).toMatchObject({
    code: 2,
    stderr: /can't be written: it is a directory/,
  });
});

it.each<[string[], RegExp]>([
  [["a.json", "b.json"], /One FILE can be given, not 2/],
  [["--log", "javascript:alert(1)"], /--log must be an address that begins with https:\/\//],
  [["--log", "https://x.example/>"], /--log must be an address/],
  [["--output", ""], /--output must not be empty/],
  [["--exit-code", "x"], /--exit-code must be a number, not "x"/],
])("rejects %j", async (args, message) => {
  await expect(run("{}", ...args)).rejects.toThrow(message);
});

it("asks for a file on a terminal", async () => {
  const stdin = Object.assign(Readable.from([]), { isTTY: true });
  await expect(runPreview([], { stdin, stdout: new Writable(), stderr: new Writable() })).rejects.toThrow(
    /Give the FILE that `pulumi preview --json > FILE` writes/,
  );
});
