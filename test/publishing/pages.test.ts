/** Publishing on a page with components: edits, the dates of updates, and incidents that a run opens. */
import { type Declaration, type PostedUpdate } from "../../provider/protocol";
import { notFound, send } from "../client/services";
import {
  anotherRun,
  bodies,
  declaring,
  getPostedUpdate,
  type Happens,
  incidentId,
  learn,
  publishUpdate,
  type PublishOptions,
  reads,
  sentOf,
  type Setting,
  start,
  update,
} from "./setting";

const onPage = { statusPageId: "page" };
const keyed = { ...onPage, key: "k" };
const edited = { ...keyed, description: "Else." };

const again = (options: PublishOptions) => (setting: Setting) => publishUpdate(setting, keyed, options);
it.each<[string, object, Happens, date?: string]>([
  [
    "is sent while another resource searches for a post of its former text",
    { kind: "done" },
    again({ was: { ...sentOf, declared: declaring(keyed) } }),
  ],
  ["is sent if the history lacks its update", { kind: "done" }, ({ history }) => (history.length = 0)],
  ["is sent with its date", { kind: "done" }, () => undefined, "2026-11-20T09:40:00Z"],
])("an edit %s", async (_, result, happens, date = "") => {
  const dated = date === "" ? {} : { publicIncidentUpdateDate: date };
  const setting = await start([update("u1")], 60_000);
  const was = getPostedUpdate(await publishUpdate(setting, keyed));
  setting.answerUpdate = (response) =>
    send(
      response,
      update("u1", response.req.method === "PUT" ? { description: edited.description, ...dated } : {}),
    );
  const next = anotherRun(setting);
  const editing = publishUpdate(next, { ...edited, ...dated }, { was, resource: "one" });
  await happens(next);
  const ended = await editing;
  expect(ended).toMatchObject(result);
  if (ended.kind === "failed") return;
  // The note contains the same edit.
  const { editedAt: _editedAt, ...posted } = ended.posted;
  const noted = (record: PostedUpdate) =>
    next.publishing.withOwnNotes(record, next.connection, { resource: "one" });
  expect(noted(posted)).toBe(posted);
  // A record with a different date lacks that edit.
  const other = { publicIncidentUpdateDate: "2026-11-20T09:10:00Z" };
  const earlier = { ...posted, declared: declaring({ ...edited, ...other }) };
  expect(noted(earlier)).toHaveProperty("mayShow", expect.arrayContaining([{ version: "" }]));
});

const opening = { ...onPage, containerId: "page", name: "Checkout" };
const componentImpacts = [{ componentId: "c1", status: "MAJOR_OUTAGE" }] as const;
it.each<[string, object, Partial<Declaration>, impacts?: PublishOptions["impacts"]]>([
  ["is rejected by a page with components", { why: "tooEarly" }, onPage],
  ["is posted to a page with cards", { kind: "done" }, {}],
  ["is posted with an incident that it opens", { kind: "done" }, opening],
  ["is posted with an incident and its impacts", { kind: "done" }, opening, componentImpacts],
])("an update that is dated before its incident %s", async (_, result, at, ...[impacts = []]) => {
  const setting = await start([update("u1", { description: "It began." })], 60_000);
  const opened = { name: at.name, componentImpacts: impacts };
  if (at.name !== undefined) {
    setting.answerRead = (response) =>
      send(
        response,
        response.req.url?.includes("/incidents")
          ? { entries: [] }
          : { id: "page", name: "Shop", created_at: "2026-11-20T09:00:00Z" },
      );
    setting.answerPost = (response) =>
      send(response, { id: "inc-1", ...opened, incidentUpdates: [update("u2")] }, 201);
  }
  const early = { publicIncidentUpdateDate: "2026-11-20T08:00:00Z" };
  expect(await publishUpdate(setting, { ...at, ...early }, { impacts })).toMatchObject(result);
  if (at.name !== undefined) expect(bodies(setting)).toEqual([expect.objectContaining(opened)]);
});

const inTime = 60_000;
it.each([
  [
    404,
    "is read again on the page where this run opened it",
    "page",
    incidentId,
    2,
    { kind: "done" },
    3,
    inTime,
  ],
  [
    404,
    "is read again for a while where this run opened it",
    "page",
    incidentId,
    99,
    { why: "failed" },
    6,
    inTime,
  ],
  [404, "is read again within its time", "page", incidentId, 99, { why: "failed" }, 2, 1_400],
  [403, "isn't read again where this run opened it", "page", incidentId, 99, { why: "failed" }, 1, inTime],
  [
    404,
    "isn't read again on a page where this run opened another",
    "page",
    "inc-2",
    1,
    { why: "failed" },
    1,
    inTime,
  ],
  [404, "isn't read again on the status page", undefined, incidentId, 1, { why: "failed" }, 1, inTime],
])("an incident with the response HTTP %i %s", async (...row) => {
  const [code, , statusPageId, opened, missing, result, count, deadlineMs] = row;
  const setting = await start([], deadlineMs);
  const { answerRead } = setting;
  setting.answerRead = (response) =>
    reads(setting).length <= missing
      ? send(response, { ...notFound, statusCode: code }, code)
      : answerRead(response);
  const place = { containerId: "page", statusPageId: "page", name: "Checkout" };
  const was = {
    kind: "posted",
    id: opened,
    declared: declaring(place),
    missing: false,
    written: "",
  } as const;
  learn(setting, "incident", was, place);
  const on = statusPageId === undefined ? {} : { statusPageId };
  expect(await publishUpdate(setting, on)).toMatchObject(result);
  expect(reads(setting)).toHaveLength(count);
});
