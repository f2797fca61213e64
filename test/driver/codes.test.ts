/** What becomes of an update when only the user knows whether it is public, by both adapters. The rest: test/lifecycles. */
import { incidentId, Service, words } from "../engine/service";
import { adapters } from "./adapters";
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
