/** What surrounds a post on the engine: an incident that is corrected, another version's id, and the engine's selection. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { until } from "../client/services";
import { incidentId, Service, words } from "../engine/service";
import {
  createStack,
  environmentOf,
  expectFailure,
  expectSuccess,
  folderInRepository,
  type Stack,
} from "../engine/stack";

const { cardDeclines } = wellKnown.statusPageIncidents;
const service = new Service();

const mailed = { ...words, notifySubscribers: true };
const urnOf = (type: string, name: string): string => `urn:pulumi:test::test::${type}::${name}`;

const programOf = (entry: "" | "/native", statements: string): string =>
  `const { IncidentTimeline, IncidentUpdate } = require("pulumi-monitoring-service${entry}");\n${statements}`;
const updateOf = (resource: string, args: object): string =>
  `new IncidentUpdate("${resource}", ${JSON.stringify(args)});\n`;

/**
 * Lets a file of another incident in the lock directory be stale, as on a network's file system, for the stack's processes.
 * @returns the file that says so as soon as one of them looked
 */
function staleFile(stack: Stack): string {
  const locks = mkdtempSync(join(folderInRepository(), "locks-"));
  const name = `monitoring-${"a".repeat(32)}.json`;
  writeFileSync(join(locks, name), "");
  const seen = join(folderInRepository(), "seen");
  const preload = join(folderInRepository(), "stale.cjs");
  const code = `const fs = require("node:fs");
    const { lstatSync } = fs;
    fs.lstatSync = (file, options) => {
      if (!String(file).includes("${name}")) return lstatSync(file, options);
      fs.writeFileSync(${JSON.stringify(seen)}, "stale");
      throw Object.assign(new Error("ESTALE: stale file handle"), { code: "ESTALE" });
    };`;
  writeFileSync(preload, code);
  Object.assign(stack.env, { MONITORING_LOCK_DIRECTORY: locks, NODE_OPTIONS: `--require=${preload}` });
  return seen;
}

/** A stack whose program finds the plugin, too. */
async function stackOf(program: string): Promise<Stack> {
  const stack = await createStack({ program, env: environmentOf(service.sandbox) });
  stack.declarePlugin();
  return stack;
}

const adapters = [
  ["the dynamic provider", ""],
  ["the plugin", "/native"],
] as const;

describe.each(adapters)("by %s", (_, entry) => {
  it("a killed run is followed by no second mail when incidents are said to have begun an hour earlier, and later, and a file of another one is stale", async () => {
    const incidents = { [incidentId]: -1, [cardDeclines]: 1 };
    const updates = Object.keys(incidents).map((id) => updateOf(id, { ...mailed, incidentId: id }));
    const stack = await stackOf(programOf(entry, updates.join("")));
    const seen = staleFile(stack);
    service.sandbox.faults.add({ kind: "lateVisibility", ms: 3_600_000, times: 2 });
    service.sandbox.faults.add({ kind: "hang", applied: true, operation: "createIncidentUpdate", times: 2 });
    const { ended, kill } = stack.start("up", "--yes", "--skip-preview");
    await until(() => service.applied === 2);
    kill("SIGKILL")();
    await ended;
    await stack.mustRun("cancel", "--yes");
    for (const [id, hours] of Object.entries(incidents)) {
      const begun = hours < 0 ? Date.parse(service.sandbox.incident(id).created_at) : Date.now();
      const created_at = new Date(begun + hours * 3_600_000).toISOString();
      service.sandbox.byHand.editIncident(id, { created_at });
    }

    service.sandbox.clearRequests();
    const next = stack.up();
    const reads = (id: string) => service.sandbox.requests.filter(({ path }) => path.includes(id)).length;
    await until(() => Object.keys(incidents).every((id) => reads(id) > 1));
    service.sandbox.faults.clear();
    const output = expectSuccess(await next);
    expect(service.posts).toEqual([]);
    for (const id of Object.keys(incidents)) {
      expect(output).toContain(`this machine sent an identical update to incident ${id} moments ago`);
    }
    const published = Object.keys(incidents).map((id) => service.published(id).map((update) => update.id));
    const tracked = (await stack.resources()).filter(({ type }) => type.endsWith(":IncidentUpdate"));
    expect(tracked.map(({ outputs }) => [outputs["incidentUpdateId"]]).sort()).toEqual(published.sort());
    expect(readFileSync(seen, "utf8")).toContain("stale");
  });

  it("a date that the service rounds, and entries that differ in their date alone: nothing is posted twice, or before an earlier one", async () => {
    const dated = { ...mailed, publicIncidentUpdateDate: "2026-01-02T10:30:15Z" };
    const entries = ["08", "09", "10"].map((hour) => ({
      status: "MONITORING",
      description: "No change.",
      publicIncidentUpdateDate: `2026-01-02T${hour}:00:00Z`,
    }));
    const timeline = (name: string, updates: object[]) =>
      `new IncidentTimeline("${name}", ${JSON.stringify({ incidentId: cardDeclines, updates })});\n`;
    const program = (update: string, story: string, count: number) =>
      programOf(entry, updateOf(update, dated) + timeline(story, entries.slice(0, count)));
    const stack = await stackOf(program("update", "story", 2));
    expectSuccess(await stack.up());
    const rounded = { publicIncidentUpdateDate: "2026-01-02T00:00:00.000Z" };
    service.sandbox.byHand.editUpdate(incidentId, service.newestId, rounded);
    const [first] = service.published(cardDeclines);
    service.sandbox.byHand.deleteUpdate(cardDeclines, first?.id ?? "none");

    // The entry that is appended is posted, also after the first one is deleted on the page.
    stack.write("index.js", program("update", "story", 3));
    expectSuccess(await stack.up());
    const dates = () =>
      service.published(cardDeclines).map(({ publicIncidentUpdateDate: date }) => date.slice(11, 13));
    expect(dates()).toEqual(["09", "10"]);

    // On another machine, there is no note of the posts.
    stack.env["MONITORING_LOCK_DIRECTORY"] = folderInRepository();
    service.sandbox.clearRequests();
    stack.write("index.js", program("renamed", "copy", 2));
    const refused = await stack.up();
    expectFailure(refused, /no resource before this one has it. Nothing was posted/, /a later entry/);
    expect(service.posts).toEqual([]);
    expect(dates()).toEqual(["09", "10"]);
  });
});

