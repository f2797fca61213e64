/** Which `diff` of the engine belongs to a refresh. */
import { RefreshReads } from "../../provider/lifecycles/plainLifecycle";

const managed = { description: "We watch it.", notifySubscribers: false };
const shown = { ...managed, published: managed };

it("is the first one after a read, with what was read, whether or not it drifted", () => {
  const reads = new RefreshReads();
  expect(reads.answer("update", "i/u", managed)).toBeUndefined();
  reads.noteRead("update", "i/u", managed, managed);
  expect(reads.answer("update", "i/u", shown)).toBeUndefined();
  expect(reads.answer("update", "i/u", managed)).toBe(false);
  expect(reads.answer("update", "i/u", managed)).toBeUndefined();
  reads.noteRead("update", "i/u", managed, shown);
  expect(reads.answer("update", "i/u", { ...shown })).toBe(true);
});

it.each([
  ["by the adapter that knows the resource", "managed", "read"],
  ["by the adapter that doesn't", undefined, undefined],
])("isn't consumed by what only reads the same update (get), %s", (_, own, reader) => {
  const reads = new RefreshReads();
  reads.noteRead(reader, "i/u", {}, shown);
  reads.noteRead(reader, "i/u", shown, shown);
  reads.noteRead(own, "i/u", managed, managed);
  expect(reads.answer("managed", "i/u", managed)).toBe(false);
  expect(reads.answer("managed", "i/u", managed)).toBeUndefined();
});
