/** Tests the requests of a run, and its reactions to their results. */
import { readdirSync } from "node:fs";
import { type ServerResponse } from "node:http";
import { MonitoringError } from "../../provider/client";
import { type Declaration, type UpdateRecord, type UnconfirmedPost } from "../../provider/protocol";
import { LockDirectory } from "../../provider/publishing/lockDirectory";
import { notFound, send } from "../client/services";
import {
  anotherRun,
  bodies,
  declared,
  declaring,
  getPostedUpdate,
  hang,
  type Happens,
  incidentId,
  learn,
  lose,
  posts,
  previewUpdate,
  type PublishOptions,
  publishUpdate,
  reads,
  sentOf,
  type Setting,
  start,
  timesOfReads,
  update,
} from "./setting";

const content = { status: "MONITORING", description: "Capacity was added.", notifySubscribers: false };

/** Returns the post that the state records. */
function findSentPost(result: Awaited<ReturnType<typeof publishUpdate>>): UnconfirmedPost | undefined {
  return result.kind === "failed" && result.keep?.kind === "sent" ? result.keep : undefined;
}

/** Responds to the first posts with these responses, and to later posts as usual. */
function first(setting: Setting, ...answers: ((response: ServerResponse) => void)[]): void {
  const { answerPost } = setting;
  setting.answerPost = (response) => (answers[posts(setting).length - 1] ?? answerPost)(response);
}
const status = (code: number) => (response: ServerResponse) => send(response, {}, code);

it.each([400, 422])("a post with the response HTTP %i fails, and isn't repeated", async (code) => {
  const setting = await start();
  first(setting, status(code));
  const text: unknown = expect.stringMatching(
    `HTTP ${code}.* an update with this ID may already be public\\..*monitoring:clientIds to false`,
  );
  expect(await publishUpdate(setting)).toMatchObject({ why: "failed", keep: undefined, text });
  // Different content may be valid.
  await expect(publishUpdate(setting, { description: "It is over." })).resolves.toMatchObject({
    kind: "done",
  });
  expect(bodies(setting)).toMatchObject([content, { ...content, description: "It is over." }]);
});

it("a forbidden post, or one without its own ID, fails without advice on IDs", async () => {
  const setting = await start();
  first(setting, status(405), status(400), status(400));
  const text: unknown = expect.stringMatching(/HTTP 40[05][)][.] .*, then run again[.]$/);
  expect(await publishUpdate(setting)).toMatchObject({ text });
  const { connection } = setting;
  expect(await publishUpdate({ ...setting, connection: { ...connection, clientIds: false } })).toMatchObject({
    text,
  });
  expect(await publishUpdate(setting, { statusPageId: "page" })).toMatchObject({ text });
  const id: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(bodies(setting)).toEqual([{ ...content, id }, content, content]);
});

it("an internal error isn't reported as a rejected update", async () => {
  const setting = await start();
  setting.beforePost = () => Promise.reject(new TypeError("unforeseen"));
  await expect(publishUpdate(setting)).rejects.toThrow("unforeseen");
});

it("no update is posted and no note is left if the engine has exited", async () => {
  const setting = await start();
  setting.beforePost = () => Promise.reject(new MonitoringError("The engine has exited."));
  await expect(publishUpdate(setting)).resolves.toMatchObject({
    text: "The engine has exited.",
    keep: undefined,
  });
  setting.beforePost = () => undefined;
  await publishUpdate(anotherRun(setting));
  expect([posts(setting).length, reads(setting).length]).toEqual([1, 2]);
});

it.each<[string, (response: ServerResponse) => void, string]>([
  ["can't be read", status(503), "HTTP 503"],
  [
    "has no history",
    (response) => send(response, { id: incidentId, name: "x" }),
    "contains no updates, so the provider can't tell which ones exist. Nothing was posted. Try again later, or report",
  ],
])("no update is posted if the incident %s", async (_, answer, reason) => {
  const setting = await start();
  setting.answerRead = answer;
  const text: unknown = expect.stringContaining(reason);
  await expect(publishUpdate(setting)).resolves.toMatchObject({ text, keep: undefined });
  expect(posts(setting)).toEqual([]);
});

