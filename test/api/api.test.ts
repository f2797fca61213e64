/** Tests the IDs of objects, which are parts of paths, the service's times, and the order of updates. */
import {
  validateChannelId,
  validateId,
  parseMs,
  isNotBefore,
  sameSecond,
  sortByPublicDate,
  sortOldestFirst,
} from "../../provider/api";
import { fillPath, validatePath } from "../../provider/client/calls";
import { realProcess } from "../client/services";
import { fc } from "../propertySeed";

// Times must be parsed in the same way in every time zone.
const { TZ } = realProcess.env;
beforeAll(() => (realProcess.env.TZ = "Asia/Kathmandu"));
afterAll(() => {
  if (TZ === undefined) delete realProcess.env.TZ;
  else realProcess.env.TZ = TZ;
});

const notAnId = "must be an ID without white space, control characters or any of / \\ ? # %";
const notANumber = "must be a string or a whole number of 0 or more";

const unsafe = Array.from("/\\?#% \t\n\0\u007f\u0085\u00a0\u200b\u2028", (sign) => `a${sign}b`);

test.each<[reason: string | undefined, ids: unknown[]]>([
  [undefined, ["a", "200123", "6f1c1f9e-6a3e-4c64-8a3e-5d0f0f2a9d11", "x".repeat(256), "событие"]],
  [undefined, ["...", ".a", "a.", "..a", "a..", 0, 1, Number.MAX_SAFE_INTEGER]],
  ["must not be empty", [""]],
  ["must have at most 256 characters", ["x".repeat(257)]],
  [notAnId, [".", "..", ...unsafe, "\ud800", " a", "%2e%2e", "a\r\nx: y", "\u202e"]],
  [notANumber, [-1, 1.5, NaN, Infinity, 2 ** 53]],
  ["must be an ID (a string or a whole number)", [undefined, null, true, {}, [], ["a"], 1n, Symbol("a")]],
  ["must be an ID (a string or a whole number)", [{ toString: () => "a" }]],
])("validating IDs returns %j: %p", (reason, ids) => {
  for (const id of ids) expect([id, validateId(id)]).toEqual([id, reason]);
});

test("an error names each invalid ID, in the order of the path", () => {
  expect(validatePath({ incidentId: "", other: "a", incidentUpdateId: -1 })).toEqual([
    { property: "incidentId", reason: "must not be empty" },
    { property: "incidentUpdateId", reason: notANumber },
  ]);
  expect(validatePath({ id: 7 })).toEqual([]);
});

test.each([
  ["/v1/a/{one}/b/{two}", { one: "é;=", two: 7 }, "/v1/a/%C3%A9%3B%3D/b/7"],
  ["/v1/{id}", { id: "$&" }, "/v1/%24%26"],
  ["/v1/status-pages", {}, "/v1/status-pages"],
])("IDs are inserted into a path in encoded form: %s with %j", (template, ids, path) => {
  expect(fillPath(template, ids)).toBe(path);
});

test.each<[reason: string | undefined, ids: unknown[]]>([
  [undefined, [200_123, 0, Number.MAX_SAFE_INTEGER, "200123", "007", "1".repeat(15)]],
  [
    "must be the ID of an alert channel (a whole number)",
    ["ops", "1.5", "1e3", "0x10", "-1", "٣", "1".repeat(16)],
  ],
  ["must not be empty", [""]],
  [notAnId, ["../x"]],
  [notANumber, [-1]],
])("validating IDs of alert channels returns %j: %p", (reason, ids) => {
  for (const id of ids) expect([id, validateChannelId(id)]).toEqual([id, reason]);
});

const moments = fc.date({ min: new Date("1970-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });

/** Returns one moment in every notation that services use. */
function written(date: Date): string[] {
  const iso = date.toISOString();
  const inZone = new Date(date.getTime() + 5.5 * 3_600_000).toISOString().slice(0, -1);
  const zoneless = iso.slice(0, -1);
  return [iso, zoneless, zoneless.replace("T", " "), `${inZone}+05:30`, `${inZone}+0530`, ` ${iso} `];
}

it("a time is parsed in every notation", () => {
  fc.assert(
    fc.property(moments, (date) => {
      expect(new Set(written(date).map(parseMs))).toEqual(new Set([date.getTime()]));
    }),
  );
});

it("times are compared by the second and sorted by the millisecond", () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: -3_000, max: 3_000 }), fc.nat(5), fc.nat(5), (date, ms, i, j) => {
      const later = new Date(date.getTime() + ms);
      const [a = "", b = ""] = [written(date)[i], written(later)[j]];
      const seconds = (each: Date): number => Math.floor(each.getTime() / 1000);
      expect(sameSecond(a, b)).toBe(seconds(date) === seconds(later));
      expect(isNotBefore(b, a)).toBe(ms >= 0);
    }),
  );
});

