/** The search for a post without a response. */
import { MonitoringClient } from "../../provider/client";
import { claim, confirm, track } from "../../provider/lifecycles/claims";
import { describe as inWords, look, search } from "../../provider/lifecycles/search";
import { Unconfirmed } from "../../provider/lifecycles/unconfirmed";
import { apiKey, send } from "../client/services";
import {
  declared,
  incidentId,
  lose,
  other,
  posts,
  publishIn,
  reads,
  type Setting,
  start,
  update,
} from "./publishing";

describe("a post without a response", () => {
  test("is found in the history", async () => {
    const setting = await start([other("u1")]);
    setting.answerPost = (response) => {
      setting.history.unshift(update("u2"));
      lose(response);
    };
    await expect(publishIn(setting)).resolves.toMatchObject({ id: "u2" });
    expect([posts(setting).length, reads(setting).length, setting.notices]).toEqual([1, 2, []]);
    await expect(publishIn(setting)).rejects.toThrow("(u2)");
  });

  test("is recorded with a snapshot of the history when it isn't found", async () => {
    const setting = await start([other("u2", { created_at: "2026-11-20T09:31:00Z" }), other("u1")]);
    setting.answerPost = lose;
    const failure: unknown = await publishIn(setting).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Unconfirmed);
    expect(failure).toMatchObject({
      message: expect.stringMatching(
        /^createIncidentUpdate inc-1: sent once, .* Not found in the incident so far\.$/,
      ),
      seen: { ids: ["u2", "u1"], newest: "2026-11-20T09:31:00Z" },
    });
    expect([posts(setting).length, reads(setting).length]).toEqual([1, 2]);
  });

  test("is searched again after half a second, and after a second, while time remains", async () => {
    const setting = await start([], 501);
    setting.answerPost = lose;
    await expect(publishIn(setting)).rejects.toThrow(Unconfirmed);
    expect(reads(setting)).toHaveLength(3);
    const shorter = await start([], 500);
    shorter.answerPost = lose;
    await expect(publishIn(shorter)).rejects.toThrow(Unconfirmed);
    expect(reads(shorter)).toHaveLength(2);
  });

  test("is not searched again after it is found", async () => {
    const setting = await start([update("u1")], 10_000);
    await expect(search(declared, { ids: [] }, setting.connection, setting.context)).resolves.toMatchObject({
      update: { id: "u1" },
    });
    expect(reads(setting)).toHaveLength(1);
  });

  test("is not searched in a run that was cancelled", async () => {
    const setting = await start([update("u1")], 10_000);
    const context = { ...setting.context, signal: AbortSignal.abort() };
    const found = await search(declared, { ids: [] }, setting.connection, context);
    expect(inWords(declared, found)).toBe(
      "Reading the incident to search for it failed: the run was cancelled.",
    );
    expect(reads(setting)).toEqual([]);
  });

  test("is not searched again after the run is cancelled", async () => {
    const setting = await start([other("u1")], 10_000);
    const run = new AbortController();
    setting.answerRead = (response) => {
      run.abort();
      send(response, { id: incidentId, name: "Checkout", incidentUpdates: [] });
    };
    const context = { ...setting.context, signal: run.signal };
    const found = await search(declared, { ids: [] }, setting.connection, context);
    expect(inWords(declared, found)).toBe("Not found in the incident so far.");
    expect(reads(setting)).toHaveLength(1);
  });

  test("reports that the history can't be read", async () => {
    const setting = await start();
    setting.answerPost = lose;
    setting.beforePost = () => (setting.answerRead = (response) => send(response, {}, 403));
    await expect(publishIn(setting)).rejects.toThrow(
      "Reading the incident to search for it failed: getStatusPageIncident inc-1: not allowed (HTTP 403).",
    );
  });

  test("reports a new update with the same status and different content", async () => {
    const setting = await start();
    setting.answerPost = (response) => {
      setting.history.unshift(other("u9"));
      lose(response);
    };
    await expect(publishIn(setting)).rejects.toThrow(
      "Not found in the incident, but the new update u9 has the same status and a different description.",
    );
  });
});

