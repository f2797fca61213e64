import { channelIdProblem, fillPath, idProblem, pathProblems } from "../../provider/api";

const notAnId = "must be an id, without white space, control characters or any of / \\ ? # %";
const notANumber = "must be a whole number of 0 or more, or a string";

test.each([
  ...["a", "200123", "6f1c1f9e-6a3e-4c64-8a3e-5d0f0f2a9d11", "x".repeat(256), "событие"],
  ...["...", ".a", "a.", "..a", "a.."],
  ...[0, 1, Number.MAX_SAFE_INTEGER],
])("%p is an id", (id) => {
  expect(idProblem(id)).toBeUndefined();
});

test.each<[unknown, string]>([
  ["", "must not be empty"],
  ["x".repeat(257), "must have at most 256 characters"],
  [".", notAnId],
  ["..", notAnId],
  ...Array.from("/\\?#% \t\n\0\u007f\u0085\u00a0\u200b\u2028", (sign): [string, string] => [
    `a${sign}b`,
    notAnId,
  ]),
  ...["\ud800", " a", "%2e%2e", "a\r\nx: y", "\u202e"].map((id): [unknown, string] => [id, notAnId]),
  ...[-1, 1.5, NaN, Infinity, 2 ** 53].map((id): [unknown, string] => [id, notANumber]),
  ...[undefined, null, true, {}, [], ["a"], 1n, Symbol("a"), { toString: () => "a" }].map(
    (id): [unknown, string] => [id, "must be an id: a string or a whole number"],
  ),
])("%p is none", (id, reason) => {
  expect(idProblem(id)).toBe(reason);
});

test("each one that is none is named, in their order", () => {
  expect(pathProblems({ incidentId: "", other: "a", incidentUpdateId: -1 })).toEqual([
    { property: "incidentId", reason: "must not be empty" },
    { property: "incidentUpdateId", reason: notANumber },
  ]);
  expect(pathProblems({ id: 7 })).toEqual([]);
});

test.each([
  ["/v1/a/{one}/b/{two}", { one: "é;=", two: 7 }, "/v1/a/%C3%A9%3B%3D/b/7"],
  ["/v1/{id}", { id: "$&" }, "/v1/%24%26"],
  ["/v1/{id}", { id: "a;b=1&c=2:d@e+f,g!" }, "/v1/a%3Bb%3D1%26c%3D2%3Ad%40e%2Bf%2Cg!"],
  ["/v1/{id}", { id: "событие" }, "/v1/%D1%81%D0%BE%D0%B1%D1%8B%D1%82%D0%B8%D0%B5"],
  ["/v1/{id}", { id: "..." }, "/v1/..."],
  ["/v1/{id}", { id: 0 }, "/v1/0"],
  ["/v1/status-pages", {}, "/v1/status-pages"],
])("ids go where their names stand, encoded: %s with %j", (template, ids, path) => {
  expect(fillPath(template, ids)).toBe(path);
});

test.each([200_123, 0, Number.MAX_SAFE_INTEGER, "200123", "007", "1".repeat(15)])(
  "%j is the id of an alert channel",
  (id) => {
    expect(channelIdProblem(id)).toBeUndefined();
  },
);

const notAChannel = "must be the id of an alert channel: a whole number";

test.each<[unknown, string]>([
  ...["ops", "1.5", "1e3", "0x10", "-1", "٣", "1".repeat(16)].map((id): [string, string] => [
    id,
    notAChannel,
  ]),
  ["", "must not be empty"],
  ["../x", notAnId],
  [-1, notANumber],
])("%j is not the id of an alert channel: it %s", (id, reason) => {
  expect(channelIdProblem(id)).toBe(reason);
});