it("concurrent updates of an incident are posted in order, even if one of them is rejected", async () => {
  const setting = await start();
  first(setting, status(403));
  const turns = Array.from({ length: 6 }, (_, turn) => `Turn ${turn}.`);
  const results = await Promise.all(turns.map((description) => publishUpdate(setting, { description })));
  expect(results.map(({ kind }) => kind)).toEqual(["failed", "done", "done", "done", "done", "done"]);
  expect(bodies(setting)).toMatchObject(turns.map((description) => ({ description })));
});

it("the history is read once for a post, and never from a cache", async () => {
  const setting = await start();
  await setting.connection.client.getStatusPageIncident(incidentId);
  await publishUpdate(setting);
  expect(reads(setting)).toHaveLength(2);
  setting.answerPost = lose;
  await publishUpdate(anotherRun(setting), { description: "Else." });
  const [, ...gets] = setting.service.requests.filter(({ method }) => method === "GET");
  expect(gets.length).toBeGreaterThan(0);
  expect(gets.every(({ headers }) => headers["cache-control"] === "no-cache")).toBe(true);
});

it.each([
  [500, 2],
  [60_000, 7],
])(
  "a post without a response is searched for after 0, 0.5, 1, 2, 4 and 8 s within %i ms",
  async (deadlineMs, count) => {
    const setting = await start([], deadlineMs);
    first(setting, lose);
    const text: unknown = expect.stringContaining("was not retried. The update isn't on the incident");
    await expect(publishUpdate(setting)).resolves.toMatchObject({ why: "lost", text });
    expect(reads(setting)).toHaveLength(count);
  },
);

it("a post in the state is searched for in the next run for 7.5 s", async () => {
  const setting = await start([], 60_000);
  first(setting, lose);
  const lost = await publishUpdate(setting);
  const sent = findSentPost(lost);
  expect(sent).toBeDefined();
  const began = Date.now();
  const publishing = publishUpdate(anotherRun(setting), {}, { was: sent });
  const text = expect.stringContaining("(MONITORING, a secret text)") as unknown;
  await expect(publishing).resolves.toMatchObject({ why: "unconfirmed", text });
  expect([Date.now() - began, posts(setting).length]).toEqual([7_500, 1]);
});

it("the state records when a post was sent, after a check that the engine is still running", async () => {
  const setting = await start([], 60_000);
  setting.answerPost = lose;
  await publishUpdate(setting);
  setting.beforePost = () => new Promise((resolve) => setTimeout(resolve, 5_000));
  const began = Date.now();
  expect(findSentPost(await publishUpdate(setting, { description: "Else." }))?.at).toBe(began + 5_000);
});

it("a read that waits for an earlier post takes at most 10 s, however little time an update has", async () => {
  const setting = await start([], 5_000);
  setting.answerPost = lose;
  await expect(publishUpdate(setting)).resolves.toMatchObject({ why: "lost" });
  const { answerRead } = setting;
  setting.answerRead = (response) => {
    if (times.length !== 2) answerRead(response);
  };
  const times = timesOfReads(setting);
  await expect(publishUpdate(anotherRun(setting))).resolves.toMatchObject({ why: "doubtedPost" });
  expect(times.slice(0, 3)).toEqual([0, 500, 11_500]);
});

it.each<[string, string, happens: Happens]>([
  ["skipped", "a post without a response", (setting) => first(setting, lose)],
  ["skipped", "a read without a response", (setting) => (setting.answerRead = lose)],
  ["skipped", "a read that fails on the service", (setting) => (setting.answerRead = status(503))],
  ["tried", "a read that is not allowed", (setting) => (setting.answerRead = status(403))],
])("an update that waits for its turn is %s after %s", async (then, _, happens) => {
  const setting = await start([], 60_000);
  const { answerRead } = setting;
  happens(setting);
  const results = [publishUpdate(setting), publishUpdate(setting, { description: "Waiting." })] as const;
  await expect(results[0]).resolves.toMatchObject({ kind: "failed" });
  setting.answerRead = answerRead;
  const text: unknown = expect.stringMatching(
    /^IncidentUpdate on incident inc-1: the previous update on this incident failed, or its result is unknown\. Nothing was posted\. Run `pulumi up` again\.$/,
  );
  const skipped = { why: "failed", text };
  expect(await results[1]).toMatchObject(then === "skipped" ? skipped : { kind: "done" });
  await expect(publishUpdate(setting, { description: "Later." })).resolves.toMatchObject({ kind: "done" });
});