describe("one lookup", () => {
  const seen = { ids: ["u1"], newest: "2026-11-20T09:30:00Z" };
  const later = "2026-11-20T09:40:00Z";
  const lookIn = ({ connection, context }: Setting) => look(declared, seen, connection, context);

  test("selects the oldest of several matches, and says so", async () => {
    const setting = await start([update("u3", { created_at: later }), update("u2"), other("u1")]);
    await expect(lookIn(setting)).resolves.toMatchObject({ update: { id: "u2" } });
    expect(setting.notices).toEqual([
      "IncidentUpdate: 2 new updates of incident inc-1 match; the oldest, u2, is assumed to be the one that was posted.",
    ]);
  });

  test("says of an update of other content without a date that it has none", () => {
    const { publicIncidentUpdateDate, ...undated } = update("u2");
    expect(inWords(declared, { lookalike: undated })).toBe(
      "Not found in the incident, but the new update u2 has the same status and a different public date (none).",
    );
  });

  test("emits no notice for a single match", async () => {
    const setting = await start([update("u2")]);
    await lookIn(setting);
    expect(setting.notices).toEqual([]);
  });

  test("never selects an update of another resource", async () => {
    const setting = await start([update("u3", { created_at: later }), update("u2")]);
    await expect(lookIn(setting)).resolves.toMatchObject({ update: { id: "u2" } });
    claim(setting.connection, incidentId, "u2", undefined);
    await expect(lookIn(setting)).resolves.toMatchObject({ update: { id: "u3" } });
    confirm(setting.connection, incidentId, "u3");
    await expect(lookIn(setting)).resolves.toEqual({ lookalike: undefined });
  });

  test("does not report an update of another resource as a lookalike", async () => {
    const setting = await start([other("u3"), other("u2")]);
    track(setting.connection, incidentId, "u3", undefined);
    await expect(lookIn(setting)).resolves.toMatchObject({ lookalike: { id: "u2" } });
    track(setting.connection, incidentId, "u2", undefined);
    await expect(lookIn(setting)).resolves.toEqual({ lookalike: undefined });
  });

  test("finds the post even when a resource tracks it", async () => {
    const setting = await start([update("u2")]);
    track(setting.connection, incidentId, "u2", undefined);
    await expect(lookIn(setting)).resolves.toMatchObject({ update: { id: "u2" } });
  });

  test("sends its own request, also while another one is pending", async () => {
    const setting = await start();
    await Promise.all([lookIn(setting), lookIn(setting)]);
    expect(reads(setting)).toHaveLength(2);
  });

  test("fails when cancelled, without a message about an unreadable history", async () => {
    const setting = await start();
    const reason = new Error("The user has had enough.");
    const client = new MonitoringClient({
      apiKey,
      baseUrl: setting.service.url,
      signal: AbortSignal.abort(reason),
    });
    await expect(look(declared, seen, { ...setting.connection, client }, setting.context)).rejects.toBe(
      reason,
    );
  });

  test.each([
    [{}, "Not found in the incident so far."],
    [{ readError: "Why." }, "Reading the incident to search for it failed: Why."],
    [{ readError: "" }, "Reading the incident to search for it failed: "],
    [{ incidentMissing: true }, "The incident was not found on the service."],
    [
      { lookalike: update("u9", { publicIncidentUpdateDate: "2026-11-20" }) },
      "Not found in the incident, but the new update u9 has the same status and a different public date (2026-11-20).",
    ],
    [{ lookalike: other("u9"), readError: "Why." }, "Reading the incident to search for it failed: Why."],
  ])("describes %j", (finding, words) => {
    expect(inWords(declared, finding)).toBe(words);
  });
});
