import { type AttemptResult } from "../../provider/client/http";
import { mayRepeat, RetryBudget, waitAfter } from "../../provider/client/retry";

const read = true;
const write = false;

function answer(status: number, text = "{}", retryAfter?: string): AttemptResult {
  const body = text === "{}" ? { text, json: {} } : { text };
  return { kind: "answer", status, body, requestId: undefined, retryAfter };
}

function broken(at: (AttemptResult & { kind: "break" })["at"], sent: boolean): AttemptResult {
  return { kind: "break", at, sent };
}

describe("sent again is", () => {
  test.each([
    [429, true, true],
    [408, true, false],
    [500, true, false],
    [501, true, false],
    [503, true, false],
    [599, true, false],
    [200, false, false],
    [204, false, false],
    [299, false, false],
    [199, false, false],
    [302, false, false],
    [400, false, false],
    [407, false, false],
    [409, false, false],
    [428, false, false],
    [430, false, false],
    [499, false, false],
  ])("after HTTP %i a read: %p, a write: %p", (status, ofRead, ofWrite) => {
    expect(mayRepeat(answer(status), read)).toBe(ofRead);
    expect(mayRepeat(answer(status), write)).toBe(ofWrite);
  });

  test.each([
    ["", true],
    ["  ", true],
    ['{"id', true],
    ["[1,", true],
    [' \n {"id', true],
    ["<html>", false],
    ["hello {", false],
    ["hello [", false],
    ["hello ", false],
    ['"id', false],
  ])("a read whose answer of success is %j: %p", (text, again) => {
    expect(mayRepeat(answer(200, text), read)).toBe(again);
    expect(mayRepeat(answer(299, text), read)).toBe(again);
    expect(mayRepeat(answer(200, text), write)).toBe(false);
    expect(mayRepeat(answer(199, text), read)).toBe(false);
    expect(mayRepeat(answer(300, text), read)).toBe(false);
    expect(mayRepeat(answer(404, text), read)).toBe(false);
  });

  test.each(["unreachable", "stopped", "lost"] as const)("what closed the connection: %s", (at) => {
    expect(mayRepeat(broken(at, true), read)).toBe(true);
    expect(mayRepeat(broken(at, false), read)).toBe(true);
    expect(mayRepeat(broken(at, true), write)).toBe(false);
    expect(mayRepeat(broken(at, false), write)).toBe(true);
  });

  test("nothing whose answer is too large", () => {
    for (const sent of [true, false]) {
      expect(mayRepeat(broken("too large", sent), read)).toBe(false);
      expect(mayRepeat(broken("too large", sent), write)).toBe(false);
    }
  });
});

describe("the wait", () => {
  const now = Date.parse("2026-01-31T09:30:00Z");
  const after = (retryAfter: string | undefined) => waitAfter(answer(503, "", retryAfter), 1, now, () => 0.5);
  const drawn = 125;

  test("is a random part of a time that doubles up to 8 s", () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 10].map((attempt) => waitAfter(answer(503), attempt, now, () => 1));
    expect(longest).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(waitAfter(broken("lost", true), 3, now, () => 0.25)).toBe(250);
    expect(waitAfter(broken("lost", true), 3, now, () => 0)).toBe(0);
  });

  test.each([
    ["1", 1_000],
    ["07", 7_000],
    ["59", 59_000],
    ["60", 60_000],
    ["61", 60_000],
    ["9".repeat(400), 60_000],
    ["Sat, 31 Jan 2026 09:30:07 GMT", 7_000],
    ["Saturday, 31-Jan-26 09:30:07 GMT", 7_000],
    ["Sat, 31 Jan 2026 09:31:01 GMT", 60_000],
  ])("is what Retry-After asks for: %s", (header, ms) => {
    expect(after(header)).toBe(ms);
  });

  test.each([
    undefined,
    "",
    "0",
    "-5",
    "1.5",
    "5s",
    "s5",
    "1e3",
    "soon",
    "2027-01-31",
    "Sat, 31 Jan 2026 09:30:00 GMT",
    "Fri, 30 Jan 2026 09:30:07 GMT",
    "sat, 31 Jan 2026 09:30:07 GMT",
    "S, 31 Jan 2026 09:30:07 GMT",
    "SAT, 31 Jan 2026 09:30:07 GMT",
    "Sat,31 Jan 2026 09:30:07 GMT",
    "x Sat, 31 Jan 2026 09:30:07 GMT",
    "Sat, soon",
  ])("is drawn when Retry-After asks for none: %p", (header) => {
    expect(after(header)).toBe(drawn);
  });
});

describe("the budget", () => {
  const spent = (budget: RetryBudget): number => {
    let count = 0;
    while (count < 1_000 && budget.spend()) count += 1;
    return count;
  };

  test("holds a hundred retries, and two successes give one back", () => {
    const budget = new RetryBudget();
    expect(spent(budget)).toBe(100);
    budget.refund();
    expect(spent(budget)).toBe(0);
    budget.refund();
    expect(spent(budget)).toBe(1);
    for (let success = 0; success < 7; success++) budget.refund();
    expect(spent(budget)).toBe(3);
    budget.refund();
    expect(spent(budget)).toBe(1);
  });

  test("is never more than full", () => {
    const budget = new RetryBudget();
    for (let success = 0; success < 10; success++) budget.refund();
    expect(spent(budget)).toBe(100);
  });
});
