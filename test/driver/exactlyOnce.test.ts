/** Sequences that would post an update twice, lose it or deceive a reviewer, with the real provider process. */
import { nobodyListens } from "../client/services";
import { incidentId, Service, words } from "../engine/service";
import { adapters } from "./adapters";
import { DrivenProject } from "./drivenProject";

const name = '"Checkout is slow for shoppers in Europe" (inc_checkout_latency)';
const mailed = { ...words, notifySubscribers: true };
const other = { ...mailed, description: "Capacity was added." };

describe.each(adapters)("by the $name adapter,", (adapter) => {
  const service = new Service();
  let project: DrivenProject;
  beforeEach(() => {
    project = machine();
  });

  /** A stack on another machine. */
  const machine = (): DrivenProject => {
    const made = new DrivenProject(adapter, service.sandbox).declare(mailed);
    made.env["MONITORING_DEADLINE_MS"] = "2000";
    return made;
  };
  const mails = (): number =>
    service.published().reduce((sum, { id }) => sum + service.sandbox.mailed(id), 0);
  const texts = (): string[] => service.published().map(({ description }) => description);

  describe("an update that the service shows late", () => {
    beforeEach(() => service.sandbox.faults.add({ kind: "lateVisibility", reads: 2 }));

    it.each(["honoured", "honoured-500", "honoured-idempotent"] as const)(
      "is posted once by two machines when ids are %s",
      async (ids) => {
        service.sandbox.configure({ ids });
        expect(await project.up()).toMatchObject({ ok: true });
        const elsewhere = machine();
        expect(await elsewhere.up()).toMatchObject({ ok: true });
        expect(elsewhere.ids).toEqual(project.ids);
        expect([texts().length, mails()]).toEqual([1, service.sandbox.mailed(service.newestId)]);
      },
    );

    it("is searched for before a rename posts it again, on one machine", async () => {
      expect(await project.up()).toMatchObject({ ok: true });
      const { ids } = project;
      expect(await project.declare({}, mailed).up()).toMatchObject({ ok: false });
      expect(texts()).toHaveLength(1);
      expect(project.ids).toEqual(ids);
    });
  });

  it("is posted once more without an id when the service rejects ids, and that is remembered", async () => {
    service.sandbox.configure({ ids: "rejected" });
    expect(await project.up(mailed, other)).toMatchObject({ ok: true });
    expect(service.posts.map(({ status }) => status)).toEqual([400, 201, 201]);
    expect(texts()).toEqual([mailed.description, other.description]);
  });

  it("has an id as a string when the service returns numbers", async () => {
    service.sandbox.configure({ numericIds: true });
    expect(await project.up()).toMatchObject({ ok: true });
    expect(await project.refresh()).toMatchObject({ ok: true });
    expect(await project.preview()).toMatchObject({ ok: true });
    expect(project.ids).toEqual([`${incidentId}/${service.newestId}`]);
  });

  it("is not posted as A, B, A, also while the service doesn't show B", async () => {
    await project.up();
    service.sandbox.faults.add({ kind: "lateVisibility", reads: 100 });
    expect(await project.up(other)).toMatchObject({ ok: true });
    const up = await project.up(mailed);
    expect(up).toMatchObject({ ok: false, output: expect.stringContaining("set `occurrence: 2`") });
    expect(texts()).toEqual([mailed.description, other.description]);
    expect(await project.up({ ...mailed, occurrence: 2 })).toMatchObject({ ok: true });
    expect(texts()).toEqual([mailed.description, other.description, mailed.description]);
  });

  it("keeps what two resources swapped", async () => {
    await project.up(mailed, other);
    expect(await project.up(other, mailed)).toMatchObject({ ok: true });
    expect(texts()).toHaveLength(2);
    expect(new Set(project.ids).size).toBe(2);
  });

  it('refuses an edit with onChange "refuse" while it is unknown whether the update is public', async () => {
    const first = { ...mailed, onChange: "refuse" };
    service.sandbox.faults.add({ kind: "lateVisibility", reads: 8 });
    service.sandbox.faults.add({ kind: "reset", applied: true, operation: "createIncidentUpdate", times: 1 });
    expect(await project.up(first)).toMatchObject({ ok: false });
    const edited = { ...other, onChange: "refuse" };
    expect(await project.up(edited)).toMatchObject({
      ok: false,
      output: expect.stringContaining('onChange is "refuse"'),
    });
    expect(texts()).toEqual([mailed.description]);
    expect(await project.up(first)).toMatchObject({ ok: true });
    expect(service.posts).toHaveLength(1);
  });

  it("asks for consent when the service may not show all updates of the incident", async () => {
    service.sandbox.byHand.change(({ accounts }) => {
      const [first] = accounts[0].statusPageIncidents.filter(({ id }) => id === incidentId);
      const [update] = first?.incidentUpdates ?? [];
      if (!first || !update) throw new Error("The incident has no update.");
      first.incidentUpdates = Array.from({ length: 100 }, (_, index) => ({
        ...update,
        id: `old-${index}`,
        description: `Old ${index}.`,
      }));
    });
    // A preview that failed would keep `up` from recording that it asked.
    const preview = await project.preview();
    expect(preview.output).toMatch(/looks again, .* shows the latest 100 updates .*\n+create$/);
    const refused = await project.up();
    expect(refused).toMatchObject({
      ok: false,
      output: expect.stringContaining("shows the latest 100 updates"),
    });
    expect(service.posts).toEqual([]);
    expect(await project.up({ ...mailed, onUnconfirmed: "resend" })).toMatchObject({ ok: true });
    expect(service.posts).toHaveLength(1);
  });

  describe("a preview", () => {
    it("says what is posted and adopted, with one read of the incident, and sends nothing when nothing changes", async () => {
      await project.up();
      const later = machine();
      service.sandbox.clearRequests();
      const preview = await later.declare(mailed, { ...other, notifySubscribers: false }).preview();
      expect(preview.output).toContain(`IncidentUpdate: adopts ${service.newestId} in ${name}, since `);
      expect(preview.output).toContain(`IncidentUpdate: posts to ${name}; no subscriber is emailed.`);
      expect(service.sandbox.requests).toHaveLength(1);
      service.sandbox.clearRequests();
      expect(await project.preview()).toMatchObject({ ok: true });
      expect(service.sandbox.requests).toEqual([]);
    });

    it.each<[string, () => void, string]>([
      ["a rejected key", () => (project.config["monitoring:apiKey"] = "mon_wrong_key"), "(HTTP 401)"],
      [
        "an incident that doesn't exist",
        () => project.declare({ ...words, incidentId: "inc_x" }),
        "not found",
      ],
      ["two identical updates", () => project.declare(words, words), "occurrence must differ"],
      [
        "an occurrence that can't be counted",
        () => project.declare({ ...words, occurrence: 3 }),
        "occurrence is 3",
      ],
    ])("fails for %s", async (_, change, text) => {
      change();
      const preview = await project.preview();
      expect(preview).toMatchObject({ ok: false, output: expect.stringContaining(text) });
      expect(service.posts).toEqual([]);
    });

    it("says once that the service can't be reached, and what `up` would do", async () => {
      project.config["monitoring:baseUrl"] = nobodyListens;
      const { output } = await project.declare(mailed, other).preview();
      expect(output.match(/the preview could not read the service/g)).toHaveLength(1);
      expect(
        output.match(/unless an identical update exists there; every subscriber is emailed/g),
      ).toHaveLength(2);
    });
  });
});
