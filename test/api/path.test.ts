import fc from "fast-check";
import { fillPath, idProblem, pathProblems } from "../../provider/api/path";

const notAnId = "must be an id, without white space, control characters or any of / \\ ? # %";
const notANumber = "must be a whole number of 0 or more, or a string";

test.each([
  "a",
  "200123",
  "6f1c1f9e-6a3e-4c64-8a3e-5d0f0f2a9d11",
  "...",
  ".a",
  "a.",
  "..a",
  "a..",
  "x".repeat(256),
  "событие",
  0,
  1,
  Number.MAX_SAFE_INTEGER,
])("%p is an id", (id) => {
  expect(idProblem(id)).toBeUndefined();
});

test.each<[unknown, string]>([
  ["", "must not be empty"],
  ["x".repeat(257), "must have at most 256 characters"],
  [".", notAnId],
  ["..", notAnId],
  ...Array.from("/\\?#% \t\n\0\u007f\u0085\u00a0\u200b\u2028", (character): [unknown, string] => [
    `a${character}b`,
    notAnId,
  ]),
  ["\ud800", notAnId],
  [-1, notANumber],
  [1.5, notANumber],
  [NaN, notANumber],
  [Infinity, notANumber],
  [2 ** 53, notANumber],
  [undefined, "must be an id: a string or a whole number"],
  [null, "must be an id: a string or a whole number"],
  [{}, "must be an id: a string or a whole number"],
])("%p is none", (id, reason) => {
  expect(idProblem(id)).toBe(reason);
});

test("each id that is none is told by its name, in their order", () => {
  expect(pathProblems({ incidentId: "", other: "a", incidentUpdateId: -1 })).toEqual([
    { property: "incidentId", reason: "must not be empty" },
    { property: "incidentUpdateId", reason: notANumber },
  ]);
  expect(pathProblems({ id: 7 })).toEqual([]);
});

test("ids go where their names stand, encoded", () => {
  expect(fillPath("/v1/a/{one}/b/{two}", { one: "é;=", two: 7 })).toBe("/v1/a/%C3%A9%3B%3D/b/7");
  expect(fillPath("/v1/{id}", { id: "$&" })).toBe("/v1/%24%26");
  expect(fillPath("/v1/status-pages", {})).toBe("/v1/status-pages");
});

test("an accepted id is one segment of its path", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.nat()), (id) => {
      if (idProblem(id) !== undefined) return;
      const { pathname } = new URL(fillPath("/v1/things/{id}/parts", { id }), "https://example.com");
      expect(decodeURIComponent(pathname)).toBe(`/v1/things/${id}/parts`);
      expect(pathname.split("/")).toHaveLength(5);
    }),
  );
});
