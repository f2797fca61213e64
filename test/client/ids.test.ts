/** Every operation checks its ids; test/api/path.test.ts proves which are ids, test/contract/client.test.ts where they go. */
import { callsWithIds } from "./everyCall";
import { clientOf, failureOf, serveJson } from "./services";

test.each(Object.entries(callsWithIds))("%s refuses hostile ids before any request", async (_, call) => {
  const service = await serveJson({}, 404);
  const { client } = clientOf(service);
  for (const id of ["", "..", "a/b", "x".repeat(257), -1])
    expect([id, (await failureOf(call(client, id))).name]).toEqual([id, "InvalidInputError"]);
  expect(service.requests).toEqual([]);
});

test("every id of a path is checked", async () => {
  const { client } = clientOf(await serveJson({}, 404));
  for (const [incidentId, id] of [
    ["..", "u1"],
    ["i1", ".."],
  ] as const)
    expect((await failureOf(client.getIncidentUpdate(incidentId, id))).name).toBe("InvalidInputError");
});

test("the id of an alert channel is a whole number", async () => {
  const service = await serveJson({}, 404);
  const { client } = clientOf(service);
  expect((await failureOf(client.getAlertChannel("ops"))).message).toBe(
    "getAlertChannel: id must be the id of an alert channel: a whole number.",
  );
  for (const id of [200_123, "007"])
    expect((await failureOf(client.getAlertChannel(id))).name).toBe("NotFoundError");
  expect(service.requests.map(({ url }) => url)).toEqual([
    "/v1/alert-channels/200123",
    "/v1/alert-channels/007",
  ]);
});
