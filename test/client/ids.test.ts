/** Every operation checks its ids; test/api/path.test.ts proves which are ids, test/contract/client.test.ts where they go. */
import type { MonitoringClient } from "../../provider/client";
import { clientOf, failureOf, news, serveJson } from "./services";

type Call = (client: MonitoringClient, id: string | number) => Promise<unknown>;

const getAlertChannel: Call = (client, id) => client.getAlertChannel(id);

test.each<[string, Call]>([
  ["createIncidentUpdate", (client, id) => client.createIncidentUpdate(id, news)],
  ["getIncidentUpdate, first", (client, id) => client.getIncidentUpdate(id, "u1")],
  ["getIncidentUpdate, second", (client, id) => client.getIncidentUpdate("i1", id)],
  ["getStatusPageIncident", (client, id) => client.getStatusPageIncident(id)],
  ["getIncident", (client, id) => client.getIncident(id)],
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