it("a date without a time is sorted by its day", () => {
  fc.assert(
    fc.property(moments, moments, (one, other) => {
      const [day, otherDay] = [one, other].map((date) => date.toISOString().slice(0, 10));
      expect(isNotBefore(day, other.toISOString())).toBe((day ?? "") >= (otherDay ?? ""));
      expect(isNotBefore(one.toISOString(), otherDay)).toBe((day ?? "") >= (otherDay ?? ""));
      expect(isNotBefore(day, otherDay)).toBe((day ?? "") >= (otherDay ?? ""));
    }),
  );
});

it.each([
  ...["", " ", "yesterday", "on 2026-01-31", "Sat, 2026-01-31Z", "May 7", "revision 7", "12", "2026"],
  ...["2026-13-01", "20260131", "2026-01-3", "2026-1-31", "2026-01-3Z", "2026-01-31 (2026-01-31"],
  ...["2026-01-31 10:00 GMT+0100 (a)", null, undefined],
])("%p isn't a valid time, and no time is before or equal to it", (text) => {
  expect(parseMs(text)).toBeUndefined();
  expect(sameSecond(text, text)).toBe(false);
  expect(isNotBefore(text, "2026-01-31T00:00:00Z")).toBe(true);
  expect(isNotBefore("1970-01-01T00:00:00Z", text)).toBe(true);
});

it.each([
  ["2026-01-31T09:59:58Z", "2026-01-31T10:00:00Z", 2_000, true],
  ["2026-01-31T09:59:58Z", "2026-01-31T10:00:00Z", 1_999, false],
  ["2026-01-30", "2026-01-31T00:00:01Z", 2_000, true],
  ["2026-01-30", "2026-01-31T00:00:01Z", 1_000, false],
])("%s isn't before %s with a tolerance of %d ms: %p", (a, b, toleranceMs, notBefore) => {
  expect(isNotBefore(a, b, toleranceMs)).toBe(notBefore);
});

it.each([
  ["2026-01-31 09:30:07", "2026-01-31T09:30:07Z"],
  ["2026-01-31T09:30:07", "2026-01-31T09:30:07Z"],
  ["2026-01-31T09:30:07.250", "2026-01-31T09:30:07.250Z"],
  ["2026-01-31", "2026-01-31T00:00:00Z"],
  ["2026-01-31T09:30:07+01:00", "2026-01-31T08:30:07Z"],
  ["2026-01-31T09:30:07z", "2026-01-31T09:30:07Z"],
])("%s is parsed as %s in every time zone", (text, meant) => {
  expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(-345);
  expect(parseMs(text)).toBe(Date.parse(meant));
});

test("updates are sorted by public date, then by creation time", () => {
  const shown = [
    ["d", "11:00", "09:03"],
    ["c", "11:00", "09:02"],
    ["b", undefined, "12:01"],
    ["a", "13:00", "09:00"],
  ] as const;
  const on = (time: string) => `2026-01-01T${time}:00Z`;
  const updates = shown.map(([id, date, created]) => ({
    ...{ id, description: id, created_at: on(created) },
    ...(date !== undefined && { publicIncidentUpdateDate: on(date) }),
  }));
  expect(sortByPublicDate(updates).map(({ id }) => id)).toEqual(["c", "d", "b", "a"]);
});

test("updates are sorted by creation time, and of two with the same time, the later one in the list is older", () => {
  const shown = [
    ["e", "09:01"],
    ["d", "09:02"],
    ["c", "09:02"],
    ["a", undefined],
    ["b", "09:00"],
  ] as const;
  const updates = shown.map(([id, created]) => ({
    id,
    description: id,
    created_at: created === undefined ? "soon" : `2026-01-01T${created}:00Z`,
  }));
  expect(sortOldestFirst(updates).map(({ id }) => id)).toEqual(["a", "b", "e", "c", "d"]);
});
