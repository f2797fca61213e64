/** The guides work as they are written, step by step, on the real engine. Those of the plugin: guidesOfThePlugin.test.ts. */
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentSandbox, posted, posts, replaceKey, useSandbox } from "./guideSandbox";
import { followGuide, followGuideWithStack } from "./walkthrough";

useSandbox();

it("quick start: from an empty folder to one posted update", async () => {
  await followGuide("docs/guides/quick-start.md", currentSandbox());
  expect(posted()).toBe(1);
});

it("pipelines: preview, publish, and a lock that a killed job left", async () => {
  await followGuideWithStack("docs/guides/pipelines.md", {
    url: currentSandbox().url,
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
  await followGuide("docs/guides/audit-in-pull-requests.md", currentSandbox());
});

it("read-only pipelines: what still works, and one post with write access", async () => {
  const forbidden = { kind: "status", code: 403, operation: "createIncidentUpdate" } as const;
  await followGuideWithStack("docs/guides/read-only-pipelines.md", {
    url: currentSandbox().url,
    events: {
      "the incident is renamed": () =>
        currentSandbox().byHand.editIncident("inc_search_lag", { name: "Slow search" }),
      "the key loses its write access": () => currentSandbox().faults.add(forbidden),
      "the key has write access": () => currentSandbox().faults.clear(),
    },
  });
  expect(posted()).toBe(1);
});

it("testing your program: with Jest, with node:test, and on the engine", async () => {
  await followGuideWithStack("docs/guides/testing-your-program.md", currentSandbox());
  expect(currentSandbox().requests).toEqual([]);
});

it("rotating keys: what works with which key", async () => {
  await followGuideWithStack("docs/guides/rotating-keys.md", {
    url: currentSandbox().url,
    events: {
      "the key is replaced at the service": replaceKey,
    },
  });
});

it("migrating: what stands there is adopted, and nothing is posted", async () => {
  await followGuideWithStack("docs/guides/migrating.md", currentSandbox());
  expect(posts()).toEqual([]);
});

it("exactly once: lost answers and lost posts", async () => {
  await followGuideWithStack("docs/guides/exactly-once.md", currentSandbox());
  expect(posted()).toBe(2);
});
