/** A moment as the service writes it. */
import { msOf } from "../../sdk/audit/instant";

const halfPastNine = Date.UTC(2026, 0, 31, 9, 30);
// Elsewhere a moment without a zone would be taken for one there.
const zone = process.env.TZ;
beforeAll(() => (process.env.TZ = "Asia/Tokyo"));
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each<[string, number]>([
  ["2026-01-31T09:30:00.000Z", halfPastNine],
  ["2026-01-31T09:30:00Z", halfPastNine],
  ["2026-01-31T11:30:00+02:00", halfPastNine],
  ["2026-01-31T09:30:00", halfPastNine],
  ["2026-01-31T09:30", halfPastNine],
  ["2026-01-31 09:30:00", halfPastNine],
  ["2026-01-31T09:30:00.25", halfPastNine + 250],
  ["2026-01-31T09:30:15.123456", halfPastNine + 15_123],
  ["2026-01-31T09:30:15", halfPastNine + 15_000],
  ["2026-01-31T09:31:05", halfPastNine + 65_000],
  ["2026-01-31", Date.UTC(2026, 0, 31)],
])("%s", (moment, ms) => {
  expect(msOf(moment)).toBe(ms);
});

test.each(["", "yesterday", "2026-13-45T09:30:00Z", null, undefined])("%p is none", (moment) => {
  expect(msOf(moment)).toBeUndefined();
});
