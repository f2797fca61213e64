import { anyText, fc } from "./propertySeed";
/** Arbitrary strings for readers of text: valid inputs with a few edits. */

const longest = 4_096;

const characters = Array.from(
  "\0\t\n\r \"#$%&'()*+,-./0:;<=>?@[\\]^_`{|}~a9AZé\u007f\u0085\u00a0\u00ad\u200b\u2028\u202e\ufeff\uffff😀",
).concat("\ud83d", "\ude00");

const numbers = "0 -1 1 1.5 1e3 60 99 100 255 256 257 65536 1e400 -0".split(" ");

/** @param words that mean something in an input */
export function mutatedTexts(valid: readonly string[], words: readonly string[]): fc.Arbitrary<string> {
  const place = fc.nat(longest);
  const slice = fc
    .tuple(fc.constantFrom(...valid), place, fc.nat(40))
    .map(([text, at, length]) => text.slice(at % (text.length + 1)).slice(0, length));
  const edit = fc.record({
    place,
    removed: fc.oneof(fc.constant(0), fc.nat(8), fc.constant(longest)),
    inserted: fc.oneof(
      fc.constantFrom(...words),
      fc.constantFrom(...characters),
      fc.constantFrom(...numbers),
      anyText({ maxLength: 2 }),
      slice,
    ),
  });
  return fc.tuple(fc.constantFrom(...valid), fc.array(edit, { maxLength: 5 })).map(([text, edits]) =>
    edits.reduce((edited, { place: at, removed, inserted }) => {
      const start = at % (edited.length + 1);
      return (edited.slice(0, start) + inserted + edited.slice(start + removed)).slice(0, longest);
    }, text),
  );
}
