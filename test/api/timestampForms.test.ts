/** What is a moment to the service alone is one here: nothing else that JavaScript would take for a date. */
import { msOf, sameSecond } from "../../provider/api/timestamps";
import { realProcess } from "../client/services";

test.each([
  "2026-01-31 (2026-01-31",
  "2026-01-31 10:00 GMT+0100 (a)",
  "Sat, 2026-01-31Z",
  "2026-01-3",
  "2026-1-31",
  "2026-01-3Z",
  "on 2026-01-31",
])("%j is no moment", (text) => {
  expect(msOf(text)).toBeUndefined();
  expect(sameSecond(text, text)).toBe(false);
});

describe("wherever the program runs", () => {
  const before = realProcess.env.TZ;
  beforeAll(() => (realProcess.env.TZ = "Asia/Kathmandu"));
  afterAll(() => {
    if (before === undefined) delete realProcess.env.TZ;
    else realProcess.env.TZ = before;
  });

  test.each([
    ["2026-01-31 09:30:07", "2026-01-31T09:30:07Z"],
    ["2026-01-31T09:30:07", "2026-01-31T09:30:07Z"],
    ["2026-01-31T09:30:07.250", "2026-01-31T09:30:07.250Z"],
    ["2026-01-31", "2026-01-31T00:00:00Z"],
    ["2026-01-31T09:30:07+01:00", "2026-01-31T08:30:07Z"],
    ["2026-01-31T09:30:07z", "2026-01-31T09:30:07Z"],
  ])("%s means %s", (text, meant) => {
    expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(-345);
    expect(msOf(text)).toBe(Date.parse(meant));
  });
});
