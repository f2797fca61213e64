/** Tests what `monitoring preview` runs, what it logs, writes and leaves behind. test/journeys/preview.test.ts runs real previews. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { delimiter, dirname, join } from "node:path";
import {
  getPulumiOption,
  create,
  formatEvents,
  createFact,
  fakePulumi,
  getHeading,
  preview,
  previewByCommand,
  run,
  shown,
  stream,
  updateUrn,
} from "./previewing";
import { until } from "../../client/services";
import { Captured } from "../running";
import { temporaryFolder } from "../../temporaryFolder";

it("a preview runs Pulumi with a private file for the facts, which is deleted afterwards", async () => {
  const folder = fakePulumi({ steps: [create("a")], facts: [createFact("a")] });
  const { code } = await run([...getPulumiOption(folder), "--stack", "my stack", "--", "--target", "x y"]);
  expect(code).toBe(0);
  const ran = JSON.parse(readFileSync(join(folder, "runs.jsonl"), "utf8")) as { file: string };
  const own = ["preview", "--json", "--non-interactive", "--color=never"];
  const args = [...own, "--stack", "my stack", "--target", "x y"];
  expect(ran).toMatchObject({ args, modes: ["600", "700"] });
  expect(existsSync(dirname(ran.file))).toBe(false);
});

it("a preview runs the Pulumi CLI on the PATH, even if npm put a package's CLI before it", async () => {
  const installed = fakePulumi({ steps: [create("a")], facts: [createFact("a")] });
  const bin = join(temporaryFolder(), "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "pulumi"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  writeFileSync(
    join(installed, "pulumi"),
    `#!/bin/sh\nexec "${process.execPath}" "${join(installed, "pulumi.js")}" "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const { code } = await run([], { PATH: [bin, installed, process.env["PATH"]].join(delimiter) });
  expect(code).toBe(0);
});

it("a comment shows the table of a failed audit, and the terminal shows its lines", () => {
  const text =
    'AlertChannelAudit "channels": the audit failed.\nerror  4106  WEBHOOK  https-hook  config.url: http';
  const table = "| Channel | Finding |\n| --- | --- |\n| 4106 | https-hook |";
  const facts = [{ format: 3, is: "error", text, markdown: table }];
  const { markdown, report } = preview({
    facts,
    diagnostics: [{ message: text, severity: "error" }],
    exitCode: 1,
  });
  expect(report.errors).toEqual([text]);
  expect(markdown).toContain(`the audit failed.\n\n${table}\n`);
  expect(markdown).not.toContain("&nbsp;");
  const long = preview({
    facts: [{ ...facts[0], markdown: `${table}${" ".repeat(20_000)}|` }],
    diagnostics: [{ message: text, severity: "error" }],
    exitCode: 1,
  });
  expect(long.markdown).not.toContain(table);
});

it("a preview marks each line of foreign output in the log, and disarms commands within a line", async () => {
  const diagnostics = [
    { message: "::add-mask::x\n  ::error::y\n##vso[x] \u001b[2J\rz\n", severity: "info" },
    { message: "Downloading: 12 %", severity: "info", ephemeral: true },
  ];
  const steps = [create("x"), create("a\n::stop-commands::x")];
  // This is more than a pipe can buffer.
  const end = "the end".repeat(20_000);
  const stdout = `::stop-commands::a\r\n${formatEvents(steps, diagnostics)}${end}`;
  const { stderr } = await previewByCommand({ stdout, facts: [createFact("x")] });
  expect(stderr.trim().split("\n")).toEqual([
    "| ::stop-commands::a",
    "| create  monitoring:index:IncidentUpdate  x",
    "| create  monitoring:index:IncidentUpdate  a ::stop-commands::x",
    "| ::add-mask::x",
    "|   ::error::y",
    "| # #vso[x]  [2J z",
    `| ${end}`,
  ]);
});

const commit = "abc1234def567890abc1234def567890abc12345";

describe("standard output for a user,", () => {
  const words = "We rolled it back, and we keep watching the orders of all shops in Europe and Asia.";
  const advice = "run `pulumi config set monitoring:resend f2525649`, then `pulumi up`, at ::error::x";
  const facts = [
    createFact("over", { emails: true, text: `${words}\n::error::z` }),
    createFact("then", { posts: "may", notices: [advice] }),
  ];
  const printed = { steps: [create("over"), create("then")], facts };
  const lines = [
    "Preview (dev) of abc1234: 1 update will be posted, with an email to every",
    "  subscriber, 1 update may be posted",
    "",
    'IncidentUpdate "over" posts to "Checkout" (inc_1)',
    "  MONITORING, every subscriber is emailed:",
    "  | We rolled it back, and we keep watching the orders of all shops in Europe",
    "  ↳ and Asia.",
    "  | ::error::z",
    "",
    'IncidentUpdate "then" posts to "Checkout" (inc_1)',
    "  run `pulumi config set monitoring:resend f2525649`, then `pulumi up`, at",
    "    : :error::x",
    "  MONITORING, no subscriber is emailed:",
    "  | All good.",
    "",
    `commit ${commit}`,
    "log https://ci.example/1",
    "",
  ];
  const job = { GIT_COMMIT: commit, BUILD_URL: "https://ci.example/1" };

  it("standard output contains the lines for a terminal, wrapped and without commands to the job's host, even in a file", async () => {
    const file = join(temporaryFolder(), "preview");
    const folder = fakePulumi(printed);
    const { stdout } = await run([...getPulumiOption(folder), "--output", file], job);
    expect(stdout.split("\n")).toEqual(lines);
    expect(readFileSync(file, "utf8")).toMatch(/^## Preview \(dev\) of abc1234: 1 update will be posted/);
    await run([...getPulumiOption(folder), "--output", file, "--format", "text"], job);
    expect(readFileSync(file, "utf8")).toBe(stdout);
    expect(await run([...getPulumiOption(folder), "--output", "-"], job)).toMatchObject({ stdout });
    expect(existsSync("-")).toBe(false);
  });

  it("a terminal shows colors unless NO_COLOR is set, and its width is used", async () => {
    const terminal = (environment: NodeJS.ProcessEnv, columns: number) =>
      run([...getPulumiOption(fakePulumi(printed))], environment, { isTTY: true, columns });
    const { stdout } = await terminal({}, 60);
    expect(stdout.startsWith("\u001b[33mPreview (dev): 1 update will be posted, ")).toBe(true);
    // If the terminal wrapped the line, the second part would lack the mark of quoted text.
    const { stdout: narrow } = await terminal({ NO_COLOR: "1" }, 30);
    expect(narrow).toContain("\n  | We rolled it back, and we\n");
    expect(narrow).not.toContain("\u001b");
    expect((await terminal({ NO_COLOR: "1" }, 19)).stdout).toContain(lines[5]);
    expect((await terminal({ NO_COLOR: "1" }, 20)).stdout).not.toContain(lines[5]);
  });
});

it("a preview deletes the comment and the report of an earlier job, however it ends", async () => {
  const output = join(temporaryFolder(), "preview.md");
  const args = ["--stack", "eu", "--output", output, "--pulumi", "no-such-command"];
  const job = { GIT_COMMIT: commit, BUILD_URL: "https://ci.example/1" };
  expect(await run(args, job)).toMatchObject({
    code: 2,
    stderr: "no-such-command can't be run: no such file or directory. Set the command with --pulumi.\n",
  });
  expect(readFileSync(output, "utf8")).toBe(
    `## No preview (eu) of abc1234\n\nSee the log.\n\n_commit ${commit}, [log](<https://ci.example/1>)_\n`,
  );
  await run(args.slice(2), { ...job, PULUMI_STACK: "us" });
  expect(readFileSync(output, "utf8")).toContain("## No preview (us) of");
  await run([...args, "--format", "json"], job);
  expect(JSON.parse(readFileSync(output, "utf8"))).toMatchObject({
    result: "failed",
    problem: "The job ended before the preview was complete: see the log.",
  });
});

it("a preview shows no commit and no log if the variables of a job are invalid", async () => {
  const job = { GIT_COMMIT: "main", BUILD_URL: "javascript:alert(1)" };
  const { stdout } = await run(
    getPulumiOption(fakePulumi({ steps: [create("a")], facts: [createFact("a")] })),
    job,
  );
  expect(stdout).toMatch(/^Preview \(dev\): 1 update/);
  expect(stdout).not.toContain("alert");
});

const long = `${"It is slow. ".repeat(4_250)}Send your password.`;

it("a preview's heading reports that a comment is incomplete, and standard output contains each text", async () => {
  const output = join(temporaryFolder(), "preview.md");
  const facts = ["one", "two"].map((name) => createFact(name, { text: long }));
  const folder = fakePulumi({ steps: [create("one"), create("two")], facts });
  const { stdout } = await run([...getPulumiOption(folder), "--output", output]);
  const markdown = readFileSync(output, "utf8");
  expect(getHeading(markdown)).toBe("## Preview (dev): 2 updates will be posted, not shown in full");
  expect(shown(markdown).text.split("Send your password.")).toHaveLength(2);
  expect(stdout.split("Send your password.")).toHaveLength(3);
});

it("a preview detects the selected part from Pulumi's options and from the equivalent variables", async () => {
  const options = ["--format", "json", "--", "--target", "a"];
  const folder = fakePulumi({});
  const { stdout } = await run([...getPulumiOption(folder), ...options], {
    PULUMI_OPTION_EXCLUDE: "**x**",
    "-t": "b",
  });
  expect(JSON.parse(stdout)).toMatchObject({ part: "--target a PULUMI_OPTION_EXCLUDE=**x**" });
  const own = ["preview", "--json", "--non-interactive", "--color=never"];
  expect(JSON.parse(readFileSync(join(folder, "runs.jsonl"), "utf8"))).toMatchObject({
    args: [...own, "--target", "a"],
  });
});

/** Starts a preview whose Pulumi logs a step and then waits for a signal. */
async function waiting() {
  const folder = temporaryFolder();
  const [command, told] = [join(folder, "waits.js"), join(folder, "told")];
  const tells = `require("fs").writeFileSync(${JSON.stringify(told)}, process.env.MONITORING_PREVIEW_FACTS)`;
  const ends = `for (const name of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.once(name, () => { console.error("ended by " + name); process.exit(1); })`;
  const steps = `console.log(${JSON.stringify(stream[1])}); setTimeout(process.exit, 5_000)`;
  writeFileSync(command, `${ends}; ${tells}; ${steps}`);
  const events = ["SIGINT", "SIGTERM", "SIGHUP", "exit"] as const;
  const listeners = () => events.map((event) => process.rawListeners(event));
  const [stderr, before] = [new Captured(), listeners()];
  const ended = run(["--pulumi", `${process.execPath} ${command}`], {}, { stderr });
  await until(() => stderr.text !== "");
  expect(stderr.text).toBe("| create  monitoring:index:IncidentUpdate  x\n");
  /** Calls the listeners as Node does on a process event. */
  const send = (event: (typeof events)[number]) => {
    for (const listener of process.rawListeners(event))
      if (!before.flat().includes(listener)) Reflect.apply(listener, process, [event]);
  };
  return {
    facts: readFileSync(told, "utf8"),
    send,
    ended,
    expectNoListener: () => expect(listeners()).toEqual(before),
  };
}

