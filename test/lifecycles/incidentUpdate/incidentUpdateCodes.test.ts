/** The codes with which a user answers a refusal. The questions: test/protocol. */
import { inputsOf } from "../phases";
import { failureOf, incidentId, resendOf, Service, words } from "../updateProcess";

const service = new Service();
const idOf = (id: string): string => `${incidentId}/${id}`;
const loseNextPost = (): void =>
  service.sandbox.faults.add({ kind: "reset", operation: "createIncidentUpdate", times: 1 });

describe("an unconfirmed update", () => {
  it("is posted again with its code, and recorded as another post when that receives no response either", async () => {
    loseNextPost();
    const first = await failureOf(service.declare());
    const { id = "", properties: outs = {} } = first;
    const remembered = { id, outs };
    const answer = resendOf(first);
    // The failing post and each later refusal print the same code.
    expect(resendOf(await failureOf(service.nextUp(remembered)))).toEqual(answer);
    expect(service.posts).toHaveLength(1);

    loseNextPost();
    const again = await failureOf(service.nextUp(remembered, {}, answer));
    expect(service.posts).toHaveLength(2);
    expect(again.id).toBe(id);
    const lostTwice = { id, outs: again.properties ?? {} };
    // The code that was left over answers nothing about the second post, and the new one is set beside it.
    const { message } = await failureOf(service.nextUp(lostTwice, {}, answer));
    expect(message).toContain("Nothing was posted");
    expect(service.posts).toHaveLength(2);
    const both = resendOf({ message })["monitoring:resend"] ?? "";
    expect(both.split(" ")).toEqual([answer["monitoring:resend"], expect.stringMatching(/^[0-9a-f]{8}$/)]);
    expect(await service.nextUp(lostTwice, {}, resendOf({ message }))).toMatchObject({
      incidentUpdateId: service.newestId,
    });
    expect(service.posts).toHaveLength(3);
  });

  it("is posted again with its code in a program of which a transformation has removed the name of the resource", async () => {
    const { id, outs } = await service.leaveUnconfirmed();
    const answer = resendOf(await failureOf(service.nextUp({ id, outs })));
    const process = await service.process(answer);
    const inputs = await inputsOf(process, words);
    await process.diff(id, outs, inputs);
    expect((await process.update(id, outs, inputs)).outs).toMatchObject({
      incidentUpdateId: service.newestId,
    });
  });
});

it("an update that the full history didn't show records nothing, and is posted once with its code", async () => {
  service.fillHistory();
  const refused = await failureOf(service.declare());
  expect(refused.message).toContain(
    "this update may be public: the service shows only its latest 100 updates.",
  );
  expect(refused).not.toHaveProperty("id");
  const answer = resendOf(refused);
  expect(resendOf(await failureOf(service.declare()))).toEqual(answer);
  expect(service.posts).toEqual([]);
  const { id } = await service.declare({}, answer);
  expect(id).toBe(idOf(service.newestId));
  // The code that is left over answers nothing about another update.
  await failureOf(service.declare({ description: "It is over." }, answer));
  expect(service.posts).toHaveLength(1);
});

it("an update that the service rejects by its id records nothing, and is posted without ids", async () => {
  service.sandbox.configure({ ids: "rejected" });
  const refused = await failureOf(service.declare());
  expect(refused.message).toMatch(/HTTP 4\d\d.* If the service rejects the id/s);
  expect(refused.message).toContain("set monitoring:clientIds to false");
  expect(refused).not.toHaveProperty("id");
  expect(service.posts).toHaveLength(1);
  const { id } = await service.declare({}, { "monitoring:clientIds": "false" });
  expect(id).toBe(idOf(service.newestId));
  expect(service.published()).toHaveLength(1);
});
