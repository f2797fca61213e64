/** What a user does to a declared update, and what happens. */
import { wellKnown } from "../../sandbox";
import { incidentId, Service, words } from "../engine/service";
import { post } from "../sandbox/sandboxes";
import { type Adapter, adapters, plugin } from "./adapters";
import { DrivenProject } from "./drivenProject";

const service = new Service();
let project: DrivenProject;

function declaredBy(adapter: Adapter): void {
  beforeEach(() => {
    project = new DrivenProject(adapter, service.sandbox).declare(words);
  });
}

/** The update is public, in the state by its id, and there is nothing to do. */
async function expectTracked(): Promise<void> {
  expect(project.ids).toEqual([`${incidentId}/${service.newestId}`]);
  expect(await project.preview()).toMatchObject({ ok: true });
}

describe.each(adapters)("an update, by the $name adapter,", (adapter) => {
  declaredBy(adapter);

  it("is posted once, refreshed without a change and forgotten without a request", async () => {
    expect(await project.up()).toMatchObject({ ok: true });
    expect(service.posts).toMatchObject([
      { body: { status: "MONITORING", description: words.description, notifySubscribers: false } },
    ]);
    const before = project.outputs;
    expect(await project.refresh()).toMatchObject({ ok: true });
    expect(project.outputs).toEqual(before);
    await expectTracked();
    service.sandbox.clearRequests();
    expect(await project.destroy()).toMatchObject({
      ok: true,
      output: expect.stringContaining("The update stays public: the API has no operation to delete it"),
    });
    expect(service.sandbox.requests).toEqual([]);
    expect(service.published()).toHaveLength(1);
    expect(project.resources).toEqual([]);
  });

  it("is followed by a new one when it changes, after a preview that says so, and doesn't come back", async () => {
    await project.up();
    const changed = { ...words, status: "RESOLVED", description: "All good.", notifySubscribers: true };
    const preview = await project.declare(changed).preview();
    expect(preview.output).toContain(
      `posts to "Checkout is slow for shoppers in Europe" (${incidentId})\n  RESOLVED, every subscriber is emailed:\n  | All good.`,
    );
    expect(preview.output).toMatch(/^replace$/m);
    expect(service.published()).toHaveLength(1);
    expect(await project.up()).toMatchObject({ ok: true });
    expect(project.ids).toEqual([`${incidentId}/${service.newestId}`]);
    expect(await project.up(words)).toMatchObject({
      ok: false,
      output: expect.stringContaining("set `occurrence: 2`"),
    });
    expect(service.published().map(({ description }) => description)).toEqual([
      words.description,
      "All good.",
    ]);
  });

  it("shows on refresh that it was edited, and then deleted by hand, and is not posted again", async () => {
    await project.up();
    const edited = { description: "Edited by hand.", status: "RESOLVED" } as const;
    service.sandbox.byHand.editUpdate(incidentId, service.newestId, edited);
    expect(await project.refresh()).toMatchObject({ ok: true });
    expect(project.outputs).toMatchObject({ description: words.description, published: edited });
    service.sandbox.byHand.deleteUpdate(incidentId, service.newestId);
    expect(await project.refresh()).toMatchObject({
      ok: true,
      output: expect.stringContaining("not found on the service. It stays in the state"),
    });
    expect(project.outputs).toMatchObject({ missing: true });
    expect(await project.up()).toMatchObject({ ok: true });
    expect(service.posts).toHaveLength(1);
  });

  it.each<[string, () => void, string[]]>([
    [
      "declaration",
      () =>
        project.declare({
          incidentId: "a/b",
          status: "FINE",
          account: "eu",
          descripton: "typo",
          description: "Canary \ud83d",
        }),
      [
        "incidentId must be an id, without",
        "status must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED",
        "description must be well-formed Unicode",
        "account must be a name in monitoring:accounts, which is not set",
        "descripton is not known; expected one of incidentId, status, description,",
      ],
    ],
    [
      "configuration",
      () => {
        project.config["monitoring:apiKey"] = "canary key";
        project.config["monitoring:baseUrl"] = "http://status.example.com";
        project.config["monitoring:timeoutMs"] = "soon";
      },
      [
        "monitoring:apiKey must be printable ASCII",
        "monitoring:baseUrl must begin with https://",
        "monitoring:timeoutMs must be a whole number from 1 to",
      ],
    ],
  ])("fails with every mistake in its %s, without a value or a request", async (_, mistake, said) => {
    mistake();
    const { ok, output } = await project.up();
    expect(ok).toBe(false);
    for (const text of said) expect(output).toContain(text);
    expect(output).not.toMatch(/canary/i);
    expect(service.sandbox.requests).toEqual([]);
  });
});

