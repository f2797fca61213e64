import fc from "fast-check";
import { runs } from "../propertySeed";
import { plain, plainObject } from "../../provider/engine/wire";

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withNullPrototype: true,
  values: [
    fc.string({ unit: "binary" }),
    fc.constantFrom("half \ud83d", "\udc00 half", "NUL \0"),
    fc.double(),
    fc.constantFrom(undefined, () => 1, Symbol("s"), NaN, Infinity, new Date(NaN)),
  ],
});

it("converts any value to JSON with well-formed strings", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const cleaned = plain(value);
      expect(brokenIn(cleaned)).toEqual([]);
      expect(plain(cleaned)).toEqual(cleaned);
    }),
    { numRuns: runs(1_000) },
  );
});

/** The values that the engine would reject or change. */
function brokenIn(value: unknown): unknown[] {
  if (typeof value === "string") return /\p{Cs}/u.test(value) ? [value] : [];
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return [];
  if (Array.isArray(value)) return value.flatMap(brokenIn);
  const isBare = typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
  return isBare ? Object.entries(value).flat().flatMap(brokenIn) : [value];
}

it("leaves alone what is JSON already", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(plain(value)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it("omits the fields that the engine would reject, and keeps null", () => {
  const kept = { kept: null, big: 12n, when: new Date(0), half: "a\ud83d", "\udc00": new Date(NaN) };
  expect(plainObject({ ...kept, gone: undefined, method: () => 1 })).toEqual({
    kept: null,
    big: "12",
    when: "1970-01-01T00:00:00.000Z",
    half: "a\ufffd",
    "\ufffd": null,
  });
});
