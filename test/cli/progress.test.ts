/** Tests `monitoring audit` on a terminal, and its progress during a long audit. */
import { stripVTControlCharacters } from "node:util";
import { Progress } from "../../cli/command";
import { startTestSandbox } from "../sandbox/sandboxes";
// This clock makes waits instant.
import "../lifecycles/idleClock";
import { auditSandbox, Captured, named } from "./running";

const second = 1000;

async function pass(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

it("progress is shown as a line after ten seconds, and then once a minute", async () => {
  const stream = new Captured(false);
  const progress = new Progress(stream, "Reading alert channels");
  progress.begin(1_000);
  await pass(9 * second);
  expect(stream.text).toBe("");
  progress.advance();
  await pass(2 * second);
  expect(stream.text).toBe("Reading alert channels: 1 of 1,000\n");
  await pass(58 * second);
  progress.advance();
  await pass(3 * second);
  expect(stream.text).toBe("Reading alert channels: 1 of 1,000\nReading alert channels: 2 of 1,000\n");
  progress.end();
  await pass(100 * second);
  expect(stream.text.split("\n")).toHaveLength(3);
});

it("a report has colors and the width of the terminal, and neither elsewhere", async () => {
  const sandbox = await startTestSandbox();
  const terminal = await auditSandbox(named, [], { isTTY: true, columns: 60, sandbox });
  expect(terminal).toMatchObject({
    stdout: expect.stringContaining("\u001b[31merror") as unknown,
    stderr: "",
  });
  const [findings = ""] = stripVTControlCharacters(terminal.stdout).split("\n\n");
  expect(findings.split("\n").map((line) => line.length > 60)).toEqual([false, false, false]);
  const piped = await auditSandbox(named, [], { columns: 60, sandbox });
  expect(piped).toMatchObject({ stdout: expect.not.stringContaining("\u001b") as unknown, stderr: "" });
  expect(piped.stdout).toMatch(/^.{100,}\n/);
});

/** Starts a sandbox that limits this number of requests for 30 seconds. */
const startLimited = async (times: number) =>
  startTestSandbox({ faults: [{ kind: "status", code: 429, headers: { "retry-after": "30" }, times }] });

it("an audit reports once that it waits for the service's rate limit, and until when", async () => {
  const sandbox = await startLimited(2);
  const { code, stderr } = await auditSandbox(named, [], { sandbox });
  expect(code).toBe(1);
  expect(stderr.split("\n").sort()).toEqual([
    "",
    "Reading alert channels: 0 of 2",
    expect.stringMatching(
      /^getAlertChannel: the service is limiting requests \(HTTP 429\)\. Waiting until \d\d:\d\d:\d\d UTC or longer\.$/,
    ),
  ]);
});

test("an audit reports how many channels it has read, and nothing after its end", async () => {
  const stderr = new Captured();
  await auditSandbox(named, [], { sandbox: await startLimited(1), stderr });
  await pass(100 * second);
  const lines = stderr.text.split("\n").filter((line) => line.startsWith("Reading"));
  expect(lines).toEqual(["Reading alert channels: 1 of 2"]);
});
