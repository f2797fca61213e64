/** What publishing waits for: the service, this machine's other posts, and the engine. */
import { type ServerResponse } from "node:http";
import { SentPosts } from "../../provider/lifecycles/incidentLock";
import { describe as inWords, search } from "../../provider/lifecycles/search";
import { sentKey } from "../../provider/lifecycles/updateContent";
import { send } from "../client/services";
import "./idleClock";
import {
  declared,
  incidentId,
  other,
  posts,
  publishIn,
  reads,
  type Setting,
  start,
  update,
} from "./publishing";

describe("an identical update that this machine sent", () => {
  const times = [500, 1_500, 3_500, 7_500, 15_500, 23_500, 31_500, 39_500, 47_500, 55_500, 60_000];
  let setting: Setting;
  let sentPosts: SentPosts;
  let readAt: number[];

  beforeEach(async () => {
    setting = await start([], 60_000);
    sentPosts = new SentPosts(undefined, () => undefined);
    sentPosts.noteSending(sentKey(declared));
    readAt = [];
  });

  /** Answers the first read as usual, and the later ones like this. */
  function afterwards(answer: (response: ServerResponse, ms: number) => void): void {
    const { answerRead } = setting;
    const began = Date.now();
    setting.answerRead = (response) => {
      const ms = Date.now() - began;
      readAt.push(ms);
      if (ms === 0) answerRead(response);
      else answer(response, ms);
    };
  }

  test("is searched for a minute, then posted", async () => {
    afterwards(setting.answerRead);
    await expect(publishIn(setting, {}, { sentPosts })).resolves.toMatchObject({ id: "posted" });
    expect(readAt).toEqual([0, ...times]);
    expect(setting.notices).toEqual([
      "IncidentUpdate: this machine sent an identical update to incident inc-1 moments ago, and the service doesn't " +
        "show it yet. Searching for it for up to 60 s before anything is posted.",
    ]);
  });

  test("is adopted as soon as it appears", async () => {
    const { answerRead } = setting;
    afterwards((response, ms) => {
      if (ms === 3_500) setting.history.unshift(update("late"));
      answerRead(response);
    });
    await expect(publishIn(setting, {}, { sentPosts })).resolves.toMatchObject({ id: "late" });
    expect(readAt).toEqual([0, 500, 1_500, 3_500]);
    expect(posts(setting)).toEqual([]);
  });

  test.each([
    ["can't be read", 403, [0, ...times]],
    ["is deleted", 404, [0, 500]],
  ])("is not posted when the incident %s meanwhile", async (_, status, expected) => {
    afterwards((response) => send(response, {}, status));
    await expect(publishIn(setting, {}, { sentPosts })).rejects.toThrow(`HTTP ${status}`);
    expect(readAt).toEqual(expected);
    expect(posts(setting)).toEqual([]);
  });

  test("is not searched once a minute has gone by since the response", async () => {
    sentPosts.noteApplied(sentKey(declared), "deleted-by-hand");
    jest.setSystemTime(Date.now() + 60_000);
    await publishIn(setting, {}, { sentPosts });
    expect([posts(setting).length, setting.notices]).toEqual([1, []]);
  });
});

describe("of the lookups of a post without a response, the last one that read the incident counts", () => {
  const read = [200, {}] as const;
  const failed = [403, {}] as const;
  const missing = [404, {}] as const;
  const changed = [200, { incidentUpdates: [other("u9")] }] as const;
  const notFound = "Not found in the incident so far.";
  const incidentMissing = "The incident was not found on the service.";

  test.each([
    [[read, changed], /the new update u9 has the same status/],
    [[read, failed], notFound],
    [[read, missing], notFound],
    [[missing, read], notFound],
    [[missing, failed], incidentMissing],
    [[failed, missing], incidentMissing],
    [[failed, failed], /^Reading the incident to search for it failed: .*HTTP 403/],
  ])("%j", async (answers, said) => {
    const setting = await start([], 1_200);
    setting.answerRead = (response) => {
      const [status, more] = answers[reads(setting).length - 1] ?? failed;
      send(response, { id: incidentId, name: "Checkout", incidentUpdates: [], ...more }, status);
    };
    const found = await search(declared, { ids: [] }, setting.connection, setting.context);
    expect(inWords(declared, found)).toMatch(said);
    expect(reads(setting)).toHaveLength(answers.length);
  });
});

test.each([
  ["is posted", 15_000, 1],
  ["is not posted", 15_001, 0],
])("an update %s when the engine answers after %i of the 20 s for the post", async (_, ms, count) => {
  const setting = await start([], 60_000);
  setting.beforePost = () => new Promise((resolve) => setTimeout(resolve, ms));
  const said = await publishIn(setting).then(
    () => "",
    (error: unknown) => String(error),
  );
  expect(posts(setting)).toHaveLength(count);
  expect(said).toMatch(count === 1 ? /^$/ : /left too little time to post the update\. Nothing was posted\./);
});
