import fc from "fast-check";
import { type AttemptResult } from "../../provider/client/http";
import { mayRepeat, waitAfter } from "../../provider/client/retry";
import { mutatedTexts } from "../mutatedTexts";

const read = true;
const write = false;

function response(status: number, text = "{}", retryAfter?: string): AttemptResult {
  const body = text === "{}" ? { json: {}, size: 2 } : { text };
  return { kind: "response", status, body, requestId: undefined, retryAfter };
}

function failure(at: (AttemptResult & { kind: "failure" })["at"], sent: boolean): AttemptResult {
  return { kind: "failure", at, sent };
}

describe("mayRepeat", () => {
  test.each([
    { ofRead: true, ofWrite: true, statuses: [429] },
    { ofRead: true, ofWrite: false, statuses: [408, 500, 501, 503, 599] },
    {
      ofRead: false,
      ofWrite: false,
      statuses: [199, 200, 204, 299, 302, 304, 400, 404, 407, 409, 428, 430, 499],
    },
  ])("a read $ofRead, a write $ofWrite, after HTTP $statuses", ({ ofRead, ofWrite, statuses }) => {
    for (const status of statuses) {
      expect([status, mayRepeat(response(status), read)]).toEqual([status, ofRead]);
      expect([status, mayRepeat(response(status), write)]).toEqual([status, ofWrite]);
    }
  });

  test.each([
    ...["", "  ", '{"id', "[1,", ' \n {"id'].map((text) => [text, true] as const),
    ...["<html>", "hello {", "hello [", "hello ", '"id'].map((text) => [text, false] as const),
  ])("a read whose successful response is %j: %p", (text, again) => {
    expect(mayRepeat(response(200, text), read)).toBe(again);
    expect(mayRepeat(response(299, text), read)).toBe(again);
    expect(mayRepeat(response(200, text), write)).toBe(false);
    for (const status of [199, 300, 404]) expect(mayRepeat(response(status, text), read)).toBe(false);
  });

  test.each(["unreachable", "timed out", "cancelled", "lost"] as const)(
    "%s: reads, and writes that were not sent",
    (at) => {
      expect(mayRepeat(failure(at, true), read)).toBe(true);
      expect(mayRepeat(failure(at, false), read)).toBe(true);
      expect(mayRepeat(failure(at, true), write)).toBe(false);
      expect(mayRepeat(failure(at, false), write)).toBe(true);
    },
  );

  test("nothing whose response is too large", () => {
    for (const sent of [true, false]) {
      expect(mayRepeat(failure("too large", sent), read)).toBe(false);
      expect(mayRepeat(failure("too large", sent), write)).toBe(false);
    }
  });
});

describe("waitAfter", () => {
  const now = Date.parse("2026-01-31T09:30:00Z");
  const after = (retryAfter: string | undefined) =>
    waitAfter(response(503, "", retryAfter), 1, now, () => 0.5);
  const random = 125;

  test("is a random part of a time that doubles up to 8 s", () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 10].map((attempt) =>
      waitAfter(response(503), attempt, now, () => 1),
    );
    expect(longest).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(waitAfter(failure("lost", true), 3, now, () => 0.25)).toBe(250);
    expect(waitAfter(failure("lost", true), 3, now, () => 0)).toBe(0);
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
  ])("is what Retry-After requests: %s", (header, ms) => {
    expect(after(header)).toBe(ms);
  });

  test.each([
    ...[undefined, "", "0", "-5", "1.5", "5s", "s5", "1e3", "soon", "2027-01-31", "Sat, soon"],
    ...["Sat, 31 Jan 2026 09:30:00 GMT", "Fri, 30 Jan 2026 09:30:07 GMT", "sat, 31 Jan 2026 09:30:07 GMT"],
    ...["S, 31 Jan 2026 09:30:07 GMT", "SAT, 31 Jan 2026 09:30:07 GMT", "Sat,31 Jan 2026 09:30:07 GMT"],
    "x Sat, 31 Jan 2026 09:30:07 GMT",
  ])("is random when Retry-After requests no wait: %p", (header) => {
    expect(after(header)).toBe(random);
  });
});

describe("for any result", () => {
  const dates = fc.date({ noInvalidDate: true, min: new Date("2026-01-01"), max: new Date("2027-01-01") });
  const seconds = fc.integer({ min: -5, max: 1e6 }).map(String);
  const httpDates = dates.map((date) => date.toUTCString());
  const retryAfters = fc.oneof(seconds, dates.map(String), httpDates, fc.string());
  const usual = fc.constantFrom(200, 201, 408, 429, 500, 503);
  const statuses = fc.oneof(fc.integer({ min: 100, max: 599 }), usual);
  const results: fc.Arbitrary<AttemptResult> = fc.oneof(
    fc
      .tuple(fc.constantFrom("unreachable", "timed out", "cancelled", "lost", "too large"), fc.boolean())
      .map(([at, sent]) => failure(at, sent)),
    fc
      .tuple(statuses, fc.oneof(fc.string(), fc.constant("{}")), fc.option(retryAfters, { nil: undefined }))
      .map(([status, text, retryAfter]) => response(status, text, retryAfter)),
  );

  test("a write is repeated only when it was provably not applied, and a read whenever a write is", () => {
    const notApplied = (result: AttemptResult): boolean =>
      result.kind === "failure" ? !result.sent : result.status === 429;
    fc.assert(
      fc.property(results, (result) => {
        expect(mayRepeat(result, write) && !notApplied(result)).toBe(false);
        expect(mayRepeat(result, read) || !mayRepeat(result, write)).toBe(true);
      }),
    );
  });

  test("the wait is what Retry-After requests, at most a minute, or else that of the backoff", () => {
    const now = Date.parse("2026-01-31T09:30:00Z");
    const valid = ["7", "060", "3600", "Sat, 31 Jan 2026 09:30:07 GMT", "Saturday, 31-Jan-26 09:30:07 GMT"];
    const words = [
      "Sat, ",
      "31 Jan 2026",
      "09:30:07",
      " GMT",
      " +0000",
      "1e3",
      "0x10",
      "9".repeat(400),
      "Infinity",
    ];
    const requested = (header: string): number | undefined => {
      if (/^\d+$/.test(header)) return Number(header) * 1_000;
      const date = /^\w{3}, [\w :]+ GMT$/.test(header) ? new Date(header) : new Date(NaN);
      return date.getTime() >= 0 && date.toUTCString() === header
        ? Math.max(0, date.getTime() - now)
        : undefined;
    };
    fc.assert(
      fc.property(mutatedTexts(valid, words), fc.integer({ min: 1, max: 10 }), (header, attempt) => {
        const failed = response(429, "", header);
        const [shortest, most] = [0, 1].map((part) => waitAfter(failed, attempt, now, () => part));
        expect(most).toBe(shortest === 0 ? Math.min(8_000, 250 * 2 ** (attempt - 1)) : shortest);
        expect(shortest).toBeLessThanOrEqual(60_000);
        const ms = requested(header);
        if (ms !== undefined) expect(shortest).toBe(Math.min(ms, 60_000));
      }),
    );
  });
});
