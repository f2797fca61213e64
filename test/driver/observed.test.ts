/** Observed resources: read into the stack, never changed on the service, compared on refresh. */
import type { ResourceType } from "../../provider/engine/resourceTypes";
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import { Service } from "../engine/service";
import { unknown } from "../lifecycles/phases";
import { adapters } from "./adapters";
import { DrivenProject } from "./drivenProject";

const { legacyHook, operationsMail } = wellKnown.alertChannels;
const [page] = seedData().accounts[0].statusPages;

type Account = Sandbox["data"]["accounts"][0];

const cases: [kind: ResourceType, args: object, edit: (account: Account) => void, shows: object][] = [
  [
    "AlertChannel",
    { channelId: operationsMail, expect: { sslExpiryThreshold: { atLeast: 14 } } },
    ({ alertChannels }) => alertChannels.forEach((each) => (each.sslExpiryThreshold = 22)),
    { sslExpiryThreshold: 22 },
  ],
  [
    "StatusPage",
    { statusPageId: page?.id, expect: { cards: { contains: {} } } },
    ({ statusPages }) => statusPages.forEach((each) => (each.customDomain = "")),
    { customDomain: "" },
  ],
];

describe.each(adapters)("by the $name adapter,", (adapter) => {
  const service = new Service();
  const change = (edit: (account: Account) => void): void =>
    service.sandbox.byHand.change(({ accounts: [account] }) => edit(account));
  afterEach(() => expect(service.posts).toEqual([]));

  it("each kind is read by up, shows drift on refresh, and is forgotten without a request", async () => {
    const kinds = cases.map(([kind]) => kind);
    const project = new DrivenProject(adapter, service.sandbox, kinds);
    const outputs = () => project.resources.map((resource) => resource.outputs);
    expect(await project.up(...cases.map(([, args]) => ({ ...args })))).toMatchObject({ ok: true });
    cases.forEach(([, , , shows], index) => expect(outputs()[index]).not.toMatchObject(shows));

    for (const [, , edit] of cases) change(edit);
    expect(await project.refresh()).toMatchObject({ ok: true });
    expect(outputs()).toMatchObject(cases.map(([, , , shows]) => shows));
    expect(await project.preview()).toMatchObject({ ok: true });

    service.sandbox.clearRequests();
    const { ok, output } = await project.destroy();
    expect(ok).toBe(true);
    expect(output.match(/removed from the state; nothing changes on the service/g)).toHaveLength(
      kinds.length,
    );
    expect(service.sandbox.requests).toEqual([]);
  });

  it("a preview reads what is new or changed, once, and fails as the up would", async () => {
    const kinds = Array.from({ length: 4 }, (): ResourceType => "AlertChannel");
    const project = new DrivenProject(adapter, service.sandbox, kinds);
    const preview = async (...args: object[]): Promise<[said: string, steps: string[], reads: number]> => {
      service.sandbox.clearRequests();
      const { output } = await project.declare(...args.map((each) => ({ ...each }))).preview();
      const steps = output.split("\n").filter((line) => /^(create|update|replace)$/.test(line));
      return [output, steps, service.sandbox.requests.length];
    };
    const met = { channelId: operationsMail, expect: { sslExpiry: true } };
    const violated = { channelId: operationsMail, expect: { sslExpiry: false } };
    const other = { channelId: legacyHook, expect: { sendFailure: true } };
    const absent = { channelId: 999_999 };
    const expected = [
      expect.stringMatching(
        /(?=[^]*sslExpiry: expected false, but it is true)(?=[^]*AlertChannel 999999: not found)/,
      ),
    ];
    const created = ["create", "create"];
    expect(await preview(absent, violated, { channelId: unknown }, other)).toEqual([...expected, created, 3]);

    expect(await project.up(met, other)).toMatchObject({ ok: true });
    // The provider process prints its port.
    expect(await preview(met, other)).toEqual([expect.stringMatching(/^\d+\s*$/), [], 0]);
    expect(await preview(violated, absent)).toEqual([...expected, [], 2]);
  });
});
