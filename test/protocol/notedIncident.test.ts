/** Which incident a note is about: teams correct when it began; a service that was set up anew has another one with its id. */
import { isOfEarlierIncident } from "../../provider/protocol";

const incident = "2026-11-20T09:00:00Z";
const at = Date.parse("2026-11-20T10:00:00Z");

it.each([
  ["as before", incident, false],
  ["an hour earlier", "2026-11-20T08:00:00Z", false],
  ["later, and before the post", "2026-11-20T09:59:00Z", false],
  ["after the post by less than clocks differ", "2026-11-20T10:04:59Z", false],
  ["after the post", "2026-11-20T10:05:01Z", true],
  ["with milliseconds", "2026-11-20T09:00:00.999Z", false],
  ["without a zone", "2026-11-20 09:00:00", false],
  ["as a date", "2026-11-20", false],
  ["not at all", null, false],
])("of an incident that is said to be created %s", (_, createdAt, isOfEarlier) => {
  expect(isOfEarlierIncident({ incident, at }, createdAt)).toBe(isOfEarlier);
});

it("a note counts where the incident's time never changed, however far the clocks differ", () => {
  const ahead = "2026-11-20T12:00:00Z";
  expect(isOfEarlierIncident({ incident: ahead, at }, ahead)).toBe(false);
});

it("a note without the incident's time counts always: nothing says that it is of another one", () => {
  expect(isOfEarlierIncident({ incident: null, at }, "2026-11-20T11:00:00Z")).toBe(false);
});
