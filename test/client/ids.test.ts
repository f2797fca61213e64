import fc from "fast-check";
import { InvalidInputError, type MonitoringClient } from "../../provider/client";
import { runs } from "../propertySeed";
import { clientOf, failureOf, news, serveJson } from "./services";

type Call = (client: MonitoringClient, id: string | number) => Promise<unknown>;

type Place = [string, Call, (id: string) => string];

const ofChannel: Place = [
  "getAlertChannel",
  (c, id) => c.getAlertChannel(id),
  (id) => `alert-channels/${id}`,
];

/** Each place that any id goes to, and the path that it must lead to. */
const places: Place[] = [
  [
    "createIncidentUpdate",
    (c, id) => c.createIncidentUpdate(id, news),
    (id) => `status-pages/incidents/${id}/incident-updates`,
  ],
  [
    "getIncidentUpdate, first",
    (c, id) => c.getIncidentUpdate(id, "u1"),
    (id) => `status-pages/incidents/${id}/incident-updates/u1`,
  ],
  [
    "getIncidentUpdate, second",
    (c, id) => c.getIncidentUpdate("i1", id),
    (id) => `status-pages/incidents/i1/incident-updates/${id}`,
  ],
  ["getStatusPageIncident", (c, id) => c.getStatusPageIncident(id), (id) => `status-pages/incidents/${id}`],
  ["getIncident", (c, id) => c.getIncident(id), (id) => `incidents/${id}`],
];

const hostile = [
  "",
  "..",
  "%2e%2e",
  "a/b",
  "a\\b",
  "a?b",
  "a#b",
  " a",
  "a\r\nx: y",
  "\u202e",
  "x".repeat(257),
  -1,
  NaN,
];

test.each([...places, ofChannel])("%s refuses hostile ids before any request", async (_, call) => {
  const service = await serveJson({}, 404);
  const { client } = clientOf(service);
  for (const id of hostile)
    expect([id, (await failureOf(call(client, id))).name]).toEqual([id, "InvalidInputError"]);
  expect(service.requests).toEqual([]);
});

test("a value that is neither a string nor a number is refused", async () => {
  const { client } = clientOf({ url: "https://api.example.com" });
  const unchecked: { getAlertChannel(id: unknown): Promise<unknown> } = client;
  for (const id of [undefined, null, true, {}, [], ["a"], 1n, Symbol("a"), { toString: () => "a" }]) {
    expect(await failureOf(unchecked.getAlertChannel(id))).toBeInstanceOf(InvalidInputError);
  }
});

test.each([
  ["a UUID", "6f1c1f9e-6a3e-4c64-8a3e-5d0f0f2a9d11", "6f1c1f9e-6a3e-4c64-8a3e-5d0f0f2a9d11"],
  ["a number", 200_123, "200123"],
  ["zero", 0, "0"],
  ["letters of other alphabets", "событие", "%D1%81%D0%BE%D0%B1%D1%8B%D1%82%D0%B8%D0%B5"],
  ["three dots", "...", "..."],
  ["characters with a meaning in URLs", "a;b=1&c=2:d@e+f,g!", "a%3Bb%3D1%26c%3D2%3Ad%40e%2Bf%2Cg!"],
  ["256 characters", "x".repeat(256), "x".repeat(256)],
])("%s is one segment of the path", async (_, id, segment) => {
  const service = await serveJson({}, 404);
  const { client } = clientOf(service);
  for (const [, call] of places) expect((await failureOf(call(client, id))).name).toBe("NotFoundError");
  expect(service.requests.map(({ url }) => url)).toEqual(places.map(([, , path]) => `/v1/${path(segment)}`));
});

test.each([200_123, 0, "200123", "007"])("%j is the id of an alert channel", async (id) => {
  const service = await serveJson({}, 404);
  expect((await failureOf(clientOf(service).client.getAlertChannel(id))).name).toBe("NotFoundError");
  expect(service.requests.map(({ url }) => url)).toEqual([`/v1/alert-channels/${id}`]);
});

test.each(["ops", "1.5", "1e3", "0x10", "-1", "٣", "1".repeat(16)])("%j is refused as one", async (id) => {
  const service = await serveJson({}, 404);
  const error = await failureOf(clientOf(service).client.getAlertChannel(id));
  expect(error.message).toBe("getAlertChannel: id must be the id of an alert channel: a whole number.");
  expect(service.requests).toEqual([]);
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
