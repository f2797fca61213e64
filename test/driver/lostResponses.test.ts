/** Posts whose response is lost: the update is public once at most, and the stack knows it. */
import type { FaultInput } from "../../sandbox";
import { adapters } from "./adapters";
import { DrivenProject, incidentId, Service, words } from "./drivenProject";

describe.each(adapters)("by the $name adapter, an update", (adapter) => {
  const service = new Service();
  let project: DrivenProject;
  beforeEach(() => {
    project = new DrivenProject(adapter, service.sandbox).declare(words);
  });

  const counts = (): [posts: number, published: number] => [service.posts.length, service.published.length];
  const expectTracked = async (): Promise<void> => {
    expect(project.ids).toEqual([`${incidentId}/${service.newestId}`]);
    expect(await project.preview()).toMatchObject({ ok: true });
  };

  it.each<[string, FaultInput]>([
    ["the connection is reset", { kind: "reset", applied: true }],
    ["the response is cut", { kind: "cut" }],
    ["the response is empty", { kind: "empty" }],
    ["the response is no JSON", { kind: "wrongJson", wrong: "syntax" }],
    ["the response has no id", { kind: "wrongJson", wrong: "shape" }],
    ["a proxy responds with 502", { kind: "status", code: 502, body: "html", applied: true }],
    ["the request times out", { kind: "hang", applied: true }],
  ])("that was applied is found, and tracked, when %s", async (_, fault) => {
    service.sandbox.faults.add({ ...fault, operation: "createIncidentUpdate" });
    // What times out needn't take as long as it may.
    project.env["MONITORING_TIMEOUT_MS"] = "1500";
    expect(await project.up()).toMatchObject({ ok: true });
    expect(counts()).toEqual([1, 1]);
    await expectTracked();
  });

  describe("that may have been applied", () => {
    const lost: FaultInput = { kind: "reset", operation: "createIncidentUpdate" };
    // Looking for it in vain takes as long as it may.
    beforeEach(() => (project.env["MONITORING_DEADLINE_MS"] = "4000"));

    it("fails the run, is remembered, and is not posted again until the user says so", async () => {
      service.sandbox.faults.add(lost);
      const first = await project.up();
      expect(first.ok).toBe(false);
      expect(first.output).toContain(
        "Not found in the incident so far. The state records it: run `pulumi up` again",
      );
      expect(project.ids).toEqual([expect.stringMatching(/\/unconfirmed-[0-9a-f]{16}$/)]);

      service.sandbox.faults.clear();
      expect(await project.refresh()).toMatchObject({
        ok: true,
        output: expect.stringContaining("still unconfirmed"),
      });
      const second = await project.up();
      expect(second.ok).toBe(false);
      expect(second.output).toContain(
        'When you are sure that it was not published, set onUnconfirmed to "resend"',
      );
      expect(counts()).toEqual([1, 0]);

      expect(await project.up({ ...words, onUnconfirmed: "resend" })).toMatchObject({ ok: true });
      expect(counts()).toEqual([2, 1]);
      await project.refresh();
      await expectTracked();
    });

    it("is found by the next run when the service shows it late", async () => {
      service.sandbox.faults.add({ ...lost, applied: true }, { kind: "lateVisibility", reads: 20 });
      expect(await project.up()).toMatchObject({ ok: false });
      service.sandbox.faults.clear();
      const { url, apiKey } = service.sandbox;
      for (let read = 0; read < 20; read++)
        await fetch(`${url}/v1/status-pages/incidents/${incidentId}`, {
          headers: { authorization: `Bearer ${apiKey}` },
        });
      expect(await project.up()).toMatchObject({
        ok: true,
        output: expect.stringContaining("was published on incident"),
      });
      expect(counts()).toEqual([1, 1]);
      await project.refresh();
      await expectTracked();
    });
  });

  it("that the service rejects is not recorded, and the next run may post it", async () => {
    service.sandbox.faults.add({ kind: "status", code: 403, operation: "createIncidentUpdate" });
    const refused = await project.up();
    expect(refused.ok).toBe(false);
    expect(refused.output).toContain("createIncidentUpdate inc_checkout_latency: not allowed (HTTP 403)");
    expect(project.resources).toEqual([]);
    service.sandbox.faults.clear();
    expect(await project.up()).toMatchObject({ ok: true });
    expect(counts()).toEqual([2, 1]);
  });
});
