import fc from "fast-check";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc";
import { isUnknown } from "../../provider/engine/wire";

/** What the engine writes for a value that isn't known yet: a text, a flag, a number, a list, files, an object. */
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
        (inner, _, level) => (level % 2 === 0 ? { known: value, inner } : [value, inner]),
        mark,
      );
      expect(isUnknown(hidden)).toBe(true);
    }),
  );
});
