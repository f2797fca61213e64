/** What a result says of its request: whether another attempt may help, and when; whether a write was applied. */
import { appliedBy } from "../../provider/client/outcome";
import { isHarmless, mayHelp, waitAfter } from "../../provider/client/attempts";
import { type AttemptResult } from "../../provider/client/http";

function response(status: number, text = "{}", retryAfter?: string): AttemptResult {
  const body = text === "{}" ? { json: {}, size: 2 } : { text };
  return { kind: "response", status, body, requestId: undefined, retryAfter };
}

function failure(at: (AttemptResult & { kind: "failure" })["at"], sent: boolean): AttemptResult {
  return { kind: "failure", at, sent };
}

describe("mayHelp", () => {
  test.each([
    [true, [408, 429, 500, 501, 503, 599]],
    [false, [199, 200, 204, 299, 302, 304, 400, 404, 407, 409, 428, 430, 499]],
  ])("is %p after HTTP %p", (again, statuses) => {
    for (const status of statuses) expect([status, mayHelp(response(status))]).toEqual([status, again]);
  });

  test.each([
    ...["", "  ", '{"id', "[1,", ' \n {"id'].map((text) => [text, true] as const),
    ...["<html>", "hello {", "hello [", "hello ", '"id'].map((text) => [text, false] as const),
  ])("after a successful response that is %j: %p", (text, again) => {
    for (const status of [200, 299]) expect(mayHelp(response(status, text))).toBe(again);
    for (const status of [199, 300, 404]) expect(mayHelp(response(status, text))).toBe(false);
  });

  test.each(["unreachable", "timed out", "cancelled", "lost"] as const)("is true after %s", (at) => {
    for (const sent of [true, false]) expect(mayHelp(failure(at, sent))).toBe(true);
  });

  test("is false when the response is too large", () => {
    expect(mayHelp(failure("too large", true))).toBe(false);
  });
});

test.each([
  [true, undefined, true],
  [false, "no", true],
  [false, "unknown", false],
  [false, "yes", false],
  [false, undefined, false],
] as const)("isHarmless: idempotent %p, applied %p: %p", (idempotent, applied, expected) => {
  expect(isHarmless({ idempotent }, applied)).toBe(expected);
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

describe("appliedBy", () => {
  test.each([
    [true, "yes"],
    [false, "unknown"],
  ])("success whose response can be read (%p): %s", (isReadable, applied) => {
    for (const status of [200, 201, 204, 299]) expect(appliedBy(response(status), isReadable)).toBe(applied);
  });

  test("a failure: unknown once it was sent", () => {
    expect(appliedBy(failure("lost", true), false)).toBe("unknown");
    expect(appliedBy(failure("lost", false), false)).toBe("no");
  });

  test("of all statuses, only these reject the request as such", () => {
    const rejections = [400, 401, 403, 405, 406, 411, 413, 414, 415, 417, 422, 429, 431];
    const applied = Array.from({ length: 1_000 }, (_, status) => appliedBy(response(status), false));
    expect(applied.flatMap((each, status) => (each === "no" ? [status] : []))).toEqual(rejections);
    expect(new Set(applied)).toEqual(new Set(["no", "unknown"]));
  });
});
