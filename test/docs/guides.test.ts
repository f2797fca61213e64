/** The guides work as they are written, step by step, on the real engine. */
import { randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, type SandboxData, startSandbox } from "../../sandbox";
import { descendantsOf, signalIfThere } from "../../scripts/processes";
import { until } from "../client/services";
import { makeArchives } from "../release/archives";
import { followGuide, followGuideWithStack } from "./walkthrough";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const posted = (): number => sandbox.requests.filter(({ applied }) => applied).length;

async function replaceKey(): Promise<void> {
  const { port } = new URL(sandbox.url);
  const data: SandboxData = structuredClone(sandbox.data);
  await sandbox.close();
  sandbox = await startSandbox({
    port: Number(port),
    apiKey: "mon_sandbox_new0123456789abcdef01234567",
    seed: data,
  });
}

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

it("read-only pipelines: what still works, and one post with write access", async () => {
  const forbidden = { kind: "status", code: 403, operation: "createIncidentUpdate" } as const;
  await followGuideWithStack("docs/guides/read-only-pipelines.md", {
    url: sandbox.url,
    events: {
      "the incident is renamed": () => sandbox.byHand.editIncident("inc_search_lag", { name: "Slow search" }),
      "the key loses its write access": () => sandbox.faults.add(forbidden),
      "the key has write access": () => sandbox.faults.clear(),
    },
  });
  expect(posted()).toBe(1);
});

it("testing your program: with Jest, with node:test, and on the engine", async () => {
  await followGuideWithStack("docs/guides/testing-your-program.md", sandbox);
  expect(sandbox.requests).toEqual([]);
});

it("several accounts: each is used by its name, and by its provider", async () => {
  await followGuideWithStack("docs/guides/several-accounts.md", {
    url: sandbox.url,
    events: { "the key is replaced at the service": replaceKey },
  });
  const [incident] = sandbox.data.accounts[1]?.statusPageIncidents ?? [];
  expect(incident?.incidentUpdates.map(({ description }) => description)).toEqual([
    expect.stringMatching(/^All prev/),
    expect.stringMatching(/^New prev.* again/),
    expect.anything(),
  ]);
});

it("rotating keys: what works with which key", async () => {
  await followGuideWithStack("docs/guides/rotating-keys.md", {
    url: sandbox.url,
    events: {
      "the key is replaced at the service": replaceKey,
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

it("dynamic or native: what the plugin shows, and what a missing entry in Pulumi.yaml says", async () => {
  await followGuideWithStack("docs/guides/dynamic-or-native.md", sandbox);
});

it("installing the plugin: from an archive, on a machine without plugins", async () => {
  const archives = await makeArchives();
  const copy = (folder: string): void => {
    for (const name of archives.names) copyFileSync(join(archives.folder, name), join(folder, name));
  };
  try {
    await followGuideWithStack("docs/guides/installing-the-plugin.md", {
      url: sandbox.url,
      env: { PULUMI_HOME: join(archives.folder, "home") },
      events: { "the archive and the checksums are copied": copy },
    });
  } finally {
    archives.remove();
  }
});

it("importing: nothing is posted, whatever is declared", async () => {
  await followGuideWithStack("docs/guides/importing.md", sandbox);
  expect(sandbox.requests.filter(({ method }) => method === "POST")).toEqual([]);
});

it("moving to the plugin and back: one post, by the first run", async () => {
  await followGuideWithStack("docs/guides/moving-to-the-plugin.md", sandbox);
  expect(posted()).toBe(1);
});

it("cancelling: Ctrl-C during a slow post, and the next run posts the rest", async () => {
  await followGuideWithStack("docs/guides/cancelling.md", {
    url: sandbox.url,
    events: { "Ctrl-C is pressed while the update is posted": () => void pressCtrlC() },
  });
  expect(posted()).toBe(2);
});

/** Sends the engine that runs what Ctrl-C sends, as soon as an update is being posted. */
async function pressCtrlC(): Promise<void> {
  await until(() => sandbox.requests.some(({ method }) => method === "POST"));
  for (const { pid, command } of descendantsOf(process.pid))
    if (/^\S*pulumi up /.test(command)) signalIfThere(pid, "SIGINT");
}
