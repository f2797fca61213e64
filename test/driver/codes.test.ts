/** What becomes of an update when only the user knows whether it is public. */
import { wellKnown } from "../../sandbox";
import { incidentId, Service, words } from "../engine/service";
import { post } from "../sandbox/sandboxes";
import { adapters, plugin } from "./adapters";
import { DrivenProject, type Ended } from "./drivenProject";

const service = new Service();
let project: DrivenProject;

/** The code that answers the question of the last run. */
function codeIn({ output }: Ended): string {
  return /`pulumi config set monitoring:resend "?([0-9a-f ]+)"?`/.exec(output)?.[1] ?? "none";
}

/** The update is public, and in the state by its id. */
const tracked = () => [`${incidentId}/${service.newestId}`];

describe.each(adapters)("an update, by the $name adapter,", (adapter) => {
  beforeEach(() => {
    project = new DrivenProject(adapter, service.sandbox).declare(words);
  });

  it("whose post may have been applied fails the run, is remembered, and is posted again with its code alone", async () => {
    // It is looked for in vain until then.
    project.env["MONITORING_DEADLINE_MS"] = "1200";
    service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate" });
    const lost = await project.up();
    expect(lost).toMatchObject({
      ok: false,
      output: expect.stringContaining("The state records it: run `pulumi up` again"),
    });
    expect(project.ids).toEqual([expect.stringMatching(/\/update-[0-9a-f]{16}$/)]);

    service.sandbox.faults.clear();
    service.sandbox.clearRequests();
    expect(await project.refresh()).toMatchObject({
      ok: true,
      output: expect.stringContaining("still unconfirmed. `pulumi up` searches for it."),
    });
    expect(service.sandbox.requests).toEqual([]);
    const code = codeIn(lost);
    expect(codeIn(await project.preview())).toBe(code);
    const refused = await project.up();
    expect(refused).toMatchObject({ ok: false, output: expect.stringContaining("Nothing was posted") });
    expect(codeIn(refused)).toBe(code);
    project.config["monitoring:resend"] = "0".repeat(8);
    expect(await project.up()).toMatchObject({ ok: false });
    expect([service.posts.length, service.published().length]).toEqual([0, 0]);

    project.config["monitoring:resend"] = code;
    expect(await project.up()).toMatchObject({ ok: true });
    expect(service.published()).toHaveLength(1);
    // The id from before the result was known says nothing about it, and goes.
    expect(project.ids).toEqual([expect.stringMatching(/\/update-[0-9a-f]{16}$/)]);
    await project.refresh();
    expect(project.ids).toEqual(tracked());
    const left = await project.up(words, { ...words, description: "Capacity was added." });
    expect(left).toMatchObject({
      ok: true,
      output: expect.stringContaining(`(${code}) answered no question`),
    });
    expect(service.published()).toHaveLength(2);
  });
});

/** The adapters have no part in it: the one that starts faster shows it. */
describe("an update", () => {
  beforeEach(() => {
    project = new DrivenProject(plugin, service.sandbox).declare(words);
  });

  it("and the one after it, both lost, are posted again with codes in the environment of one job", async () => {
    const other = { ...words, description: "Capacity was added." };
    const lost = { kind: "reset", operation: "createIncidentUpdate", times: 1 } as const;
    project.env["MONITORING_DEADLINE_MS"] = "1200";
    service.sandbox.faults.add(lost);
    const first = codeIn(await project.up());
    project.env["MONITORING_RESEND"] = first;
    service.sandbox.faults.add({ ...lost, skip: 1 });
    const second = codeIn(await project.up(words, other));
    expect(service.published()).toHaveLength(1);
    // What is set is replaced, so the message names both.
    expect(second).toMatch(new RegExp(`^${first} [0-9a-f]{8}$`));
    expect(codeIn(await project.up())).toBe(second);
    project.env["MONITORING_RESEND"] = second;
    expect(await project.up()).toMatchObject({ ok: true });
    expect(service.published()).toHaveLength(2);
  });

  it("whose result is unknown can't move to another incident before that is known", async () => {
    project.env["MONITORING_DEADLINE_MS"] = "1200";
    service.sandbox.faults.add({ kind: "reset", applied: true, operation: "createIncidentUpdate", times: 1 });
    service.sandbox.faults.add({ kind: "lateVisibility", reads: 20 });
    expect(await project.up()).toMatchObject({ ok: false });
    const { ids } = project;
    service.sandbox.faults.clear();
    const moved = { ...words, incidentId: wellKnown.statusPageIncidents.cardDeclines };
    expect(await project.up(moved)).toMatchObject({
      ok: false,
      output: expect.stringContaining("restore `incidentId` until the result is known"),
    });
    expect(project.ids).toEqual(ids);
    expect(await project.up(words)).toMatchObject({ ok: true });
    expect(await project.up(moved)).toMatchObject({ ok: true });
    expect(service.posts).toHaveLength(2);
  });

  it("that the service rejects because of its id leaves nothing, and is posted without ids", async () => {
    service.sandbox.configure({ ids: "rejected" });
    expect(await project.up()).toMatchObject({
      ok: false,
      output: expect.stringMatching(/HTTP 4\d\d.* set monitoring:clientIds to false/s),
    });
    expect([project.resources, service.posts.length]).toEqual([[], 1]);
    project.config["monitoring:clientIds"] = "false";
    expect(await project.up()).toMatchObject({ ok: true });
    expect(service.published()).toHaveLength(1);
  });

  it("beyond the latest 100 of its incident is posted with the code that the preview prints", async () => {
    const first = await post(service.sandbox, { status: "MONITORING", description: "Update." });
    expect(first.status).toBe(201);
    const [shown] = service.published();
    if (!shown) throw new Error("The sandbox has no update.");
    const incidentUpdates = Array.from({ length: 100 }, (_, index) => ({ ...shown, id: `old-${index}` }));
    service.sandbox.byHand.editIncident(incidentId, { incidentUpdates });
    const code = codeIn(await project.preview());
    const refused = await project.up();
    expect([refused.ok, codeIn(refused), project.resources]).toEqual([false, code, []]);
    project.config["monitoring:resend"] = code;
    expect(await project.up()).toMatchObject({ ok: true });
    expect(project.ids).toEqual(tracked());
  });
});
