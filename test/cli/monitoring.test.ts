import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type FaultInput, startSandbox, wellKnown } from "../../sandbox";
import { temporaryFolder } from "../sandbox/sandboxes";
import { addressOf, monitoring } from "./monitoring";

const ended = (...args: string[]) => monitoring(...args).ended;

describe("wrong usage: exit 2, what is wrong, and the usage, on stderr", () => {
  test.each([
    ["no command", [], "A command is missing.", "Usage: monitoring <command>"],
    ["an unknown command", ["sandbx"], "There is no command sandbx.", "Usage: monitoring <command>"],
    ["an unknown option", ["sandbox", "--prot", "1"], "Unknown option '--prot'", "Usage: monitoring sandbox"],
    ["an argument too many", ["sandbox", "x"], "Unexpected argument 'x'", "Usage: monitoring sandbox"],
    ["an option without value", ["sandbox", "--port"], "argument missing", "Usage: monitoring sandbox"],
    ["a port that is none", ["sandbox", "--port", "70000"], 'not "70000"', "Usage: monitoring sandbox"],
  ])("%s", async (_, args, problem, usage) => {
    const { code, stdout, stderr } = await ended(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(problem);
    expect(stderr).toContain(usage);
    expect(stderr).not.toContain("    at ");
  });
});

test.each([
  [["--help"], "sandbox"],
  [["sandbox", "--help"], "--data FILE"],
])("%j explains and exits 0", async (args, shown) => {
  const { code, stdout, stderr } = await ended(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(shown);
});

describe("monitoring sandbox", () => {
  const turnOn = async (url: string, ...faults: FaultInput[]) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(faults);
    expect((await fetch(`${url}/_sandbox/faults`, { method: "POST", headers, body })).status).toBe(201);
  };

  test.each(["SIGINT", "SIGTERM"] as const)(
    "runs until %s, keeps its data, and says how to use it",
    async (signal) => {
      const data = join(temporaryFolder(), "sandbox.json");
      const running = monitoring("sandbox", "--port", "0", "--data", data);
      const text = await running.printed(/MONITORING_ACCOUNT_ID=.*\n/);
      const url = /export MONITORING_BASE_URL=(http:\/\/127\.0\.0\.1:\d+)\n/.exec(text)?.[1] ?? "none";
      expect(text).toContain(`export MONITORING_API_KEY=${wellKnown.apiKeys.quillmarket}\n`);
      expect(text).toContain(`export MONITORING_ACCOUNT_ID=${wellKnown.accounts.quillmarket}\n`);
      expect(text).toContain(`${url}/\n`);
      expect(text).toContain(wellKnown.statusPageIncidents.checkoutLatency);
      expect(await (await fetch(`${url}/`)).text()).toContain("Quillmarket");
      expect(readFileSync(data, "utf8")).toContain(wellKnown.accounts.quillmarket);

      running.process.kill(signal);
      expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
    },
  );

  test("ends at once and without a word, even while many requests wait for an answer", async () => {
    const running = monitoring("sandbox", "--port", "0");
    const url = await addressOf(running);
    await turnOn(url, { kind: "hang", times: 1 }, { kind: "latency", ms: 600_000, skip: 1 });
    const waiting = Array.from({ length: 20 }, () => fetch(`${url}/v1/status-pages`));
    for (let delayed = 0; delayed < 19;)
      delayed = (await (await fetch(`${url}/_sandbox/requests`)).text()).split('"latency"').length - 1;

    running.process.kill("SIGTERM");
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
  });

  test("ends although it reset a connection that was closing by itself", async () => {
    const running = monitoring("sandbox", "--port", "0");
    const url = await addressOf(running);
    await turnOn(url, { kind: "reset" });
    for (let left = 0; left < 20; left += 1)
      await new Promise((resolve) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1");
        socket
          .on("error", () => {})
          .on("close", resolve)
          .resume();
        socket.write("GET /v1/status-pages HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n");
      });
    running.process.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
  });

  test("a taken port is one line, exit 1", async () => {
    const other = await startSandbox();
    const port = new URL(other.url).port;
    const { code, stdout, stderr } = await ended("sandbox", "--port", port);
    await other.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^Port ${port} is taken, .*\\n$`));
  });

  test("a file that can't be written is one line, exit 1", async () => {
    const file = join(temporaryFolder(), "none", "sandbox.json");
    const { code, stderr } = await ended("sandbox", "--port", "0", "--data", file);
    expect(code).toBe(1);
    expect(stderr).toBe(`The data file ${file} can't be written: no such file or directory\n`);
  });
});
