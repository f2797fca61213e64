/** What a user does to a declared update, and what happens: one test each. */
import { wellKnown } from "../../sandbox";
import { nobodyListens } from "../client/services";
import { adapters } from "./adapters";
import { DrivenProject, incidentId, Service, words } from "./drivenProject";

describe.each(adapters)("an update, by the $name adapter,", (adapter) => {
  const service = new Service();
  let project: DrivenProject;
  beforeEach(() => {
    project = new DrivenProject(adapter, service.sandbox).declare(words);
  });

  const expectNothingToDo = async (): Promise<void> => {
    expect(await project.preview()).toMatchObject({ ok: true });
  };
  const published = (): number => service.published.length;

  it("is posted once, refreshed without a change and forgotten without a request", async () => {
    expect(await project.up()).toMatchObject({ ok: true });
    expect(service.posts).toMatchObject([
      { body: { status: "MONITORING", description: words.description, notifySubscribers: false } },
    ]);
    expect(project.ids).toEqual([`${incidentId}/${service.newestId}`]);
    const before = project.outputs;
    expect(await project.refresh()).toMatchObject({ ok: true });
    expect(project.outputs).toEqual(before);
    await expectNothingToDo();
    service.sandbox.clearRequests();
    expect(await project.destroy()).toMatchObject({
      ok: true,
      output: expect.stringContaining("The update stays public"),
    });
    expect(service.sandbox.requests).toEqual([]);
  });

  it("is adopted when it exists, and the user reads which one, and since when", async () => {
    await service.postByHand({ status: "MONITORING", description: "  We are\r\nwatching it. " });
    const [existing] = service.published;
    const up = await project.up();
    expect(up).toMatchObject({ ok: true });
    expect(up.output).toContain(
      `an identical update (${existing?.id}) has existed in incident ${incidentId} since ${existing?.created_at}`,
    );
    expect(published()).toBe(1);
    expect(project.ids).toEqual([`${incidentId}/${existing?.id}`]);
    await expectNothingToDo();
  });

  it("is followed by a new one when a field that is public changes, after a preview that says so", async () => {
    let program: Record<string, unknown> = { ...words, notifySubscribers: true };
    await project.up(program);
    for (const [field, value] of Object.entries({
      status: "RESOLVED",
      description: "All good.",
    })) {
      const [old, count] = [service.newestId, published()];
      program = { ...program, [field]: value };
      const preview = await project.declare(program).preview();
      expect(preview.output).toContain(
        `${incidentId}/${old}: ${field} changed, so a new update replaces it; the old one stays public.`,
      );
      expect(preview.output).toMatch(
        /an update with status \w+ will be published on incident inc_checkout_latency, unless an identical one exists; every subscriber is emailed/,
      );
      expect(preview.output).toMatch(/^replace$/m);
      expect(published()).toBe(count);
      expect(await project.up()).toMatchObject({ ok: true });
      expect(published()).toBe(count + 1);
      expect(service.published.map(({ id }) => id)).toContain(old);
      expect(project.ids).toEqual([`${incidentId}/${service.newestId}`]);
    }
    await expectNothingToDo();
    const { output } = await project
      .declare({ ...program, publicIncidentUpdateDate: "2026-01-31T09:30:00Z" })
      .preview();
    expect(output).toMatch(/publicIncidentUpdateDate changed, so a new update replaces it[^]*^replace$/m);
  });

  it("is the same with other white space, line ends and ways to write a character", async () => {
    await project.up({ ...words, description: "Caf\u00e9 tills are slow.\nWe look at it." });
    const same = { ...words, description: "  Cafe\u0301 tills are slow.\r\nWe look  at it. " };
    expect(await project.up(same)).toMatchObject({ ok: true });
    expect(published()).toBe(1);
  });

  it('may not change when onChange is "refuse"', async () => {
    await project.up({ ...words, onChange: "refuse" });
    project.declare({ ...words, status: "RESOLVED", onChange: "refuse" });
    for (const { ok, output } of [await project.preview(), await project.up()]) {
      expect(ok).toBe(false);
      expect(output).toContain('status must not change: the update is public and onChange is "refuse"');
    }
    expect(published()).toBe(1);
  });

  it("records a change of notifySubscribers and onChange, and mails nobody", async () => {
    await project.up();
    const up = await project.up({ ...words, notifySubscribers: true, onChange: "refuse" });
    expect(up).toMatchObject({
      ok: true,
      output: expect.stringContaining("enabling notifySubscribers sends no email"),
    });
    expect(published()).toBe(1);
    expect(service.sandbox.mailed(service.newestId)).toBe(0);
    expect(project.outputs).toMatchObject({
      notifySubscribers: true,
      onChange: "refuse",
      incidentUpdateId: service.newestId,
    });
    await expectNothingToDo();
  });

  it("records another name of the same account", async () => {
    await project.up();
    const { apiKey, accountId } = service.sandbox;
    project.config["monitoring:accounts"] = JSON.stringify({ shop: { apiKey, accountId } });
    expect(await project.up({ ...words, account: "shop" })).toMatchObject({ ok: true });
    expect(project.outputs).toMatchObject({ account: "shop" });
    expect(published()).toBe(1);
    await expectNothingToDo();
  });

  it("stays public when it is removed from the program, which is said", async () => {
    await project.up();
    expect(await project.declare().up()).toMatchObject({
      ok: true,
      output: expect.stringContaining("The update stays public: the API has no operation to delete it"),
    });
    expect(published()).toBe(1);
    expect(project.resources).toEqual([]);
  });

  it("shows an edit by hand on refresh, and is not posted again", async () => {
    await project.up();
    const edited = { description: "Edited by hand.", status: "RESOLVED" } as const;
    service.sandbox.byHand.editUpdate(incidentId, service.newestId, edited);
    expect(await project.refresh()).toMatchObject({ ok: true });
    expect(project.outputs).toMatchObject({ description: words.description, published: edited });
    await expectNothingToDo();
    expect(await project.up()).toMatchObject({ ok: true });
    expect(published()).toBe(1);
  });

  it.each<[string, (id: string) => void]>([
    ["it", (id) => service.sandbox.byHand.deleteUpdate(incidentId, id)],
    ["its incident", () => service.sandbox.byHand.deleteIncident(incidentId)],
  ])("stays in the stack as missing when %s is deleted, and is not posted again", async (_, remove) => {
    await project.up();
    remove(service.newestId);
    service.sandbox.clearRequests();
    expect(await project.refresh()).toMatchObject({
      ok: true,
      output: expect.stringContaining("not found on the service. It stays in the state"),
    });
    expect(project.outputs).toMatchObject({ missing: true });
    expect(await project.up()).toMatchObject({ ok: true });
    expect(service.posts).toEqual([]);
  });

  it("is posted a second time only as another occurrence", async () => {
    await project.up(words, { ...words, occurrence: 2 });
    expect(await project.up()).toMatchObject({ ok: true });
    expect(service.published.map(({ description }) => description)).toEqual([
      words.description,
      words.description,
    ]);
    expect(new Set(project.ids).size).toBe(2);
    const third = await project.up(words, { ...words, occurrence: 2 }, { ...words, occurrence: 4 });
    expect(third.ok).toBe(false);
    expect(third.output).toContain(
      "occurrence is 4, but 2 identical updates exist in the incident: declare the earlier ones first",
    );
    expect(published()).toBe(2);
  });

  it.each([
    ["account", { "monitoring:accountId": wellKnown.accounts.labs }, /points to account b27d94c0-\S+ on/],
    ["service", { "monitoring:baseUrl": nobodyListens }, /points to account \S+ on 127\.0\.0\.1:9,/],
  ])("is refused with another %s: nothing is posted or marked missing", async (_, settings, message) => {
    await project.up();
    service.sandbox.clearRequests();
    Object.assign(project.config, settings);
    for (const command of ["preview", "up", "refresh"] as const) {
      const { ok, output } = await project[command]();
      expect([command, ok]).toEqual([command, false]);
      expect(output).toMatch(message);
    }
    expect(service.sandbox.requests).toEqual([]);
    expect(project.outputs).toMatchObject({ missing: false });
  });

  it("is not posted while MONITORING_READ_ONLY is set", async () => {
    project.env["MONITORING_READ_ONLY"] = "1";
    const held = await project.up();
    expect(held.ok).toBe(false);
    expect(held.output).toContain(
      "readOnly is enabled (monitoring:readOnly or MONITORING_READ_ONLY), so nothing was sent",
    );
    expect(published()).toBe(0);
    project.env["MONITORING_READ_ONLY"] = "0";
    expect(await project.up()).toMatchObject({ ok: true });
    expect(published()).toBe(1);
  });

  it("is refreshed and destroyed with a rotated key from the environment, where the configuration's is old", async () => {
    await project.up();
    project.config["monitoring:apiKey"] = "mon_revoked_0123456789";
    expect(await project.refresh()).toMatchObject({ ok: false });
    project.env["MONITORING_API_KEY"] = service.sandbox.apiKey;
    expect(await project.refresh()).toMatchObject({ ok: true });
    expect(await project.destroy()).toMatchObject({ ok: true });
  });

  it("costs two requests when it is created, one for all of an incident on refresh, and none in a preview", async () => {
    const { checkoutLatency, cardDeclines, webhookDelays } = wellKnown.statusPageIncidents;
    const incidentIds = [checkoutLatency, cardDeclines, webhookDelays];
    const updates = incidentIds.flatMap((id) =>
      Array.from({ length: 8 }, (_, hour) => ({
        ...words,
        incidentId: id,
        description: `Hour ${hour}: still watching it.`,
      })),
    );
    expect(await project.up(...updates)).toMatchObject({ ok: true });
    expect(service.posts).toHaveLength(updates.length);
    expect(service.sandbox.requests).toHaveLength(2 * updates.length);
    service.sandbox.clearRequests();
    expect(await project.refresh()).toMatchObject({ ok: true });
    const read = service.sandbox.requests.map(({ path }) => path.split("/").at(-1));
    expect(read.sort()).toEqual([...incidentIds].sort());
    service.sandbox.clearRequests();
    await expectNothingToDo();
    expect(service.sandbox.requests).toEqual([]);
  });
});