/** The adapters have no part in it: the one that starts faster shows it. */
describe("an update", () => {
  declaredBy(plugin);

  it("is adopted when it exists, and the same with other white space and ways to write a character", async () => {
    await post(service.sandbox, { status: "MONITORING", description: "  Caf\u00e9 tills  are\r\nslow. " });
    const [existing] = service.published();
    const up = await project.up({ ...words, description: "Cafe\u0301 tills are slow." });
    expect(up).toMatchObject({ ok: true });
    expect(up.output).toContain(
      `an identical update (${existing?.id}) has existed in incident ${incidentId} since ${existing?.created_at}`,
    );
    const same = { ...words, description: "  Caf\u00e9 tills  are\r\nslow. " };
    const nothing = "description differs only in white space, HTML entities or Unicode";
    expect((await project.declare(same).preview()).output).toContain(nothing);
    const recorded = await project.up(same);
    expect(recorded).toMatchObject({ ok: true, output: expect.stringContaining(nothing) });
    expect(await project.preview()).toMatchObject({ ok: true });
    expect(project.ids).toEqual([`${incidentId}/${existing?.id}`]);
    expect(service.published()).toEqual([existing]);
  });

  it("records a change of notifySubscribers, onChange and the name of its account, and mails nobody", async () => {
    await project.up();
    const { apiKey, accountId } = service.sandbox;
    project.config["monitoring:accounts"] = JSON.stringify({ shop: { apiKey, accountId } });
    const changed = { notifySubscribers: true, onChange: "refuse", account: "shop" };
    expect(await project.up({ ...words, ...changed })).toMatchObject({
      ok: true,
      output: expect.stringContaining("nothing is posted, and nobody is emailed"),
    });
    expect(service.sandbox.mailed(service.newestId)).toBe(0);
    expect(project.outputs).toMatchObject({ ...changed, incidentUpdateId: service.newestId });
    await expectTracked();
    expect(await project.up({ ...words, ...changed, description: "All good." })).toMatchObject({
      ok: false,
      output: expect.stringContaining('onChange is "refuse"'),
    });
    expect(service.published()).toHaveLength(1);
  });

  it("stays refused when a change failed while it was unconfirmed, and the engine replaces it without asking", async () => {
    const refusing = { ...words, onChange: "refuse" };
    project.env["MONITORING_DEADLINE_MS"] = "1200";
    service.sandbox.faults.add({ kind: "lateVisibility", ms: 600_000 });
    service.sandbox.faults.add({
      kind: "reset",
      operation: "createIncidentUpdate",
      applied: true,
      times: 1,
    });
    const { output: unconfirmed } = await project.up(refusing);
    expect(unconfirmed).toContain("It isn't in the incident so far.");
    const { output: changed } = await project.up({ ...refusing, description: "It is over." });
    expect(changed).toMatch(/a previous run sent this update at \S+, and received no response/);
    // Now the update is shown.
    service.sandbox.faults.clear();
    expect(await project.upThatReplaces()).toMatchObject({
      ok: false,
      output: expect.stringContaining("description must not change: the update is public"),
    });
    expect(service.published()).toMatchObject([{ description: words.description }]);
  });

  it("is refused with another account: nothing is posted or marked missing", async () => {
    await project.up();
    service.sandbox.clearRequests();
    project.config["monitoring:accountId"] = wellKnown.accounts.labs;
    for (const command of ["up", "refresh"] as const) {
      const { ok, output } = await project[command]();
      expect([command, ok]).toEqual([command, false]);
      expect(output).toMatch(/points to account b27d94c0-\S+ on/);
    }
    expect(service.sandbox.requests).toEqual([]);
    expect(project.outputs).toMatchObject({ missing: false });
  });

  it("is not posted while MONITORING_READ_ONLY is set, and leaves nothing", async () => {
    project.env["MONITORING_READ_ONLY"] = "1";
    expect(await project.up()).toMatchObject({
      ok: false,
      output: expect.stringContaining(
        "readOnly is enabled (monitoring:readOnly, MONITORING_READ_ONLY or readOnly in the program), so nothing was sent",
      ),
    });
    expect([service.published(), project.resources]).toEqual([[], []]);
  });

  it("is refreshed with a rotated key from the environment, where the configuration's is old", async () => {
    await project.up();
    project.config["monitoring:apiKey"] = "mon_revoked_0123456789";
    project.env["MONITORING_API_KEY"] = service.sandbox.apiKey;
    expect(await project.refresh()).toMatchObject({ ok: true });
  });

  it("costs two requests when it is created, one for all of an incident on refresh, and none in a preview", async () => {
    const { checkoutLatency, cardDeclines, webhookDelays } = wellKnown.statusPageIncidents;
    const incidentIds = [checkoutLatency, cardDeclines, webhookDelays];
    const hours = Array.from({ length: 8 }, (_, hour) => `Hour ${hour}: still watching it.`);
    const updates = incidentIds.flatMap((id) =>
      hours.map((description) => ({ ...words, incidentId: id, description })),
    );
    expect(await project.up(...updates)).toMatchObject({ ok: true });
    expect(service.posts).toHaveLength(updates.length);
    expect(service.sandbox.requests).toHaveLength(2 * updates.length);
    service.sandbox.clearRequests();
    expect(await project.refresh()).toMatchObject({ ok: true });
    const read = service.sandbox.requests.map(({ path }) => path.split("/").at(-1));
    expect(read.sort()).toEqual([...incidentIds].sort());
    service.sandbox.clearRequests();
    expect(await project.preview()).toMatchObject({ ok: true });
    expect(service.sandbox.requests).toEqual([]);
  });

  it("whose post was applied, but never answered, is found and tracked", async () => {
    service.sandbox.faults.add({ kind: "hang", applied: true, operation: "createIncidentUpdate" });
    project.env["MONITORING_TIMEOUT_MS"] = "500";
    expect(await project.up()).toMatchObject({ ok: true });
    expect(service.posts).toHaveLength(1);
    await expectTracked();
  });
});
