/** Every operation checks and encodes its ids; test/api/path.test.ts proves which are ids. */
import fc from "fast-check";
import { InvalidInputError, type MonitoringClient } from "../../provider/client";
import { runs } from "../propertySeed";
import { clientOf, failureOf, news, serveJson } from "./services";

type Call = (client: MonitoringClient, id: string | number) => Promise<unknown>;

/** Each place that any id goes to, and the path that it must lead to. */
const places: [string, Call, (id: string) => string][] = [
  [
    "createIncidentUpdate",
    (client, id) => client.createIncidentUpdate(id, news),
    (id) => `status-pages/incidents/${id}/incident-updates`,
  ],
  [
    "getIncidentUpdate, first",
    (client, id) => client.getIncidentUpdate(id, "u1"),
    (id) => `status-pages/incidents/${id}/incident-updates/u1`,
  ],
  [
    "getIncidentUpdate, second",
    (client, id) => client.getIncidentUpdate("i1", id),
    (id) => `status-pages/incidents/i1/incident-updates/${id}`,
  ],
  [
    "getStatusPageIncident",
    (client, id) => client.getStatusPageIncident(id),
    (id) => `status-pages/incidents/${id}`,
  ],
  ["getIncident", (client, id) => client.getIncident(id), (id) => `incidents/${id}`],
];

const getAlertChannel: Call = (client, id) => client.getAlertChannel(id);

test.each<[string, Call]>([
  ...places.map(([name, call]): [string, Call] => [name, call]),
  ["getAlertChannel", getAlertChannel],
])("%s refuses hostile ids before any request", async (_, call) => {
  const service = await serveJson({}, 404);
  const { client } = clientOf(service);
  for (const id of ["", "..", "a/b", "x".repeat(257), -1])
    expect([id, (await failureOf(call(client, id))).name]).toEqual([id, "InvalidInputError"]);
  expect(service.requests).toEqual([]);
});

test("the id of an alert channel is a whole number", async () => {
  const service = await serveJson({}, 404);
  const { client } = clientOf(service);
  expect((await failureOf(getAlertChannel(client, "ops"))).message).toBe(
    "getAlertChannel: id must be the id of an alert channel: a whole number.",
  );
  for (const id of [200_123, "007"])
    expect((await failureOf(getAlertChannel(client, id))).name).toBe("NotFoundError");
  expect(service.requests.map(({ url }) => url)).toEqual([
    "/v1/alert-channels/200123",
    "/v1/alert-channels/007",
  ]);
});

describe("10,000 ids made to escape the path", () => {
  const piece = fc.constantFrom(
    ...".. . / \\ %2e %2f %5c %00 ? # ; @ : // http://evil.example a 1 - _ é ．． ／ {id} $& v1".split(" "),
    ...[" ", "\r\n", "\0", "\u202e", "\ud83d"],
  );
  const id = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join("")),
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.string({ unit: "grapheme-ascii", maxLength: 6 }),
    fc.double(),
  );
  test("each is refused, or is one segment of its path", async () => {
    const service = await serveJson({}, 404);
    const { client } = clientOf(service);
    let [tried, sent] = [0, 0];
    const place = fc.constantFrom(...places);
    await fc.assert(
      fc.asyncProperty(place, id, async ([, call, path], id) => {
        const before = service.requests.length;
        const refused = (await failureOf(call(client, id))) instanceof InvalidInputError;
        const urls = service.requests.slice(before).map(({ url }) => url);
        expect(urls).toEqual(refused ? [] : [`/v1/${path(encodeURIComponent(id))}`]);
        expect(refused || new URL(urls[0] ?? "", "http://a").pathname === urls[0]).toBe(true);
        tried += 1;
        sent += urls.length;
      }),
      { numRuns: runs(10_000) },
    );
    // Both kinds must have been tried in numbers.
    expect(sent).toBeGreaterThan(tried * 0.1);
    expect(sent).toBeLessThan(tried * 0.9);
  });
});
