/**
 * Tests the preview of a dynamic provider, which rejects changes of public updates and incidents before the engine compares them. Only the
 * inputs of the last run are known.
 */
import { z } from "zod";
import { programInput } from "../../provider/engine";
import { type Sandbox, wellKnown } from "../../sandbox";
import { opening } from "../driver/expecting";
import { sandboxForEachTest } from "../sandbox/sandboxes";
import "./idleClock";
import {
  by,
  checkInputs,
  type DynamicProvider,
  noticesDuring,
  phase,
  type Properties,
  startPhase,
  unknown,
} from "./phases";

const sandbox = sandboxForEachTest();
const { shop } = wellKnown.componentPages;
const { checkoutOutage } = wellKnown.componentPageIncidents;
const { checkoutLatency } = wellKnown.statusPageIncidents;

interface Location {
  readonly incidentId: string;
  readonly statusPageId?: string;
}
const onCards: Location = { incidentId: checkoutLatency };
const onPage = { incidentId: checkoutOutage, statusPageId: shop };
const text = "Carts are slow.";
const update: Properties = {
  ...onCards,
  status: "MONITORING",
  description: text,
  notifySubscribers: false,
};

/** Makes the page of the incident show the update as its newest, with these changes. */
const show =
  (
    changes: { description?: string; status?: "IDENTIFIED" } = {},
    { incidentId, statusPageId }: Location = onCards,
  ) =>
  (service: Sandbox): void => {
    const shown =
      statusPageId === undefined ? service.incident(incidentId) : service.incident(incidentId, statusPageId);
    const [newest] = shown.incidentUpdates;
    const content = { status: "MONITORING" as const, description: text, ...changes };
    service.dashboard.editUpdate(incidentId, newest?.id ?? "", content, statusPageId);
  };

type EntryType = "Incident" | "IncidentUpdate";
const buildUrn = (type: EntryType): string => `urn:pulumi:dev::shop::monitoring:index:${type}::own`;
const inPreview = { previews: true, collectsProblems: true };

/** Returns the inputs that a program passes. By default, no value is secret. */
const declare = (type: EntryType, shown: Properties, more: object = {}): Properties => ({
  ...shown,
  ...by("own", { urn: buildUrn(type), shown, ...more }),
});

interface Change {
  /** The inputs of the last run. */
  readonly old: Properties;
  readonly news: Properties;
  /** What the program passes in addition. */
  readonly more?: object;
  /** What the last run passed. Default: `more`. */
  readonly lastMore?: object;
}

/** Returns the problem that a dynamic provider reports for a change of the inputs. */
async function previewChange(
  provider: DynamicProvider,
  type: EntryType,
  { old, news, more, lastMore = more }: Change,
): Promise<string | undefined> {
  const olds = await checkInputs(await phase(type, sandbox()), declare(type, old, lastMore));
  const checked = await provider.check(olds, declare(type, news, { ...more, ...inPreview }));
  expect(checked).toMatchObject({ failures: [] });
  const passed = z.object({ [programInput]: z.object({ problem: z.string().optional() }) });
  return passed.parse(checked.inputs)[programInput].problem;
}

const publicUpdate = `because the update is public (MONITORING: "${text}"). Nothing was posted. Restore the value.`;
const keyed = { key: "cause" };
const other = { description: "The queue is full." };

it.each<[string, (service: Sandbox) => unknown, Partial<Change>, problem: string | undefined]>([
  [
    "a text is rejected",
    show(),
    { news: other },
    ` "own" on incident ${checkoutLatency}: description must not change, ${publicUpdate}`,
  ],
  [
    "a status is rejected",
    show(),
    { news: { status: "IDENTIFIED" } },
    `status must not change, ${publicUpdate}`,
  ],
  [
    "a secret text is rejected without it",
    show(),
    { news: other, more: { shown: {} } },
    "because the update is public (MONITORING, a secret text). Nothing",
  ],
  [
    "a text that was secret is rejected without it",
    show(),
    { news: other, lastMore: { shown: {} } },
    "because the update is public (MONITORING, a secret text). Nothing",
  ],
  ["the white space is accepted", show(), { news: { description: ` ${text}\n` } }, undefined],
  ["a text with an unknown status is accepted", show(), { news: { ...other, status: unknown } }, undefined],
  ["a text to the one on the page is accepted", show(other), { news: other }, undefined],
  ["a text that isn't on the page is accepted", show({ description: "Theirs." }), { news: other }, undefined],
  [
    "a text with another status on the page is accepted",
    show({ status: "IDENTIFIED" }),
    { news: other },
    undefined,
  ],
  [
    "an entry that can be edited is accepted",
    show({}, onPage),
    { old: { ...update, ...onPage }, news: other, more: keyed },
    undefined,
  ],
  [
    "a text is accepted if the page can't be read",
    (service) => {
      show()(service);
      service.faults.add({ kind: "status", code: 403 });
    },
    { news: other },
    undefined,
  ],
])(
  "a preview of a dynamic provider: a change of %s",
  async (_, happens, { old = update, news, ...others }, problem) => {
    happens(sandbox());
    const provider = await phase("IncidentUpdate", sandbox());
    const found = await previewChange(provider, "IncidentUpdate", {
      old,
      news: { ...old, ...news },
      ...others,
    });
    expect(found ?? "").toContain(problem ?? "");
    expect(found === undefined).toBe(problem === undefined);
  },
);

const maintenance = opening("Database upgrade 42");

it("a preview of a dynamic provider: a change of the name of a public incident is rejected", async () => {
  const [old, provider] = [{ ...maintenance }, await phase("Incident", sandbox())];
  sandbox().dashboard.editIncident(checkoutOutage, { name: old.name }, shop);
  const [first] = sandbox().incident(checkoutOutage, shop).incidentUpdates.slice(-1);
  const { status, description } = first ?? {};
  const declared = { ...old, status, description };
  const problem = await previewChange(provider, "Incident", {
    old: declared,
    news: { ...declared, name: "Database upgrade 43" },
  });
  expect(problem).toMatch(/name must not change, because the incident "Database upgrade 42" is public/);
});

it("a preview of a dynamic provider: a public update that moves to an incident that the run opens is rejected", async () => {
  const { Incident, IncidentUpdate } = await startPhase(sandbox());
  const notices = await noticesDuring(() => Incident.check({}, declare("Incident", maintenance, inPreview)));
  expect(notices).toEqual([expect.stringMatching(/^Incident "own" opens an incident on /)]);
  const old = { ...update, ...onPage };
  const problem = await previewChange(IncidentUpdate, "IncidentUpdate", {
    old,
    news: { ...old, incidentId: unknown },
    more: { incidents: [buildUrn("Incident")] },
  });
  expect(problem).toMatch(
    /incidentId must not change, because the update is public, and "own" opens another incident\. Nothing was posted\./,
  );
});
