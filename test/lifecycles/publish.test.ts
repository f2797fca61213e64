/** Posted and adopted updates. */
import { type ServerResponse } from "node:http";
import { SentPosts } from "../../provider/lifecycles/incidentLock";
import { readIncident } from "../../provider/lifecycles/reading";
import { sentKey } from "../../provider/lifecycles/updateContent";
import { send } from "../client/services";
import { declared, incidentId, other, posts, publishIn, reads, start, update } from "./publishing";

const jsonOf = (text: string): unknown => JSON.parse(text);

describe("an update that doesn't exist", () => {
  test("is posted once, as declared", async () => {
    const setting = await start([other("u1")]);
    await expect(publishIn(setting)).resolves.toMatchObject({ id: "posted" });
    expect(posts(setting).map(({ url, body }) => [url, jsonOf(body)])).toEqual([
      [
        `/v1/status-pages/incidents/${incidentId}/incident-updates`,
        { status: "MONITORING", description: "Capacity was added.", notifySubscribers: false },
      ],
    ]);
    expect([reads(setting).length, setting.notices]).toEqual([1, []]);
  });

  test("is posted with the declared date and flag", async () => {
    const setting = await start();
    const more = { notifySubscribers: true, publicIncidentUpdateDate: "2026-01-31T09:30:00Z" };
    await publishIn(setting, more);
    expect(JSON.parse(posts(setting)[0]?.body ?? "")).toMatchObject(more);
  });

  test("fails without a search when the service rejects it", async () => {
    const setting = await start();
    setting.answerPost = (response) => send(response, { error: "no" }, 422);
    await expect(publishIn(setting)).rejects.toMatchObject({ name: "RequestError" });
    expect(reads(setting)).toHaveLength(1);
  });

  test("is not posted after the engine exited", async () => {
    const setting = await start();
    setting.beforePost = () => {
      throw new Error("The engine is gone.");
    };
    await expect(publishIn(setting)).rejects.toThrow("The engine is gone.");
    expect(posts(setting)).toEqual([]);
  });

  test.each([
    ["posted", undefined],
    ["rejected", (response: ServerResponse) => send(response, {}, 422)],
  ])("is not read from the cache after it was %s", async (_, answer) => {
    const setting = await start();
    if (answer) setting.answerPost = answer;
    await readIncident(setting.connection, incidentId);
    await publishIn(setting).catch(() => undefined);
    await readIncident(setting.connection, incidentId);
    expect(reads(setting)).toHaveLength(3);
  });
});

describe("an existing update", () => {
  test("is adopted with a notice", async () => {
    const setting = await start([other("u2"), update("u1")]);
    await expect(publishIn(setting)).resolves.toMatchObject({ id: "u1" });
    expect(posts(setting)).toEqual([]);
    expect(setting.notices).toEqual([
      "IncidentUpdate: an identical update (u1) has existed in incident inc-1 since 2026-11-20T09:30:00Z; adopted, nothing posted.",
    ]);
  });

  test("may have no date", async () => {
    const setting = await start([update("u1", { created_at: null })]);
    await publishIn(setting);
    expect(setting.notices[0]).toContain("has existed in incident inc-1 since an unknown time; adopted");
  });

  test("is adopted at once although this machine sent an identical one that may still appear", async () => {
    const setting = await start([update("u1")]);
    const sentPosts = new SentPosts(undefined, () => undefined);
    sentPosts.noteSending(sentKey(declared));
    await expect(publishIn(setting, {}, { sentPosts })).resolves.toMatchObject({ id: "u1" });
    expect([reads(setting).length, setting.notices]).toEqual([1, [expect.stringContaining("; adopted,")]]);
  });

  test.each([
    [true, " It shows notifySubscribers true, not false as declared; no email is sent."],
    [false, ""],
    [null, ""],
    [undefined, ""],
  ])("that shows notifySubscribers %s is adopted, and the notice says: '%s'", async (shown, said) => {
    const setting = await start([update("u1", { notifySubscribers: shown })]);
    await publishIn(setting);
    expect(setting.notices).toEqual([
      expect.stringMatching(new RegExp(`adopted, nothing posted\\.${said}$`)),
    ]);
  });

  test.each(["adopted", "posted"])("that was %s by one resource is not adopted by another", async (way) => {
    const setting = await start(way === "adopted" ? [update("posted")] : []);
    await publishIn(setting);
    await expect(publishIn(setting)).rejects.toThrow(
      "IncidentUpdate on incident inc-1: occurrence must differ from that of the other resource that declares an identical update (posted).",
    );
  });
});

test("an update that replaces a newer one can't be published again when the history may be truncated", async () => {
  const newer = other("newer", { created_at: "2026-11-20T09:40:00Z" });
  const setting = await start([newer, ...Array.from({ length: 99 }, (_, index) => update(`u${index}`))]);
  await expect(publishIn(setting, {}, { replaced: "newer" })).rejects.toThrow(
    "Nothing was posted. To publish it again, change its description; to keep the existing update",
  );
});

describe("an occurrence", () => {
  const twice = [update("u2", { created_at: "2026-11-20T09:40:00Z" }), update("u1")];

  test("selects the update with that index, oldest first", async () => {
    await expect(publishIn(await start(twice), { occurrence: 2 })).resolves.toMatchObject({ id: "u2" });
    await expect(publishIn(await start(twice), { occurrence: 1 })).resolves.toMatchObject({ id: "u1" });
  });

  test("is posted when all earlier ones exist", async () => {
    const setting = await start([...twice]);
    await expect(publishIn(setting, { occurrence: 3 })).resolves.toMatchObject({ id: "posted" });
  });

  test("is rejected when an earlier one is missing", async () => {
    const setting = await start([...twice]);
    await expect(publishIn(setting, { occurrence: 4 })).rejects.toThrow(
      "IncidentUpdate on incident inc-1: occurrence is 4, but 2 identical updates exist in the incident: declare the earlier ones first (dependsOn).",
    );
    expect(posts(setting)).toEqual([]);
  });

  test("above 1 is rejected when the history may be truncated", async () => {
    const long = (length: number) => Array.from({ length }, (_, index) => update(`u${index}`));
    await expect(publishIn(await start(long(100)), { occurrence: 2 })).rejects.toThrow(
      "occurrence must be 1, because the history has 100 updates and may be truncated.",
    );
    await expect(publishIn(await start(long(99)), { occurrence: 2 })).resolves.toMatchObject({ id: "u97" });
    await expect(publishIn(await start(long(100)))).resolves.toMatchObject({ id: "u99" });
  });
});
