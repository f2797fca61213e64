/** The timestamp decides whether a new update in a truncated history may come from a post without a response. */
import { incidentId, Service, words } from "./updateProcess";

const service = new Service();

describe("whether a new identical update can be the posted one", () => {
  const newestBefore = "2026-11-20T09:30:00Z";

  /** The service's responses, with dates in any format. */
  async function settledWith(before: string | null, after: string | null): Promise<boolean> {
    const show = (...dates: (string | null)[]): void => {
      service.sandbox.faults.clear();
      const shown = dates.map((created_at, index) => ({
        id: `u${dates.length - index}`,
        status: words.status,
        description: index === dates.length - 1 ? "Before." : words.description,
        created_at,
      }));
      const older = Array.from({ length: 99 }, (_, index) => ({
        id: `old-${index}`,
        status: words.status,
        description: "Before.",
        created_at: before && "2020-01-01T00:00:00Z",
      }));
      const incidentUpdates = [...shown, ...older];
      const body = JSON.stringify({ id: incidentId, name: "Checkout", incidentUpdates });
      const headers = ["content-type: application/json"];
      service.sandbox.faults.add({ kind: "answer", body, headers, operation: "getStatusPageIncident" });
    };
    show(before);
    const remembered = await service.leaveUnconfirmed();
    show(after, before);
    return service.nextUp(remembered).then(
      () => true,
      () => false,
    );
  }

  it.each<[string, string | null, string | null, boolean]>([
    ["later by the service's clock", newestBefore, "2026-11-20T09:30:01Z", true],
    ["at the same moment", newestBefore, newestBefore, true],
    ["a minute before, by a clock that is behind", newestBefore, "2026-11-20T09:29:00Z", true],
    ["more than a minute before", newestBefore, "2026-11-20T09:28:59.999Z", false],
    ["later, in another zone", newestBefore, "2026-11-20T10:30:01+01:00", true],
    ["before, in another zone", newestBefore, "2026-11-20T10:28:59+01:00", false],
    ["later, without a zone", newestBefore, "2026-11-20 09:30:01", true],
    ["before, without a zone", newestBefore, "2026-11-20 09:28:59", false],
    ["on the same day, without a time", newestBefore, "2026-11-20", true],
    ["on the day before", newestBefore, "2026-11-19", false],
    ["on the same day as a date without a time", "2026-11-20", "2026-11-20T00:00:00Z", true],
    ["on the day before a date without a time", "2026-11-20", "2026-11-18T23:59:59Z", false],
    ["without a timestamp", newestBefore, null, true],
    ["without an earlier timestamp", null, "2020-01-01T00:00:00Z", true],
    ["at a time that is no date", newestBefore, "yesterday", true],
    ["at a time that is no date but has a number", newestBefore, "revision 7", true],
  ])("%s", async (_, before, after, expected) => {
    expect(await settledWith(before, after)).toBe(expected);
  });
});
