/** What surrounds a post on the engine: an incident that is corrected, another version's id, notes, and the engine's selection. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { until } from "../client/services";
import { incidentId, Service, words } from "../engine/service";
import { createStack, environmentOf, expectFailure, expectSuccess, type Stack } from "../engine/stack";
import { temporaryFolder } from "../temporaryFolder";

const { cardDeclines } = wellKnown.statusPageIncidents;
const service = new Service();

const adapters = [
  { name: "dynamic", entry: "" },
  { name: "plugin", entry: "/native" },
] as const;

const mailed = { ...words, notifySubscribers: true };
const urnOf = (type: string, name: string): string => `urn:pulumi:test::test::${type}::${name}`;

describe.each(adapters)("by the $name adapter,", ({ name, entry }) => {
  let stack: Stack;
  let lockDirectory: string;

  const programOf = (statements: string): string =>
    `const { IncidentTimeline, IncidentUpdate } = require("pulumi-monitoring-service${entry}");\n${statements}`;
  const updateOf = (resource: string, args: object): string =>
    `new IncidentUpdate("${resource}", ${JSON.stringify(args)});\n`;

  beforeEach(async () => {
    lockDirectory = temporaryFolder();
    const env = { ...environmentOf(service.sandbox), MONITORING_LOCK_DIRECTORY: lockDirectory };
    stack = await createStack({ env });
    stack.declarePlugin();
  });

  it("a killed run is followed by no second mail when incidents are said to have begun an hour earlier, and later", async () => {
    const incidents = { [incidentId]: -1, [cardDeclines]: 1 };
    const updates = Object.keys(incidents).map((id) => updateOf(id, { ...mailed, incidentId: id }));
    stack.write("index.js", programOf(updates.join("")));
    service.sandbox.faults.add({ kind: "lateVisibility", ms: 3_600_000, times: 2 });
    service.sandbox.faults.add({ kind: "hang", applied: true, operation: "createIncidentUpdate", times: 2 });
    const { ended, kill } = stack.start("up", "--yes", "--skip-preview");
    await until(() => service.applied === 2);
    kill("SIGKILL")();
    await ended;
    await stack.mustRun("cancel", "--yes");
    for (const [id, hours] of Object.entries(incidents)) {
      const created = Date.parse(service.sandbox.incident(id).created_at) + hours * 3_600_000;
      service.sandbox.byHand.editIncident(id, { created_at: new Date(created).toISOString() });
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
  });

  it("a lost post that another version sent under an id of its own is searched by that, and repeated under it", async () => {
    stack.write("index.js", programOf(updateOf("update", mailed)));
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

  it("notes that are too large, or unreadable, are named before anything is posted, and are left as they are", async () => {
    stack.write("index.js", programOf(updateOf("first", mailed)));
    expectSuccess(await stack.up());
    const [notes = ""] = readdirSync(lockDirectory).filter((file) => file.endsWith(".json"));
    const file = join(lockDirectory, notes);
    const content = readFileSync(file, "utf8");
    const other = { ...mailed, description: "Capacity was added." };
    stack.write("index.js", programOf(updateOf("first", mailed) + updateOf("second", other)));
    service.sandbox.clearRequests();

    truncateSync(file, 2_000_000);
    expectFailure(
      await stack.up(),
      `${file} can't be read or replaced (it is larger than 1048576 bytes), so`,
    );
    expect(readFileSync(file)).toHaveLength(2_000_000);
    writeFileSync(file, content.slice(0, -1));
    expectFailure(await stack.up(), `${file} can't be read or replaced (it has another format), so nothing`);
    expect(readFileSync(file, "utf8")).toBe(content.slice(0, -1));
    expect(service.posts).toEqual([]);
  });

  it("an entry isn't posted without the one before it, which --exclude or --target leaves out, and the next `up` posts both in order", async () => {
    const updates = ["MONITORING", "RESOLVED"].map((status) => ({
      status,
      description: `${status}.`,
      notifySubscribers: true,
    }));
    const args = JSON.stringify({ incidentId, updates });
    stack.write("index.js", programOf(`new IncidentTimeline("outage", ${args});`));
    const own = name === "plugin" ? "monitoring:index:" : "pulumi-nodejs:dynamic/monitoring:";
    const urn = (entry: number) =>
      urnOf(`monitoring:index:IncidentTimeline$${own}IncidentUpdate`, `outage-${entry}`);
    const refused = await stack.up(`--exclude=${urn(1)}`);
    const why = /\(outage-2\):\n.*the entry before this one isn't shown.* without `--exclude` and `--target`/;
    expectFailure(refused, why);
    // The engine refuses this itself.
    expectFailure(await stack.up(`--target=${urn(2)}`), /depends on '.*outage-1' which was .*--target/);
    expect(service.posts).toEqual([]);
    expectSuccess(await stack.up());
    expect(service.published().map(({ status }) => status)).toEqual(["MONITORING", "RESOLVED"]);
  });
});

it("plain updates of which --exclude leaves out the first are posted once each, after `pulumi state repair`, as the guide says", async () => {
  const words = ["First.", "Second."];
  const program = words.map(
    (description, index) =>
      `new IncidentUpdate("update-${index + 1}", ${JSON.stringify({ ...mailed, description })});`,
  );
  const stack = await createStack({
    program: `const { IncidentUpdate } = require("pulumi-monitoring-service/native");\n${program.join("\n")}`,
    env: environmentOf(service.sandbox),
  });
  stack.declarePlugin();
  const excluded = await stack.up(`--exclude=${urnOf("monitoring:index:IncidentUpdate", "update-1")}`);
  expectFailure(excluded, "snapshot integrity failure");
  expect(await stack.up()).toMatchObject({ ok: false });
  await stack.mustRun("state", "repair", "--yes");
  expectSuccess(await stack.up());
  expect(service.published().map(({ description }) => description)).toEqual([...words].reverse());
  expect(service.posts).toHaveLength(2);
});
