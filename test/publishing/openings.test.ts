/** Reads and opens incidents on a page with components. */
import { type NewComponentImpact } from "../../provider/api";
import { getOpenings } from "../../provider/publishing/openings";
import { notFound, send, serve } from "../client/services";
import "../lifecycles/idleClock";
import { connectionsTo } from "../lookups/lists";

const [early, later] = ["2026-11-20T09:00:00.000Z", "2026-11-20T09:30:00.000Z"];
const firstUpdate = { id: "u1", status: "INVESTIGATING", description: "Slow.", created_at: early } as const;
const lastUpdate = { ...firstUpdate, id: "u2", description: "Slower.", created_at: later };
const lasting: NewComponentImpact[] = [{ componentId: "c1", status: "MAJOR_OUTAGE" }];
const opened = { id: "inc_1", name: "Outage", created_at: early, lastUpdateStatus: "INVESTIGATING" } as const;
const history = (...incidentUpdates: object[]) => ({ ...opened, componentImpacts: lasting, incidentUpdates });
const entry = {
  ...{ id: "inc_1", name: "Outage", created_at: early, isResolved: false, componentImpacts: lasting },
  ...{ status: "INVESTIGATING", description: "Slow.", notifySubscribers: undefined },
};

/** Connects to a page with one incident whose responses to writes contain no history. */
async function openingOf(shown: object, listed: object = shown, answer: object = opened) {
  const service = await serve((response, { method, url }) => {
    if (method !== "GET") send(response, url.includes("-updates") ? firstUpdate : answer);
    else if (url.includes("?")) send(response, { entries: [listed], length: 1, nextId: null });
    else if (url.includes("/incidents")) send(response, shown, shown === notFound ? 404 : 200);
    else send(response, { id: "page", name: "Shop", created_at: early });
  });
  const { uncached } = getOpenings(connectionsTo(service).connect().client, "page", "Outage", lasting);
  const writes = () =>
    service.requests
      .filter(({ method }) => method !== "GET")
      .map(({ url, body }) => [url.split("/incidents/")[1] ?? "", JSON.parse(body) as unknown]);
  return { service, uncached, writes };
}

const { componentImpacts: _lasting, ...withoutImpacts } = entry;
const over = { ...history(firstUpdate), lastUpdateStatus: "RESOLVED" };
const impacts = [
  { componentId: "c0", status: "MAJOR_OUTAGE", endedAt: early },
  ...[{ componentId: "c0", status: "ON_FIRE" }, ...lasting],
];
it.each<[string, shown: object, entries: object[], listed?: object]>([
  ["with its first update", history(lastUpdate, firstUpdate), [entry]],
  ["without impacts, if none are shown", { ...opened, incidentUpdates: [firstUpdate] }, [withoutImpacts]],
  [
    "with its lasting impacts",
    { ...history(firstUpdate), componentImpacts: impacts },
    [{ ...entry, unknownImpacts: ["c0"] }],
  ],
  ["that is resolved, if it has the declared name", over, [{ ...withoutImpacts, isResolved: true }]],
  ["unless it is resolved and has another name", over, [], { ...over, name: "Other" }],
  ["unless it is open and has another name", history(firstUpdate), [], { ...history(), name: "Other" }],
])("an incident of a page is read %s", async (_, shown, incidentUpdates, listed = shown) => {
  const { uncached } = await openingOf(shown, listed);
  const page = { id: "page", name: "Shop", created_at: early };
  expect(await uncached.read("page")).toEqual({ ...page, incidentUpdates });
});

it("only the last resolved incident with the declared name is read", async () => {
  const listed = [
    { ...over, id: "last" },
    { ...over, id: "earlier" },
    { ...history(firstUpdate), id: "open" },
  ];
  const service = await serve((response, { url }) => {
    if (url.includes("?")) send(response, { entries: listed, length: 3, nextId: null });
    else if (url.includes("/incidents"))
      send(
        response,
        listed.find(({ id }) => url.endsWith(`/${id}`)),
      );
    else send(response, { id: "page", name: "Shop", created_at: early });
  });
  const { uncached } = getOpenings(connectionsTo(service).connect().client, "page", "Outage", lasting);
  const { incidentUpdates } = await uncached.read("page");
  expect(incidentUpdates?.map(({ id }) => id)).toEqual(["last", "open"]);
});

it("an incident is read by its ID, and can't be edited", async () => {
  const { uncached } = await openingOf(history(firstUpdate));
  expect(await uncached.readUpdate("page", "inc_1")).toEqual(entry);
  const edit = { ...firstUpdate, publicIncidentUpdateDate: early };
  await expect(uncached.edit("page", "inc_1", edit)).rejects.toThrow("only edited in the dashboard");
});

it.each([
  ["an open", history(firstUpdate), entry],
  ["a resolved", over, { ...withoutImpacts, isResolved: true }],
])(
  "%s incident with another name is read if this machine sent one when it was created",
  async (_, shown, found) => {
    const { uncached } = await openingOf({ ...shown, name: "Renamed" });
    const read = (sentAt: number) => uncached.read("page", {}, [sentAt]);
    const named = { ...found, name: "Renamed" };
    expect((await read(Date.parse(early) - 120_000)).incidentUpdates).toEqual([named]);
    expect((await read(Date.parse(early) + 120_001)).incidentUpdates).toEqual([]);
  },
);

it.each([
  ["can't be found", notFound],
  ["has no update yet", opened],
])("an incident that is listed but %s is read again, and nothing is opened", async (_, shown) => {
  const { uncached, service } = await openingOf(shown, history());
  await expect(uncached.read("page")).rejects.toThrow(
    `The page lists the incident "Outage" (inc_1), but the service doesn't return its first update yet. Nothing was opened. Run \`pulumi up\` again in a few minutes.`,
  );
  expect(service.requests).toHaveLength(2 + 5);
});

it.each<[string, answer: object, description: string]>([
  ["the shown update", history({ ...firstUpdate, description: "Shown." }), "Shown."],
  ["the sent update, if none is shown", opened, "Slow."],
  ["the sent update, if there is no list", { ...opened, incidentUpdates: null }, "Slow."],
  ["the sent update, if the list is empty", { ...opened, incidentUpdates: [] }, "Slow."],
])("an incident is opened with the declared name, and read with %s", async (_, answer, description) => {
  const { uncached, writes } = await openingOf({}, {}, { ...answer, componentImpacts: lasting });
  const { status, description: text } = firstUpdate;
  const update = { status, description: text, notifySubscribers: true };
  const read = await uncached.post("page", update);
  const { notifySubscribers: _sent, ...expected } = entry;
  expect(read).toMatchObject({ ...expected, description });
  const sent = { name: "Outage", incidentUpdates: [update], componentImpacts: lasting };
  expect(writes()).toEqual([["", sent]]);
});

it("pages aren't searched for a hint if reading the page is forbidden", async () => {
  const service = await serve((response) => send(response, {}, 403));
  const { uncached } = getOpenings(connectionsTo(service).connect().client, "page", "Outage", lasting);
  await expect(uncached.read("page")).rejects.toThrow("HTTP 403");
  expect(service.requests).toHaveLength(1);
});
