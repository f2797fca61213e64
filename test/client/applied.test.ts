import { appliedBy } from "../../provider/client/applied";
import { type AttemptResult } from "../../provider/client/transport/http";

const response = (status: number): AttemptResult => ({
  kind: "response",
  status,
  body: { json: {}, size: 2 },
  requestId: undefined,
  retryAfter: undefined,
});

test.each([
  [true, "yes"],
  [false, "unknown"],
])("success whose response can be read (%p): %s", (isReadable, applied) => {
  for (const status of [200, 201, 204, 299]) expect(appliedBy(response(status), isReadable)).toBe(applied);
});

test.each(["unreachable", "timed out", "cancelled", "lost", "too large"] as const)(
  "%s: unknown once it was sent",
  (at) => {
    expect(appliedBy({ kind: "failure", at, sent: true }, false)).toBe("unknown");
    expect(appliedBy({ kind: "failure", at, sent: false }, false)).toBe("no");
  },
);

const rejections = [400, 401, 403, 405, 406, 411, 413, 414, 415, 417, 422, 429, 431];

test("of all other statuses, only these reject the request as such", () => {
  const others = Array.from({ length: 1_000 }, (_, status) => status).filter(
    (status) => status < 200 || status > 299,
  );
  const applied = others.filter((status) => appliedBy(response(status), false) !== "unknown");
  expect(applied).toEqual(rejections);
  expect(rejections.map((status) => appliedBy(response(status), false))).toEqual(rejections.map(() => "no"));
});
