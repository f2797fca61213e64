/** What a user does to a declared update, and what happens, by both adapters. What they have no part in: test/lifecycles. */
import { incidentId, Service, words } from "../engine/service";
import { adapters } from "./adapters";
import { DrivenProject } from "./drivenProject";

const service = new Service();
let project: DrivenProject;

/** The update is public, in the state by its id, and there is nothing to do. */
async function expectTracked(): Promise<void> {
  expect(project.ids).toEqual([`${incidentId}/${service.newestId}`]);
  expect(await project.preview()).toMatchObject({ ok: true });
}

describe.each(adapters)("an update, by the $name adapter,", (adapter) => {
  beforeEach(() => {
    project = new DrivenProject(adapter, service.sandbox).declare(words);
  });

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