it.each([
  ["SIGTERM", "SIGTERM"],
  // The engine only cleans up on SIGTERM.
  ["SIGHUP", "SIGTERM"],
  ["SIGINT", "SIGINT"],
] as const)(
  "a preview logs each step at once, and on %s ends Pulumi with %s and deletes the facts",
  async (sent, got) => {
    const { facts, send, ended, expectNoListener } = await waiting();
    expect(existsSync(facts)).toBe(true);
    send(sent);
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^The preview .*failed\n/) });
    expect(stderr).toContain(`| ended by ${got}\n`);
    expect(existsSync(dirname(facts))).toBe(false);
    expectNoListener();
  },
);

it("a preview deletes the facts even if its process exits early", async () => {
  const { facts, send, ended } = await waiting();
  send("exit");
  expect(existsSync(dirname(facts))).toBe(false);
  send("SIGTERM");
  await expect(ended).rejects.toThrow("ENOENT: no such file or directory, open");
});

it("a preview's error names the temporary folder if it can't be used", async () => {
  const missing = join(temporaryFolder(), "missing");
  const folder = jest.spyOn(os, "tmpdir").mockReturnValue(missing);
  const { code, stderr } = await run([]);
  folder.mockRestore();
  expect(code).toBe(2);
  expect(stderr).toBe(
    `The temporary folder ${missing} can't be used: no such file or directory. Set TMPDIR to a writable folder.\n`,
  );
});