it.each([
  ["true", 1],
  ["not true", 0],
  ["truest", 0],
])("PULUMI_SKIP_CHECKPOINTS=%s causes %i warnings", async (value, times) => {
  process.env["PULUMI_SKIP_CHECKPOINTS"] = value;
  const setting = await start();
  await publishUpdate(setting);
  await publishUpdate(setting, { status: "RESOLVED" });
  expect(setting.notices).toHaveLength(times);
  if (times > 0)
    expect(setting.notices[0]).toBe(
      "PULUMI_SKIP_CHECKPOINTS is set, so the state of a killed run doesn't record the updates that it posted, and the next run may post them again. " +
        "Unset it for stacks that post updates.",
    );
});

it("an update that is only recognized by its noted ID is adopted", async () => {
  const setting = await start();
  const posted = getPostedUpdate(await publishUpdate(setting));
  setting.answerUpdate = (response) => send(response, update("posted"));
  setting.history.length = 0;
  const next = anotherRun(setting);
  expect(await publishUpdate(next)).toMatchObject({ posted: { id: "posted" } });
  const { headers } = setting.service.requests.find(({ url }) => url.endsWith("/posted")) ?? {};
  expect(headers?.["cache-control"]).toBe("no-cache");
  expect(setting.notices).toEqual([
    expect.stringContaining("adopted the identical update posted on incident"),
  ]);
  // The run records the owner of this update, and of no other update.
  const elsewhere = { containerId: "inc-2" };
  learn(next, "else", { ...posted, declared: declaring(elsewhere) }, elsewhere);
  // A refresh has no connection, so it records nothing.
  const later = { containerId: "inc-3" };
  learn({ ...next, connection: undefined }, "else", { ...posted, declared: declaring(later) }, later);
  const isOwned = (incident: string, id: string) => next.publishing.isOwned(incident, id);
  expect(isOwned(incidentId, "posted")).toBe(true);
  expect([isOwned(incidentId, "another"), isOwned("inc-3", "posted")]).toEqual([false, false]);
});

it("the notes of an edit apply to its resource, at the location of its incident", async () => {
  const dated = { publicIncidentUpdateDate: "2026-11-20T09:00:00Z" };
  const setting = await start([update("u1", dated)]);
  const { publishing, connection, context } = setting;
  const onPage = { ...dated, statusPageId: "page" };
  const posted = getPostedUpdate(await publishUpdate(setting, onPage));
  const known = (resource: string, was: UpdateRecord = posted) =>
    publishing.withOwnNotes(was, connection, { resource });
  expect(known("one")).toBe(posted);
  const place = { service: connection.origin, containerId: incidentId, statusPageId: "page" };
  const content = { contentKey: posted.declared.contentKey, occurrence: 1 };
  const note = (nonce: string, date: string, edits?: string) =>
    new LockDirectory(connection.lockDirectory).withLock(place, context, async (notes) => {
      const sender = { resource: "one", engine: undefined };
      await notes.recordPost(nonce, { ...content, date }, { sender, ...(edits !== undefined && { edits }) });
      if (edits !== undefined) notes.recordResult(nonce, { id: edits });
    });
  await note("sent", dated.publicIncidentUpdateDate);
  await note("same", dated.publicIncidentUpdateDate, "u1");
  expect(known("one")).toBe(posted);
  await note("edit", "2026-11-20T10:00:00Z", "u1");
  expect(publishing.withOwnNotes(posted, undefined, context)).toBe(posted);
  expect(known("one")).toEqual({ ...posted, mayShow: [{ version: "" }] });
  expect(known("two")).toBe(posted);
  for (const statusPageId of ["other", undefined]) {
    const elsewhere = { ...posted, declared: declaring({ ...dated, statusPageId }) };
    expect(known("one", elsewhere)).toBe(elsewhere);
  }
  const sent = { ...sentOf, declared: posted.declared, nonce: "edit" };
  expect(known("one", sent)).toBe(sent);
});

