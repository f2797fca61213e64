/** Observed resources: read into the stack, never changed on the service, compared on refresh. */
import type { ResourceType } from "../../provider/resourceTypes";
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import { adapters } from "./adapters";
import { DrivenProject, incidentId, Service } from "./drivenProject";

const { operationsMail } = wellKnown.alertChannels;

type Account = Sandbox["data"]["accounts"][0];
interface Case {
  readonly kind: ResourceType;
  readonly args: Record<string, unknown>;
  readonly edit: (account: Account) => void;
  readonly shows: object;
}

const [page] = seedData().accounts[0].statusPages;
const cases: Case[] = [
  {
    kind: "AlertChannel",
    args: { channelId: operationsMail, expect: { sslExpiryThreshold: { atLeast: 14 } } },
    edit: ({ alertChannels }) => {
      for (const channel of alertChannels) if (channel.id === operationsMail) channel.sslExpiryThreshold = 21;
    },
    shows: { sslExpiryThreshold: 21 },
  },
  {
    kind: "StatusPage",
    args: { statusPageId: page?.id, expect: { cards: { contains: {} } } },
    edit: ({ statusPages }) => statusPages.forEach((each) => (each.customDomain = "")),
    shows: { customDomain: "" },
  },
  {
    kind: "StatusPageIncident",
    args: { incidentId },
    edit: ({ statusPageIncidents }) => statusPageIncidents.forEach((each) => (each.severity = "MINOR")),
    shows: { severity: "MINOR" },
  },
  {
    kind: "Incident",
    args: { incidentId: wellKnown.incidents.warehouseMove, expect: { stoppedAt: null } },
    edit: ({ incidents }) => incidents.forEach((each) => (each.name = "Moved.")),
    shows: { name: "Moved." },
  },
];

describe.each(adapters)("by the $name adapter,", (adapter) => {
  const service = new Service();
  const change = (edit: Case["edit"]): void =>
    service.sandbox.byHand.change(({ accounts }) => edit(accounts[0]));
  afterEach(() => expect(service.posts).toEqual([]));

  it.each(cases)(
    "$kind is read by up, shows drift on refresh, and is forgotten without a request",
    async (each) => {
      const project = new DrivenProject(adapter, service.sandbox, each.kind).declare(each.args);
      expect(await project.up()).toMatchObject({ ok: true });
      const before = project.outputs;
      expect(before).not.toMatchObject({ ...each.shows, missing: true });
      expect(await project.refresh()).toMatchObject({ ok: true });
      expect(project.outputs).toEqual(before);
      expect(await project.preview()).toMatchObject({ ok: true });

      change(each.edit);
      expect(await project.refresh()).toMatchObject({ ok: true });
      expect(project.outputs).toMatchObject(each.shows);
      expect(await project.preview()).toMatchObject({ ok: true });

      service.sandbox.clearRequests();
      const destroy = await project.destroy();
      expect(destroy).toMatchObject({ ok: true });
      expect(destroy.output).toContain("removed from the state; nothing changes on the service");
      expect(service.sandbox.requests).toEqual([]);
    },
  );

  describe("what an AlertChannel expects", () => {
    const met = { sslExpiryThreshold: { atLeast: 14 } };
    const expecting = (expected: object) => ({ channelId: operationsMail, expect: expected });
    const edit = (changes: object, config: object = {}): void =>
      change(({ alertChannels }) => {
        const channel = alertChannels.find(({ id }) => id === operationsMail);
        if (channel) Object.assign(channel, changes, { config: { ...channel.config, ...config } });
      });
    let project: DrivenProject;
    beforeEach(() => {
      project = new DrivenProject(adapter, service.sandbox, "AlertChannel").declare(expecting(met));
    });

    it("fails the run that would create or update it, and every run after it, until it holds", async () => {
      const violated = { ...met, sendFailure: true, config: { address: { matches: "@example.com$" } } };
      const expectComplaint = async (): Promise<void> => {
        const { ok, output } = await project.up(expecting(violated));
        expect(ok).toBe(false);
        expect(output).toContain(`matches "@example.com$", but it is "operations@quillmarket.example";`);
        expect(output).toContain("sendFailure: expected true, but it is false.");
      };
      await expectComplaint();
      expect(project.resources).toEqual([]);
      expect(await project.up(expecting(met))).toMatchObject({ ok: true });
      await expectComplaint();
      await expectComplaint();
      expect(project.outputs["expect"]).toEqual(met);

      edit({ sendFailure: true }, { address: "operations@example.com" });
      expect(await project.up()).toMatchObject({ ok: true });
      expect(project.outputs["expect"]).toEqual(violated);
      expect(await project.preview()).toMatchObject({ ok: true });
    });

    it("is compared by a refresh, and what is not as expected fails `pulumi up` until it is", async () => {
      expect(await project.up()).toMatchObject({ ok: true });
      edit({ sslExpiryThreshold: 3 });
      const refresh = await project.refresh();
      expect(refresh.ok).toBe(true);
      expect(refresh.output).toContain(
        `AlertChannel ${operationsMail}: not as expected: sslExpiryThreshold: expected at least 14, but it is 3.`,
      );
      const up = await project.up();
      expect(up.ok).toBe(false);
      expect(up.output).toContain("sslExpiryThreshold: expected at least 14, but it is 3");
      edit({ sslExpiryThreshold: 30 });
      expect(await project.up()).toMatchObject({ ok: true });
      expect(await project.preview()).toMatchObject({ ok: true });
    });

    it("is no credential, and one that is given is refused without being shown", async () => {
      const { ok, output } = await project.up(
        expecting({ config: { url: "https://hooks.example/canary", apiKey: { not: "canary" } } }),
      );
      expect(ok).toBe(false);
      expect(output).toMatch(/expect\.config\.url is a credential, which is never stored/);
      expect(output).toMatch(/expect\.config\.apiKey\.not is a credential, which is never stored/);
      expect(output).not.toContain("canary");
    });
  });
});
