/** The time limits of publishing. */
import { advance } from "../client/clock";
import { MonitoringError } from "../../provider/client";
import { send, until } from "../client/services";
import {
  anotherRun,
  declared,
  fullHistory,
  incidentId,
  lose,
  posts,
  publishIn,
  reads,
  type Setting,
  start,
} from "./setting";

/** Whether the work ends just when so many milliseconds have gone by, counted from its last request. */
async function endsAfter(ms: number, requests: number, { service }: Setting, work: Promise<unknown>) {
  let ended = false;
  const end = () => void (ended = true);
  work.then(end, end);
  await until(() => service.requests.length === requests);
  await advance(ms - 1);
  expect(ended).toBe(false);
  await advance(1);
  await until(() => ended);
}

const sent = {
  kind: "sent",
  declared,
  seen: { ids: [] },
  nonce: "sent",
  at: 0,
  ownIds: [],
  isTextSecret: false,
  past: [],
} as const;

it.each<[what: string, deadlineMs: number, ms: number, engine?: object, settles?: typeof sent]>([
  ["of a publication is at most 45 s", 60_000, 45_000],
  ["is the deadline of a call when that is shorter", 9_000, 9_000],
  ["is the engine's when that is shorter", 60_000, 7_000, { timeoutMs: 7_000 }],
  ["of a search for an unconfirmed update is at most 15 s", 60_000, 15_000, {}, sent],
])("%s", async (_, deadlineMs, ms, ...[engine, settles]) => {
  const setting = await start([], deadlineMs);
  setting.answerRead = () => undefined;
  const context = { ...setting.context, ...engine };
  const work = setting.publishing.publish({
    ...setting,
    context,
    declared,
    isTextSecret: true,
    sent: settles,
  });
  await endsAfter(ms, 1, setting, work);
});

it.each([
  [60_000, 10_000],
  [9_000, 9_000],
])("of %i ms leaves %i ms for a look at one update", async (deadlineMs, ms) => {
  const setting = await start(fullHistory(), deadlineMs);
  setting.answerUpdate = () => undefined;
  await endsAfter(ms, 2, setting, publishIn(setting));
});

it.each([
  [60_000, 20_000],
  [450, 200],
])("of %i ms leaves %i ms for the post", async (deadlineMs, ms) => {
  const setting = await start([], deadlineMs);
  setting.answerPost = () => undefined;
  const publishing = publishIn(setting);
  await endsAfter(
    ms,
    2,
    setting,
    until(() => reads(setting).length === 2),
  );
  await until(() => setting.service.connections.size === 0 || reads(setting).length === 2);
  setting.answerRead = (response) => void response.socket?.destroy();
  const ended = jest.fn();
  void publishing.then(ended);
  await until(async () => {
    await advance(1_000);
    return ended.mock.calls.length > 0;
  });
});

it.each([
  ["is posted", 15_000, 1],
  ["is not posted", 15_001, 0],
])("an update %s when the engine answers after %i of the 20 s for the post", async (_, ms, count) => {
  const setting = await start([], 60_000);
  let asked = false;
  setting.beforePost = () => {
    asked = true;
    return new Promise((resolve) => setTimeout(resolve, ms));
  };
  const publishing = publishIn(setting);
  await until(() => asked);
  await advance(ms);
  await expect(publishing).resolves.toMatchObject(
    count === 1
      ? { kind: "done" }
      : {
          text: expect.stringContaining(
            "left too little time to post the update. Nothing was posted.",
          ) as unknown,
        },
  );
  expect(posts(setting)).toHaveLength(count);
});

it("ends the search for a post when the run is cancelled, and the post is recorded", async () => {
  const setting = await start([], 60_000);
  const run = new AbortController();
  setting.answerPost = (response) => {
    setting.answerRead = (read) => {
      run.abort(new MonitoringError("The run was cancelled."));
      send(read, { id: incidentId, name: "Checkout", incidentUpdates: [] });
    };
    lose(response);
  };
  await expect(publishIn(setting, {}, run)).resolves.toMatchObject({
    why: "lost",
    keep: { kind: "sent" },
  });
  expect([posts(setting).length, reads(setting).length]).toEqual([1, 2]);
  const cancelled = { why: "failed", text: "The run was cancelled." };
  await expect(publishIn(setting, {}, run)).resolves.toMatchObject(cancelled);
  // The next one waits for that post.
  const next = new AbortController();
  setting.answerRead = (read) => {
    next.abort(new MonitoringError("The run was cancelled."));
    send(read, { id: incidentId, name: "Checkout", incidentUpdates: [] });
  };
  await expect(publishIn(anotherRun(setting), {}, next)).resolves.toMatchObject(cancelled);
});
