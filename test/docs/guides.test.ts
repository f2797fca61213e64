/** The guides work as they are written, step by step, on the real engine. */
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, type SandboxData, startSandbox } from "../../sandbox";
import { followGuide, followGuideWithStack } from "./walkthrough";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const posted = (): number => sandbox.requests.filter(({ applied }) => applied).length;

it("quick start: from an empty folder to one posted update", async () => {
  await followGuide("docs/guides/quick-start.md", sandbox);
  expect(posted()).toBe(1);
});

it("pipelines: preview, publish, and a lock that a killed job left", async () => {
  await followGuideWithStack("docs/guides/pipelines.md", {
    url: sandbox.url,
    events: {
      "a job is killed while it holds the lock": (folder) => {
        const locks = join(folder, ".pulumi", "locks", "organization", "status", "production");
        mkdirSync(locks, { recursive: true });
        const lock = { pid: 1, username: "ci", hostname: "runner", timestamp: "2026-11-20T00:00:00Z" };
        writeFileSync(join(locks, `${randomUUID()}.json`), JSON.stringify(lock));
      },
    },
  });
  expect(posted()).toBe(1);
});

it("audit in pull requests: the same reports and exit codes", async () => {
  await followGuide("docs/guides/audit-in-pull-requests.md", sandbox);
});

it("several accounts: each is used by its name", async () => {
  await followGuideWithStack("docs/guides/several-accounts.md", sandbox);
  expect(sandbox.data.accounts[1]?.statusPageIncidents[0]?.incidentUpdates[0]?.description).toMatch(
    /^New prev/,
  );
});

it("rotating keys: what works with which key", async () => {
  await followGuideWithStack("docs/guides/rotating-keys.md", {
    url: sandbox.url,
    events: {
      "the key is replaced at the service": async () => {
        const { port } = new URL(sandbox.url);
        const data: SandboxData = structuredClone(sandbox.data);
        await sandbox.close();
        sandbox = await startSandbox({
          port: Number(port),
          apiKey: "mon_sandbox_new0123456789abcdef01234567",
          seed: data,
        });
      },
    },
  });
});

it("migrating: what stands there is adopted, and nothing is posted", async () => {
  await followGuideWithStack("docs/guides/migrating.md", sandbox);
  expect(sandbox.requests.filter(({ method }) => method === "POST")).toEqual([]);
});

it("exactly once: lost answers and lost posts", async () => {
  await followGuideWithStack("docs/guides/exactly-once.md", sandbox);
  expect(posted()).toBe(2);
});
