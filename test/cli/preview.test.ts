/** `monitoring preview`: its input, and what a preview says, as a comment. Real previews: test/engine/preview.test.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { runPreview } from "../../cli/preview";
import { printed } from "../../provider/texts/printable";
import { conditionalText, previewText, searchedText } from "../../provider/protocol";
import { declaration, update } from "../protocol/steps";
import { temporaryFolder } from "../temporaryFolder";
import {
  commentOf,
  dynamic,
  dynamicUpdate,
  type Message,
  native,
  nativeUpdate,
  posts,
  run,
  shown,
  urn,
} from "./previewing";

it("says what will be posted where, and shows the text as it will be public", async () => {
  const text = `We rolled it back.\n\nOrders between 9:00 and 9:40 were not charged: ${"see our page ".repeat(9)}.`;
  const markdown = await commentOf([
    ...dynamic(...posts("over", text, "every subscriber is emailed")),
    native("two", ...posts("two", "Two\nlines.")),
  ]);
  expect(markdown).toMatch(/^## Preview: 2 updates will be posted, 1 with an email to every subscriber\n/);
  const { text: seen } = shown(markdown);
  expect(seen).toContain(
    'IncidentUpdate "over" posts to "Checkout" (inc_1)\nMONITORING, every subscriber is emailed:',
  );
  expect(seen).toContain(text);
  expect(seen).toContain("Two\nlines.");
  expect(markdown).toMatch(/^> Two\\\n> lines\.$/m);
});

const subject = {
  resource: urn(nativeUpdate, "posts to"),
  declared: declaration({ incidentId: "i", status: "RESOLVED", description: "All good." }),
  isTextSecret: false,
};
const previewed = (given: object) =>
  previewText({ notices: [], incidentName: ", posts to", ...given }, subject).notices;

it.each<[string, ReturnType<typeof previewed>, string]>([
  ["a post", previewed({ effect: "posts" }), "1 update will be posted"],
  [
    "a post that waits for another",
    previewed({ effect: "posts", isBehind: true }),
    "1 update will be posted",
  ],
  ["a post that is sent again", previewed({ effect: "posts", resent: { at: 0 } }), "1 update will be posted"],
  [
    "an edit",
    previewed({ effect: "posts", replaced: { status: "MONITORING", description: "Slow" } }),
    "1 update will be posted",
  ],
  [
    "an adoption",
    previewed({ notices: [{ tell: "adopted", update: update("u") }] }),
    "nothing will be posted",
  ],
  [
    "a wait",
    previewed({ effect: "waits", notices: [{ tell: "waits", ms: 1, isLater: false }] }),
    "1 update may be posted",
  ],
  ["no response", previewed({ noResponse: "HTTP 503." }), "1 update may be posted"],
  [
    "what only an up can settle",
    previewed({ failure: { why: "unsettledTwin", text: "Why." } }),
    "1 update may be posted",
  ],
  ["an unconfirmed update", [searchedText(subject)], "1 update may be posted"],
  ["what isn't known", [conditionalText({ ...subject, declared: {} })], "1 update may be posted"],
])("counts %s", async (_, notices, verdict) => {
  const lines = notices.map(printed).join("\n").split("\n");
  for (const messages of [dynamic(...lines), [native("posts to", ...lines)]]) {
    const markdown = await commentOf(messages);
    expect(markdown.split("\n")[0]).toBe(`## Preview: ${verdict}`);
    const { text } = shown(markdown);
    for (const line of lines) expect(text).toContain(line.replace(/^ {2}(\| )?/, ""));
  }
});

it("keeps the lines of updates apart from those of the program and of others between them", async () => {
  const [heading = "", ...rest] = posts("one", "First.\nSecond.");
  const markdown = await commentOf([
    ...dynamic(heading),
    native("two", ...posts("two", "Other.")),
    { message: "printed by the program\n\n", severity: "info" },
    { urn: urn("aws:s3:Bucket", "b"), message: "  | not ours\n", severity: "info" },
    ...dynamic(...rest),
  ]);
  expect(shown(markdown).text).toContain("First.\nSecond.");
  expect(markdown).not.toMatch(/program|not ours/);
});

const evil = [
  "# Big **bold** _it_ ~~x~~ `code` \\* | a | b |",
  '</pre><b onclick="x()">bold</b> &lt; &amp;amp; <!-- hidden --> <script>',
  "@everyone @acme/oncall a@example.com #12 acme/shop#1 GH-1 !3 $x$ %4 ~bug &5 ^6 :tada:",
  "[link](https://evil.example) ![image](http://evil.example/x.png) [x]: /y [^1]",
  "https://evil.example www.evil.example ftp://evil.example <https://evil.example>",
  "deadbeef 7f3a1c20 0123456789abcdef0123456789abcdef01234567",
  "- list",
  "+ list",
  "1. list",
  "12) list",
  "> quote",
  "===",
  "---",
  "    code",
  'IncidentUpdate "x" posts to "y" (z)',
  "  MONITORING, every subscriber is emailed:",
  "  | text",
];

it("shows hostile texts as they are, and makes nothing of them", async () => {
  const text = evil.join("\n");
  const { text: seen, html } = shown(await commentOf(dynamic(...posts("over", text))));
  expect(seen.trim().split("\n").slice(-evil.length)).toEqual(
    evil.map((line) => line.replace(/ (?= )/g, " ")),
  );
  expect(html.replace(/<!-- -->/g, "").match(/<[a-z]\w*/g)).toEqual([
    "<h2",
    "<p",
    "<strong",
    "<br",
    "<blockquote",
    "<p",
    ...Array.from({ length: evil.length - 1 }, () => "<br"),
  ]);
  // What a code host looks for in what is rendered.
  const parts = html
    .split(/<[^>]*>/)
    .map((part) => part.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))));
  for (const part of parts) {
    expect(part).not.toMatch(/[@#!$%~^]\w|GH-\d|:\w+:|:\/\/|www\.|\b[\da-f]{7,40}\b/);
  }
});

