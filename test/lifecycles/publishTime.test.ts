/** The time limits and the turns of publishing. */
import { type ServerResponse } from "node:http";
import { look } from "../../provider/lifecycles/search";
import { inTurn } from "../../provider/lifecycles/turns";
import { Unconfirmed } from "../../provider/lifecycles/unconfirmed";
import { advance } from "../client/clock";
import { until } from "../client/services";
import { declared, posts, publishIn, reads, type Setting, start, update } from "./publishing";

describe("the time limit", () => {
  const silent = async (deadlineMs: number) => {
    const setting = await start([], deadlineMs);
    setting.answerRead = () => undefined;
    return setting;
  };

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

  test("of a publication is at most 45 s", async () => {
    const setting = await silent(60_000);
    await endsAfter(45_000, 1, setting, publishIn(setting));
  });

  test("is the deadline of a call when that is shorter", async () => {
    const setting = await silent(9_000);
    await endsAfter(9_000, 1, setting, publishIn(setting));
  });

  test("of a separate lookup is at most 15 s", async () => {
    const setting = await silent(60_000);
    await endsAfter(15_000, 1, setting, look(declared, { ids: [] }, setting.connection, setting.context));
    const shorter = await silent(9_000);
    await endsAfter(9_000, 1, shorter, look(declared, { ids: [] }, shorter.connection, shorter.context));
  });

  test.each([
    [60_000, 20_000],
    [450, 200],
    [100, 44],
  ])("of %i ms leaves %i ms for the post", async (deadlineMs, ms) => {
    const setting = await start([], deadlineMs);
    setting.answerPost = () => undefined;
    const ended = publishIn(setting).catch(() => undefined);
    await endsAfter(
      ms,
      2,
      setting,
      until(() => reads(setting).length === 2),
    );
    setting.history.unshift(update("u1"));
    await ended;
  });

  test("of the post excludes the time of the read", async () => {
    const setting = await start([], 450);
    const { answerRead } = setting;
    const held: ServerResponse[] = [];
    setting.answerRead = (response) => void held.push(response);
    setting.answerPost = () => undefined;
    const failure = expect(publishIn(setting)).rejects.toThrow(Unconfirmed);
    await until(() => held.length === 1);
    await advance(300);
    setting.answerRead = answerRead;
    held.forEach(answerRead);
    await endsAfter(
      150,
      2,
      setting,
      until(() => reads(setting).length === 2),
    );
    await failure;
  });

  test("always allows one more read of the history", async () => {
    const setting = await start([], 9);
    setting.answerPost = () => undefined;
    const failure = expect(publishIn(setting)).rejects.toThrow(Unconfirmed);
    await until(() => posts(setting).length === 1);
    await advance(9);
    await failure;
    expect(reads(setting)).toHaveLength(2);
  });
});

describe("updates of one incident", () => {
  test("take turns, and those of other incidents don't wait", async () => {
    const { connection } = await start();
    const order: string[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const first = inTurn(connection, "a", {}, async () => {
      await gate;
      order.push("first");
    });
    const second = inTurn(connection, "a", {}, () => Promise.resolve(void order.push("second")));
    await inTurn(connection, "b", {}, () => Promise.resolve(void order.push("other incident")));
    const elsewhere = { ...connection, origin: { ...connection.origin, path: "/another" } };
    await inTurn(elsewhere, "a", {}, () => Promise.resolve(void order.push("other service")));
    open();
    await Promise.all([first, second]);
    expect(order).toEqual(["other incident", "other service", "first", "second"]);
  });

  test("return the result of the work, and fail when it fails", async () => {
    const { connection } = await start();
    await expect(inTurn(connection, "a", {}, () => Promise.resolve(7))).resolves.toBe(7);
    await expect(inTurn(connection, "a", {}, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(inTurn(connection, "a", {}, () => Promise.resolve(8))).resolves.toBe(8);
  });
});
