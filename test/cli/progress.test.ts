/** `monitoring audit` while it takes long. */
import { Progress } from "../../cli/command";
import { sandboxWith } from "../sandbox/sandboxes";
// Waits take no time.
import "../lifecycles/idleClock";
import { auditSandbox, Captured, named } from "./running";

const second = 1000;
const clearLine = "\r\u001b[2K";

function begun(isTerminal: boolean): { readonly stream: Captured; readonly progress: Progress } {
  const stream = new Captured(isTerminal);
  const progress = new Progress(stream, "Reading alert channels");
  progress.begin(1_000);
  return { stream, progress };
}

async function pass(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

it("progress on a terminal is one line below those that stay, rewritten when more is done, and gone at the end", async () => {
  const { stream, progress } = begun(true);
  await pass(150);
  for (let count = 0; count < 312; count += 1) progress.advance();
  await pass(second);
  expect(stream.text).toBe(
    `${clearLine}Reading alert channels: 0 of 1,000${clearLine}Reading alert channels: 312 of 1,000`,
  );
  stream.text = "";
  progress.say("Waiting.");
  await pass(150);
  const shown = `${clearLine}Waiting.\n${clearLine}Reading alert channels: 312 of 1,000`;
  expect(stream.text).toBe(shown);
  progress.end();
  await pass(second);
  expect(stream.text).toBe(`${shown}${clearLine}`);
});

it("progress is elsewhere a line after ten seconds, and then one a minute", async () => {
  const { stream, progress } = begun(false);
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

it("a report is shown with colors on a terminal, below its progress; nothing else shows either", async () => {
  const sandbox = await sandboxWith({ faults: [{ kind: "latency", ms: 400, skip: 1, times: 1 }] });
  const { stdout, stderr } = await auditSandbox(named, [], { isTTY: true, sandbox });
  expect(stdout).toContain("\u001b[31merror");
  // Rewritten in place, and gone before the report.
  const [first, ...drawn] = stderr.split("\r\u001b[2K");
  expect([first, drawn.at(-1)]).toEqual(["", ""]);
  expect(drawn).toContain("Reading alert channels: 1 of 2");
  const piped = await auditSandbox(named, [], { sandbox });
  expect(piped).toMatchObject({ stdout: expect.not.stringContaining("\u001b") as unknown, stderr: "" });
});

it("an audit says once that it waits for the limit of the service, and until when", async () => {
  const held = { kind: "status", code: 429, headers: { "retry-after": "30" }, times: 2 } as const;
  const sandbox = await sandboxWith({ faults: [held] });
  const { code, stderr } = await auditSandbox(named, [], { sandbox });
  expect(code).toBe(1);
  expect(stderr.split("\n").sort()).toEqual([
    "",
    "Reading alert channels: 0 of 2",
    expect.stringMatching(
      /^getAlertChannel: the service limits requests \(HTTP 429\); waiting until \d\d:\d\d:\d\d UTC, or longer\.$/,
    ),
  ]);
});