it("a lost post that another version sent under an id of its own, by the dynamic provider, is searched by that, and repeated under it", async () => {
  const stack = await stackOf(programOf("", updateOf("update", mailed)));
  stack.env["MONITORING_DEADLINE_MS"] = "1200";
  service.sandbox.configure({ ids: "honoured" });
  service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });
  expect(await stack.up()).toMatchObject({ ok: false });

  const [, sent = "none"] = /"id":"([^"]+)"/.exec(JSON.stringify(service.posts)) ?? [];
  const ofOtherVersion = "0a1b2c3d-4e5f-5a6b-8c7d-9e0f1a2b3c4d";
  stack.stateText = stack.stateText.replaceAll(sent, ofOtherVersion);
  expect(stack.stateText).toContain(ofOtherVersion);

  service.sandbox.clearRequests();
  const refused = await stack.up();
  expectFailure(refused, "Nothing was posted");
  const [, code = ""] = /monitoring:resend "?([0-9a-f]{8})"?`/.exec(refused.output) ?? [];
  const lookedUp = service.sandbox.requests.filter(({ operation }) => operation === "getIncidentUpdate");
  expect(new Set(lookedUp.map(({ path }) => path.split("/").at(-1)))).toContain(ofOtherVersion);
  stack.env["MONITORING_RESEND"] = code;
  expectSuccess(await stack.up());
  expect(service.posts).toMatchObject([{ body: { id: ofOtherVersion } }]);
  expect(service.published()).toMatchObject([{ id: ofOtherVersion }]);
});

it("an entry isn't posted without the one before it, which --exclude or --target leaves out, and the next `up` posts both in order", async () => {
  const updates = ["MONITORING", "RESOLVED"].map((status) => ({
    status,
    description: `${status}.`,
    notifySubscribers: true,
  }));
  const args = JSON.stringify({ incidentId, updates });
  const stack = await stackOf(programOf("", `new IncidentTimeline("outage", ${args});`));
  const type = "monitoring:index:IncidentTimeline$pulumi-nodejs:dynamic/monitoring:IncidentUpdate";
  const urn = (entry: number) => urnOf(type, `outage-${entry}`);
  const refused = await stack.up(`--exclude=${urn(1)}`);
  const why = /\(outage-2\):\n.*the entry before this one isn't shown.* without `--exclude` and `--target`/;
  expectFailure(refused, why);
  // The engine refuses this itself.
  expectFailure(await stack.up(`--target=${urn(2)}`), /depends on '.*outage-1' which was .*--target/);
  expect(service.posts).toEqual([]);
  expectSuccess(await stack.up());
  expect(service.published().map(({ status }) => status)).toEqual(["MONITORING", "RESOLVED"]);
});

it("plain updates of which --exclude leaves out the first are posted once each, after `pulumi state repair`, as the guide says", async () => {
  const words = ["First.", "Second."];
  const updates = words.map((description, index) =>
    updateOf(`update-${index + 1}`, { ...mailed, description }),
  );
  const stack = await stackOf(programOf("/native", updates.join("")));
  const excluded = await stack.up(`--exclude=${urnOf("monitoring:index:IncidentUpdate", "update-1")}`);
  expectFailure(excluded, "snapshot integrity failure");
  expect(await stack.up()).toMatchObject({ ok: false });
  await stack.mustRun("state", "repair", "--yes");
  expectSuccess(await stack.up());
  expect(service.published().map(({ description }) => description)).toEqual([...words].reverse());
  expect(service.posts).toHaveLength(2);
});
