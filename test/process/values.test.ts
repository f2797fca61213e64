/** Values as the engine passes and stores them. */
import { unknownValue } from "@pulumi/pulumi/runtime/rpc";
import { isUnknown, plainObject } from "../../provider/engine";
import { anyText, fc, runs } from "../propertySeed";

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withNullPrototype: true,
  values: [
    anyText(),
    fc.constantFrom("half \ud83d", "\udc00 half", "NUL \0"),
    fc.double(),
    fc.constantFrom(undefined, () => 1, Symbol("s"), NaN, Infinity, new Date(NaN)),
  ],
});

it("converts any value to JSON with well-formed strings, and leaves that alone", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const cleaned = plainObject({ value });
      expect(brokenIn(cleaned)).toEqual([]);
      expect(plainObject(cleaned)).toEqual(cleaned);
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

/** The marks of a value that isn't known yet: a text, a flag, a number, a list, files, an object. */
const marks = [
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];

it("finds placeholders at any depth, and no others", () => {
  const nested = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }),
    ),
  })).value;
  fc.assert(
    fc.property(nested, fc.constantFrom(...marks), fc.nat(3), (value, mark, depth) => {
      expect(isUnknown(value)).toBe(false);
      const hidden = Array.from({ length: depth }).reduce<unknown>(
        (inner, _, level) => (level % 2 === 0 ? { value, inner } : [value, inner]),
        mark,
      );
      expect(isUnknown(hidden)).toBe(true);
    }),
  );
});
