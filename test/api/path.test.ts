import { channelIdProblem, fillPath, idProblem, pathProblems } from "../../provider/api";

const notAnId = "must be an id, without white space, control characters or any of / \\ ? # %";
const notANumber = "must be a whole number of 0 or more, or a string";

const unsafe = Array.from("/\\?#% \t\n\0\u007f\u0085\u00a0\u200b\u2028", (sign) => `a${sign}b`);

test.each<[reason: string | undefined, ids: unknown[]]>([
  [undefined, ["a", "200123", "6f1c1f9e-6a3e-4c64-8a3e-5d0f0f2a9d11", "x".repeat(256), "событие"]],
  [undefined, ["...", ".a", "a.", "..a", "a..", 0, 1, Number.MAX_SAFE_INTEGER]],
  ["must not be empty", [""]],
  ["must have at most 256 characters", ["x".repeat(257)]],
  [notAnId, [".", "..", ...unsafe, "\ud800", " a", "%2e%2e", "a\r\nx: y", "\u202e"]],
  [notANumber, [-1, 1.5, NaN, Infinity, 2 ** 53]],
  ["must be an id: a string or a whole number", [undefined, null, true, {}, [], ["a"], 1n, Symbol("a")]],
  ["must be an id: a string or a whole number", [{ toString: () => "a" }]],
])("the problem of an id is %j: %p", (reason, ids) => {
  for (const id of ids) expect([id, idProblem(id)]).toEqual([id, reason]);
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
  ["/v1/status-pages", {}, "/v1/status-pages"],
])("ids go where their names stand, encoded: %s with %j", (template, ids, path) => {
  expect(fillPath(template, ids)).toBe(path);
});

test.each<[reason: string | undefined, ids: unknown[]]>([
  [undefined, [200_123, 0, Number.MAX_SAFE_INTEGER, "200123", "007", "1".repeat(15)]],
  [
    "must be the id of an alert channel: a whole number",
    ["ops", "1.5", "1e3", "0x10", "-1", "٣", "1".repeat(16)],
  ],
  ["must not be empty", [""]],
  [notAnId, ["../x"]],
  [notANumber, [-1]],
])("the problem of the id of an alert channel is %j: %p", (reason, ids) => {
  for (const id of ids) expect([id, channelIdProblem(id)]).toEqual([id, reason]);
});
