/** Sequences that would post an update twice, lose it or deceive a reviewer, with the real provider process. */
import { incidentId, Service, words } from "../engine/service";
import { temporaryFolder } from "../temporaryFolder";
import { type Adapter, adapters, plugin } from "./adapters";
import { DrivenProject } from "./drivenProject";

const mailed = { ...words, notifySubscribers: true };
const other = { ...mailed, description: "Capacity was added." };

const service = new Service();
let project: DrivenProject;

/** A stack on another machine. */
function machine(adapter: Adapter): DrivenProject {
  const made = new DrivenProject(adapter, service.sandbox).declare(mailed);
  made.env["MONITORING_DEADLINE_MS"] = "2000";
  return made;
}

/** The adapters have no part in it: the one that starts faster shows it. */
describe("an update that is shown late", () => {
  beforeEach(() => {
    project = machine(plugin);
    service.sandbox.faults.add({ kind: "lateVisibility", reads: 2 });
  });

  it("is posted once by two machines when ids are honoured", async () => {
    service.sandbox.configure({ ids: "honoured" });
    expect(await project.up()).toMatchObject({ ok: true });
    const elsewhere = machine(plugin);
    expect(await elsewhere.up()).toMatchObject({ ok: true });
    expect(elsewhere.ids).toEqual(project.ids);
    expect(service.published()).toHaveLength(1);
  });

  it("is adopted by another resource, on one machine", async () => {
    expect(await project.up()).toMatchObject({ ok: true });
    const [id] = project.ids;
    expect(await project.up(other, mailed)).toMatchObject({ ok: true });
    expect(service.published()).toHaveLength(2);
    expect(project.ids[1]).toBe(id);
  });

  it.each([
    ["an hour earlier", -3_600_000],
    ["a minute later", 60_000],
  ])("is posted once by two stacks, after its incident is said to have begun %s", async (_, ms) => {
    const lockDirectory = temporaryFolder();
    const [one, two] = [project, machine(plugin)];
    for (const { env } of [one, two]) env["MONITORING_LOCK_DIRECTORY"] = lockDirectory;
    expect(await one.up()).toMatchObject({ ok: true });
    const [incident] = service.sandbox.data.accounts.flatMap(({ statusPageIncidents }) =>
      statusPageIncidents.filter(({ id }) => id === incidentId),
    );
    if (!incident) throw new Error("There is no such incident.");
    incident.created_at = new Date(Date.parse(incident.created_at) + ms).toISOString();
    expect(await two.up()).toMatchObject({ ok: true });
    expect(two.ids).toEqual(one.ids);
    expect(service.published()).toHaveLength(1);
  });
});

describe.each(adapters)("by the $name adapter,", (adapter) => {
  beforeEach(() => {
    project = machine(adapter);
  });

  it("updates that two resources swapped are kept", async () => {
    await project.up(mailed, other);
    const { ids } = project;
    expect(await project.up(other, mailed)).toMatchObject({ ok: true });
    expect(service.published()).toHaveLength(2);
    expect(project.ids).toEqual(ids.reverse());
  });

  it("a preview reads the incident once, says what is posted, and fails for two identical updates", async () => {
    const { output } = await project.declare(mailed, other).preview();
    const name = `"Checkout is slow for shoppers in Europe" (${incidentId})`;
    const blocks = [mailed, other].map(
      ({ status, description }, index) =>
        `IncidentUpdate "resource-${index}" posts to ${name}\n  ${status}, every subscriber is emailed:\n  | ${description}`,
    );
    expect(output).toContain(blocks.join("\n"));
    expect(output.match(/posts to/g)).toHaveLength(2);
    expect(service.sandbox.requests.map(({ method }) => method)).toEqual(["GET"]);
    expect(await project.declare(mailed, mailed).preview()).toMatchObject({
      ok: false,
      output: expect.stringContaining("already declares this update"),
    });
    expect(service.posts).toEqual([]);
  });
});
