/** The guides work as they are written, step by step, on the real engine. Those of the plugin: guidesOfThePlugin.test.ts. */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Service } from "../engine/service";
import { createStack, environmentOf, repository } from "../engine/stack";
import { temporaryFolder } from "../temporaryFolder";
import { withoutIdsAndTimes } from "./markdown";
import { followGuideWithStack, followQuickStart, followReadme, type Surroundings } from "./walkthrough";

const service = new Service();
const forbidden = { kind: "status", code: 403, operation: "createIncidentUpdate" } as const;

const lockAsAKilledJob = (folder: string): void => {
  const locks = join(folder, ".pulumi", "locks", "organization", "status", "production");
  mkdirSync(locks, { recursive: true });
  const lock = { pid: 1, username: "ci", hostname: "runner", timestamp: "2026-11-20T00:00:00Z" };
  writeFileSync(join(locks, `${randomUUID()}.json`), JSON.stringify(lock));
};

it("README: commands typed by hand publish one update", async () => {
  await followReadme(service.sandbox);
  expect(service.applied).toBe(1);
});

const linesOf = (text: string): object[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);

type Step = { readonly resourcePreEvent?: { readonly metadata: { op: string; urn: string } } };

/** The recorded events have what the command reads alone. */
function stepsOf(events: readonly Step[]) {
  return events.flatMap(({ resourcePreEvent: step }) => {
    if (!step) return [];
    const { op, urn } = step.metadata;
    return [{ op, urn }];
  });
}

it("README: a preview of the quick start is the recorded one, which its picture shows", async () => {
  const facts = join(temporaryFolder(), "facts");
  writeFileSync(facts, "");
  const stack = await createStack({
    language: "typescript",
    program: readFileSync(join(repository, "examples", "quickstart", "index.ts"), "utf8"),
    settings: { incidentId: "inc_checkout_latency", "monitoring:alertChannels": '{"on-call": 4101}' },
    env: {
      ...environmentOf(service.sandbox),
      MONITORING_PREVIEW_FACTS: facts,
      PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true",
    },
  });
  const printed = {
    steps: stepsOf(linesOf(await stack.mustRun("preview", "--json"))),
    facts: linesOf(readFileSync(facts, "utf8")),
  };
  const json = readFileSync(join(repository, "docs", "pictures", "preview.json"), "utf8");
  const recorded = JSON.parse(json) as { events: object[]; facts: object[] };
  const timeless = (facts: object[]): unknown =>
    JSON.parse(
      withoutIdsAndTimes(JSON.stringify(facts).replace(/<\d+ minutes ago>/g, "<time>")).replace(
        /"id":"[^"]*"/g,
        '"id":"<id>"',
      ),
    );
  expect({ ...printed, facts: timeless(printed.facts) }).toEqual({
    steps: stepsOf(recorded.events),
    facts: timeless(recorded.facts),
  });
});

it("quick-start: from an empty folder to one posted update, and to another stack for the own service", async () => {
  const urls: unknown[] = [];
  const look = (folder: string): void => {
    for (const stack of ["dev", "production"])
      urls.push(/baseUrl: (.*)/.exec(readFileSync(join(folder, `Pulumi.${stack}.yaml`), "utf8"))?.[1]);
  };
  const { url } = service.sandbox;
  await followQuickStart("TypeScript", { url, events: { "the service is configured": look } });
  expect(service.applied).toBe(1);
  // The stack whose update is in the sandbox can't move to a service that doesn't have it.
  expect(urls).toEqual([url, "https://api.example.com"]);
});

it.each<[guide: string, shows: string, applied: number, events?: Surroundings["events"]]>([
  [
    "pipelines",
    "preview, publish, a lock that a killed job left, and what may not post",
    2,
    {
      "a job is killed while it holds the lock": lockAsAKilledJob,
      "the key loses its write access": () => service.sandbox.faults.add(forbidden),
      "the key has write access": () => service.sandbox.faults.clear(),
    },
  ],
  [
    "rotating-keys",
    "what works with which key",
    0,
    { "the key is replaced at the service": () => service.replaceKey() },
  ],
  ["before-it-is-public", "a text that is refused before any request", 0],
  ["exactly-once", "a lost post, which is sent again by its code; what the service does with ids", 3],
  [
    "auditing",
    "a rule file, its overrides and a baseline; the same findings of the service and of a stack",
    0,
  ],
  // The default: Jest would take a missing argument for its callback, and wait for the call.
])("%s: %s", async (guide, _, applied, events = {}) => {
  await followGuideWithStack(`docs/guides/${guide}.md`, { url: service.sandbox.url, events });
  expect(service.applied).toBe(applied);
});

it("testing-your-program: with Jest, with node:test, and on the engine, without the service", async () => {
  await followGuideWithStack("docs/guides/testing-your-program.md", service.sandbox);
  expect(service.sandbox.requests).toEqual([]);
});