it.each([
  ["changes the update of a killed run", false, { why: "changed" }],
  ["is posted after the first update was removed from the state", true, { kind: "done" }],
])("another update under the name of its resource %s", async (_, isRemoved, result) => {
  const setting = await start();
  await publishUpdate(setting, {}, { resource: "one" });
  const next = anotherRun(setting);
  // The other incident has no notes, and no note is created for it.
  for (const containerId of isRemoved ? [incidentId, "inc-2"] : [])
    await next.publishing.forget(next.connection, { containerId }, next.context);
  expect(readdirSync(next.connection.lockDirectory ?? "")).toHaveLength(1);
  const another = { description: "Else." };
  expect(await publishUpdate(next, another, { resource: "one" })).toMatchObject(result);
});

it("an update that reopens its incident causes a warning, even in a preview after an update that closes it", async () => {
  const opensAgain: unknown = expect.stringContaining("reopens the incident");
  const setting = await start([update("u1", { status: "RESOLVED" })]);
  await publishUpdate(setting);
  expect(setting.notices).toEqual([opensAgain]);
  const other = await start();
  expect(await previewUpdate(other, undefined, { status: "RESOLVED" })).toMatchObject({ warnings: [] });
  expect(await previewUpdate(other)).toMatchObject({ warnings: [opensAgain] });
});

describe("a preview", () => {
  const told = ({ notices }: Awaited<ReturnType<typeof previewUpdate>>) => notices.map(({ kind }) => kind);

  it("a preview continues if it can't read the one update that a killed run has noted, as the up does", async () => {
    const setting = await start();
    const { lockDirectory, origin: service } = setting.connection;
    await new LockDirectory(lockDirectory).withLock(
      { service, containerId: incidentId },
      setting.context,
      async (notes) => {
        await notes.recordPost("sent", { contentKey: declared.contentKey, occurrence: 1 });
        notes.recordResult("sent", { id: "noted" });
      },
    );
    setting.answerUpdate = status(503);
    const previewed = await previewUpdate(setting, sentOf);
    expect([previewed.kind, told(previewed)]).toEqual(["unconfirmed", []]);
    expect((await previewUpdate(setting, undefined, { status: "RESOLVED" })).kind).toBe("waits");
    expect(setting.service.requests.some(({ url }) => url.endsWith("/noted"))).toBe(true);
  });

  it("a preview reports that it can't read an update that the decision depends on", async () => {
    const setting = await start();
    await publishUpdate(anotherRun(setting));
    setting.history.length = 0;
    setting.answerUpdate = status(503);
    expect(told(await previewUpdate(setting))).toEqual(["unread"]);
    // The problem is only reported once.
    const { length } = setting.service.requests;
    const later = await previewUpdate(setting, undefined, { status: "RESOLVED" });
    expect([later.notices, setting.service.requests.length]).toEqual([[{ kind: "unread", why: "" }], length]);
  });

  it("a preview reports that it can't read the history that may contain an earlier post", async () => {
    const setting = await start();
    setting.answerRead = status(503);
    expect(told(await previewUpdate(setting, sentOf))).toEqual(["unread"]);
  });

  it("a preview with a successful read has a result, even if the service doesn't respond to later reads", async () => {
    const setting = await start([update("u1")]);
    const { answerRead } = setting;
    setting.answerRead = (response) => {
      if (reads(setting).length > 2) answerRead(response);
    };
    const elsewhere = ["inc-2", "inc-3"].map((id) => previewUpdate(setting, undefined, { containerId: id }));
    const [adopted, ...others] = await Promise.all([previewUpdate(setting), ...elsewhere]);
    expect(adopted.kind).toBe("adopted");
    expect(others.map(({ notices }) => notices)).toEqual([
      [{ kind: "unread", why: expect.stringContaining("inc-2: timed out") as unknown }],
      [{ kind: "unread", why: "" }],
    ]);
  });

  it("a preview reports that the lock directory can't be used, and that the run is cancelled", async () => {
    const setting = await start();
    const connection = { ...setting.connection, lockDirectory: "/dev/null" };
    const signal = AbortSignal.abort(new MonitoringError("The run was cancelled."));
    await previewUpdate({ ...setting, connection });
    expect(setting.notices).toEqual([expect.stringContaining("/dev/null can't be used (every user can")]);
    const cancelled = await previewUpdate({ ...setting, context: { ...setting.context, signal } });
    const rejection = { kind: "failed", text: "The run was cancelled." };
    expect(cancelled).toMatchObject({ kind: "refused", rejection, notices: [] });
  });
});