it("shows what the terminal would act on as escapes", async () => {
  const { text } = shown(await commentOf(dynamic(...posts("over", "\u001b[2J\u202eabc\u2028def"))));
  expect(text).toContain("\\u{1b}[2J\\u{202e}abc\\u{2028}def");
  const smuggled = await commentOf([
    ...dynamic('IncidentUpdate "a" posts to \u202e\u0007x', "  | \u2028\u001b[2J"),
  ]);
  expect(smuggled).not.toMatch(/[^\P{C}\n]|\u2028/u);
});

it("counts what a long text has left", async () => {
  const { text } = shown(await commentOf(dynamic(...posts("over", "y ".repeat(30_000)))));
  expect(text).toContain("y\n… and 57,000 more characters");
});

it.each([
  ["50 updates with texts of 800 characters", 50, "It is slow. ".repeat(66), 50],
  ["texts that grow when they are escaped", 50, "@".repeat(800), 5],
  ["one text that grows", 1, "@".repeat(3_000), 1],
  ["more updates than fit", 600, "All good.", 0],
])("stays below GitHub's limit with %s, and says what is left out", async (_, count, text, whole) => {
  const lines = Array.from({ length: count }, (__, index) => posts(`n${index}`, text)).flat();
  const markdown = await commentOf(dynamic(...lines));
  expect(markdown.length).toBeLessThanOrEqual(65_000);
  const { text: seen } = shown(markdown);
  expect(seen.split(text.trim()).length - 1).toBeGreaterThanOrEqual(whole);
  const isCut = /\*\*This comment is full: .*(left out|not listed)\.\*\* They are in the log\./.test(
    markdown,
  );
  expect(isCut).toBe(seen.split(text.trim()).length - 1 < count);
});

it("says what is refused, and counts what isn't of this package", async () => {
  const error = (message: string, of?: string): Message => ({
    ...(of && { urn: of }),
    message,
    severity: "error",
  });
  const input = {
    steps: [
      { op: "create", urn: urn("pulumi:pulumi:Stack", "shop-dev") },
      { op: "same", urn: urn("aws:s3:Bucket", "kept") },
      { op: "create-replacement", urn: urn("aws:s3:Bucket", "b") },
      { op: "replace", urn: urn("aws:s3:Bucket", "b") },
      { op: "create", urn: urn(nativeUpdate, "x") },
      { op: "delete", urn: urn(dynamicUpdate, "gone") },
    ],
    diagnostics: [
      error("error: Preview failed: IncidentUpdate on incident i: no @all.\n", urn(nativeUpdate, "x")),
      error('error: OpenIncidentGate "gate": 1 open incident.\n'),
      error("error: Running program failed: secret-key-of-somebody\n"),
      error("error: preview failed\n"),
    ],
  };
  const { code, stdout } = await run(input, "--log", "https://ci.example/1");
  expect(code).toBe(1);
  expect(stdout.split("\n\n")).toEqual([
    "## The preview fails",
    '- 🔴 IncidentUpdate on incident i: no &#64;<!-- -->all.\n- 🔴 OpenIncidentGate "gate": 1 open incident.',
    '**IncidentUpdate "gone"** is removed from the state only: what it posted stays public.',
    "1 other resource would change, 1 other error: see [the log](<https://ci.example/1>).\n",
  ]);
});

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
