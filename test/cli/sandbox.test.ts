/** Tests how `monitoring sandbox` starts and ends, and how it handles records of a stopped sandbox at the same address. */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { commands } from "../../cli/commands";
import { createOrigin } from "../../provider/api";
import { LockDirectory } from "../../provider/publishing/lockDirectory";
import { type FaultInput, wellKnown } from "../../sandbox";
import { unexpected } from "../publishing/noteFolder";
import { ask, news, post, startTestSandbox } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { monitoring } from "./monitoring";
import { run } from "./running";

const apiKey = wellKnown.apiKeys.quillmarket;
const ends: (() => void)[] = [];
// This also ends the sandboxes of a failed test.
afterEach(() => ends.splice(0).forEach((end) => end()));

/**
 * Starts a sandbox on a free port, unless the arguments specify a port. Its signal handlers are captured, so that they don't end this
 * process.
 */
async function sandboxHere(...args: string[]) {
  const stops = new Map<string | symbol, () => void>();
  const listening = jest.spyOn(process, "once").mockImplementation((event, listener) => {
    stops.set(event, () => Reflect.apply(listener, process, []));
    return process;
  });
  const stdout = new PassThrough();
  const port = args.includes("--port") ? [] : ["--port", "0"];
  const context = { environment: process.env, stdout, stderr: stdout, now: new Date() };
  const ended = commands.sandbox.run([...port, ...args], context);
  const text = String(await once(stdout, "data"));
  listening.mockRestore();
  ends.push(...stops.values());
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    stops.get(signal)?.();
    return ended;
  };
  return { text, url: parseBaseUrl(text), stop };
}

const parseBaseUrl = (text: string) => /BASE_URL=(\S+)/.exec(text)?.[1] ?? "";

const addFaults = async (url: string, ...faults: FaultInput[]) => {
  expect((await ask({ url, apiKey }, "/_sandbox/faults", { json: faults })).status).toBe(201);
};

test("monitoring sandbox prints the settings of a connection, with the options in use", async () => {
  const data = join(temporaryFolder(), "sandbox.json");
  const { url, text } = await sandboxHere("--data", data, "--ids", "honored");
  const { quillmarket } = wellKnown.accounts;
  expect(text).toContain(
    `  export MONITORING_BASE_URL=${url}\n  export MONITORING_API_KEY=${apiKey}\n` +
      `  export MONITORING_ACCOUNT_ID=${quillmarket}\n`,
  );
  expect(readFileSync(data, "utf8")).toContain(quillmarket);
  expect(await (await post({ url, apiKey }, { ...news, id: "own" })).json()).toMatchObject({ id: "own" });
});

test.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const)(
  "a sandbox runs until it receives %s",
  async (signal) => {
    expect(await (await sandboxHere()).stop(signal)).toBe(0);
  },
);

test("monitoring sandbox ends immediately and silently while requests are pending", async () => {
  const running = monitoring("sandbox", "--port", "0");
  const url = parseBaseUrl(await running.printed(/ACCOUNT_ID=\S+\n/));
  await addFaults(url, { kind: "hang", times: 1 }, { kind: "latency", ms: 600_000, skip: 1 });
  const waiting = Array.from({ length: 20 }, () => ask({ url, apiKey }, "/v1/status-pages"));
  for (let delayed = 0; delayed < 19;)
    delayed = (await (await fetch(`${url}/_sandbox/requests`)).text()).split('"latency"').length - 1;

  running.process.kill("SIGTERM");
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
});

test("an error prints one line and exits with code 1", async () => {
  const { port } = new URL((await startTestSandbox()).url);
  const inUse = `Port ${port} is in use, perhaps by a different sandbox. Stop that sandbox, or choose a different port with --port.`;
  expect(await run("sandbox", ["--port", port])).toEqual({ code: 1, stdout: "", stderr: `${inUse}\n` });
});

const { checkoutLatency } = wellKnown.statusPageIncidents;
const { shop } = wellKnown.componentPages;
const locks = new LockDirectory(process.env["MONITORING_LOCK_DIRECTORY"]);

/** Records a post, as a run does. @returns the record's file */
async function recordNote(
  url: string,
  containerId: string = checkoutLatency,
  statusPageId?: string,
): Promise<string> {
  const place = { service: createOrigin(url), containerId, statusPageId };
  await locks.withLock(place, { notice: unexpected }, (notes) =>
    notes.recordPost("n", { contentKey: "key", occurrence: 1 }),
  );
  return locks.getFile(place);
}

/** Returns which records remain after a restart, both of the stopped sandbox and of another sandbox. */
async function restarted(...options: string[]) {
  const first = await sandboxHere(...options);
  const files = {
    ended: await recordNote(first.url),
    // The records of opened incidents.
    page: await recordNote(first.url, shop, shop),
    other: await recordNote("http://127.0.0.1:1"),
  };
  await first.stop();
  const second = await sandboxHere(...options, "--port", new URL(first.url).port);
  await second.stop();
  return Object.entries(files).flatMap(([name, file]) => (existsSync(file) ? name : []));
}

test("the records of a sandbox's incidents are deleted with its data, unless the data is in a file", async () => {
  expect(await restarted()).toEqual(["other"]);
  const data = join(temporaryFolder(), "sandbox.json");
  expect(await restarted("--data", data)).toEqual(["ended", "page", "other"]);
});
