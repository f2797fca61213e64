/** Which `diff` of the engine belongs to a refresh. */
import { Drift } from "../../provider/engine/drift";

const managed = { description: "We watch it.", notifySubscribers: false };
const shown = { ...managed, published: managed };

it("is the first one after a read, with what was read, whether or not it drifted", () => {
  const drift = new Drift();
  expect(drift.answer("update", "i/u", managed)).toBeUndefined();
  drift.noteRead("update", "i/u", managed, managed);
  expect(drift.answer("update", "i/u", shown)).toBeUndefined();
  expect(drift.answer("update", "i/u", managed)).toBe(false);
  expect(drift.answer("update", "i/u", managed)).toBeUndefined();
  drift.noteRead("update", "i/u", managed, shown);
  expect(drift.answer("update", "i/u", { ...shown })).toBe(true);
});

it.each([
  ["by the adapter that knows the resource", "managed", "read"],
  ["by the adapter that doesn't", undefined, undefined],
])("isn't consumed by what only reads the same update (get), %s", (_, own, reader) => {
  const drift = new Drift();
  drift.noteRead(reader, "i/u", {}, shown);
  drift.noteRead(reader, "i/u", shown, shown);
  drift.noteRead(own, "i/u", managed, managed);
  expect(drift.answer("managed", "i/u", managed)).toBe(false);
  expect(drift.answer("managed", "i/u", managed)).toBeUndefined();
});
