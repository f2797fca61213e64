import { apiKey, clientOf, realProcess, serve, until, update } from "./services";
import { type DeprecationEvent } from "../../provider/client";

/** A service that sends these headers with each response. */
const serviceWith = (headers: Record<string, string>, status = 200) =>
  serve((response) => response.writeHead(status, headers).end(JSON.stringify(update)));

const sunset = "Wed, 11 Nov 2026 23:59:59 GMT";

test("an operation that the service announces as deprecated is reported once", async () => {
  const events: DeprecationEvent[] = [];
  const { client } = clientOf(await serviceWith({ deprecation: "@1767225600", sunset }), {
    onDeprecated: (event) => events.push(event),
  });
  await client.getIncidentUpdate("i1", "u1");
  await client.getIncidentUpdate("i1", "u2");
  await client.createIncidentUpdate("i1", { status: "MONITORING", description: "x" });
  expect(events).toEqual([
    { operation: "getIncidentUpdate", deprecation: "@1767225600", sunset },
    { operation: "createIncidentUpdate", deprecation: "@1767225600", sunset },
  ]);
});

test.each<[string, Record<string, string>, Partial<DeprecationEvent>[]]>([
  ["only Sunset", { sunset }, [{ sunset }]],
  ["only Deprecation", { deprecation: "true" }, [{ deprecation: "true" }]],
  ["neither", {}, []],
  ["empty values", { deprecation: "", sunset: " " }, []],
])("with %s", async (_, headers, expected) => {
  const events: DeprecationEvent[] = [];
  const { client } = clientOf(await serviceWith(headers), { onDeprecated: (event) => events.push(event) });
  await client.getIncidentUpdate("i1", "u1");
  expect(events).toEqual(expected.map((event) => ({ operation: "getIncidentUpdate", ...event })));
});

test("the headers are untrusted: the key is masked, and the text is one short line", async () => {
  const events: DeprecationEvent[] = [];
  const headers = { deprecation: `${apiKey} \u009b31m${"x".repeat(1_000)}` };
  const { client } = clientOf(await serviceWith(headers), { onDeprecated: (event) => events.push(event) });
  await client.getIncidentUpdate("i1", "u1");
  const [{ deprecation = "" } = {}] = events;
  expect(deprecation).toMatch(/^\[hidden\] 31mx+…$/);
  expect(deprecation.length).toBeLessThanOrEqual(301);
});

test("a listener that throws changes nothing", async () => {
  const loose: unknown[] = [];
  const note = (reason: unknown) => loose.push(reason);
  realProcess.on("unhandledRejection", note);
  const onDeprecated = () => {
    throw new Error("in the listener");
  };
  const { client } = clientOf(await serviceWith({ sunset }), { onDeprecated });
  await expect(client.getIncidentUpdate("i1", "u1")).resolves.toEqual(update);
  let turns = 0;
  await until(() => ++turns > 10);
  realProcess.off("unhandledRejection", note);
  expect(loose).toEqual([]);
});