describe("the time limit", () => {
  const waitsForRead = (setting: Setting) => void (setting.answerRead = hang);
  const waitsForUpdate = async (setting: Setting) => {
    // A note contains the update's ID, and the history lacks the update.
    await publishUpdate(anotherRun(setting));
    setting.history.length = 0;
    setting.answerUpdate = hang;
  };

  it.each<[what: string, deadlineMs: number, ms: number, waits: Happens, options?: PublishOptions]>([
    ["of a publication is at most 45 s", 60_000, 45_000, waitsForRead],
    ["is the deadline of a call if that is shorter", 9_000, 9_000, waitsForRead],
    ["is the engine's limit if that is shorter", 60_000, 7_000, waitsForRead, { timeoutMs: 7_000 }],
    ["isn't the engine's limit if that is longer", 60_000, 45_000, waitsForRead, { timeoutMs: 60_000 }],
    ["of a search for an unconfirmed update is at most 15 s", 60_000, 15_000, waitsForRead, { was: sentOf }],
    ["of a read of one update is at most 10 s", 60_000, 10_000, waitsForUpdate],
    [
      "of a read of one update is the limit of the publication if that is shorter",
      9_000,
      9_000,
      waitsForUpdate,
    ],
  ])("the time limit %s", async (_, deadlineMs, ms, waits, ...[options]) => {
    const setting = await start([], deadlineMs);
    await waits(setting);
    const began = Date.now();
    await expect(publishUpdate(setting, {}, options)).resolves.toMatchObject({ kind: "failed" });
    expect(Date.now() - began).toBe(ms);
  });

  it.each([
    [60_000, 20_000],
    [450, 200],
  ])("a limit of %i ms leaves %i ms for the post, which is then searched for", async (deadlineMs, ms) => {
    const setting = await start([], deadlineMs);
    setting.answerPost = hang;
    const times = timesOfReads(setting);
    await expect(publishUpdate(setting)).resolves.toMatchObject({ why: "lost" });
    expect(times.slice(0, 2)).toEqual([0, ms]);
  });

  const tooLate = expect.stringContaining(
    "left too little time to send the update. Nothing was posted.",
  ) as unknown;
  it.each([
    ["leaves enough for a post", 15_000, { kind: "done" }, 1],
    ["leaves too little for a post", 15_001, { text: tooLate }, 0],
  ])("the time limit %s if the engine responds after %i of its 20,000 ms", async (_, ms, result, count) => {
    const setting = await start([], 60_000);
    setting.beforePost = () => new Promise((resolve) => setTimeout(resolve, ms));
    await expect(publishUpdate(setting)).resolves.toMatchObject(result);
    expect(posts(setting)).toHaveLength(count);
  });
});

it("the search for a post ends when the run is cancelled, and the post is recorded", async () => {
  const setting = await start([], 60_000);
  const cancelled = { why: "failed", text: "The run was cancelled." };
  const emptyAfterCancelling = (run: AbortController) => (response: ServerResponse) => {
    run.abort(new MonitoringError(cancelled.text));
    send(response, { id: incidentId, name: "Checkout", incidentUpdates: [] });
  };
  const [run, next] = [new AbortController(), new AbortController()];
  const { signal } = run;
  first(setting, (response) => {
    setting.answerRead = emptyAfterCancelling(run);
    lose(response);
  });
  await expect(publishUpdate(setting, {}, { signal })).resolves.toMatchObject({
    why: "lost",
    keep: { kind: "sent" },
  });
  expect([posts(setting).length, reads(setting).length]).toEqual([1, 2]);
  await expect(publishUpdate(setting, {}, { signal })).resolves.toMatchObject(cancelled);
  // The next run waits for that post.
  setting.answerRead = emptyAfterCancelling(next);
  await expect(publishUpdate(anotherRun(setting), {}, { signal: next.signal })).resolves.toMatchObject(
    cancelled,
  );
});

const onPage = { statusPageId: "page" };
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