it("a preview's error names an output file that can't be written, and Pulumi isn't run", async () => {
  const folder = fakePulumi({});
  expect(await run([...getPulumiOption(folder), "--output", temporaryFolder()])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("can't be written: the path is a directory"),
  });
  expect(existsSync(join(folder, "runs.jsonl"))).toBe(false);
});

it.each([
  [
    "preview.json",
    'Unexpected argument "preview.json": additional arguments for `pulumi preview` go after --',
  ],
  ["--format html", "--format must be one of"],
])("the arguments %s are rejected", async (args, message) => {
  await expect(run(args.split(" "))).rejects.toThrow(message);
});

it("a preview explains Pulumi's last lines, which only the log contains", async () => {
  const words = "error: no stack named 'hunter2' found";
  const stderr = `warning: project\n${words}\n \n`;
  const ended = await previewByCommand({ stdout: "", stderr, exitCode: 6 });
  const problem =
    "Pulumi ended (exit code 6) before it had a plan. Its last message is about the stack. See the log.";
  expect([ended.code, ended.stdout]).toEqual([1, `## The preview failed\n\n${problem}\n`]);
  expect(ended.stderr).toBe(`| warning: project\n| ${words}\n|  \n\n`);
});

it("a preview reads a line of 60 MB in linear time, and reports that Pulumi was killed", async () => {
  const command = join(temporaryFolder(), "large.js");
  const inputs = '{ text: "x".repeat(6e7) }';
  const step = `{ resourcePreEvent: { metadata: { op: "create", urn: "${updateUrn("x")}", new: { inputs: ${inputs} } } } }`;
  writeFileSync(
    command,
    `require("fs").writeSync(1, JSON.stringify({ sequence: 1, ...${step} }) + "\\n"); process.kill(process.pid, "SIGKILL");`,
  );
  const { code, stdout, stderr } = await run(["--pulumi", `${process.execPath} ${command}`]);
  expect([code, stderr]).toEqual([1, "| create  monitoring:index:IncidentUpdate  x\n\n"]);
  expect(stdout).toContain("Pulumi ended (SIGKILL) before its plan was complete. See the log.");
});
