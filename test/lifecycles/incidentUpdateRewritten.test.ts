/** A post without a response whose content the service changed: the next step in its message works. */
import { failureOf, incidentId, Service, words } from "./updateProcess";

const service = new Service();
const rewritten = "Capacity, as the service rewrote it.";

it.each(["fail", "resend"])(
  "is adopted when the content of the new update is declared, with onUnconfirmed %s",
  async (onUnconfirmed) => {
    const remembered = await service.leaveUnconfirmed();
    const id = service.putByHand({ description: rewritten });
    const { message } = await failureOf(service.nextUp(remembered, { onUnconfirmed }));
    expect(message).toContain(`the new update ${id} has the same status`);
    expect(message).toContain("declare its description; `pulumi up` then adopts it and posts nothing.");

    const outs = await service.nextUp(remembered, { description: rewritten, onUnconfirmed });
    expect(outs).toMatchObject({ ...words, description: rewritten, incidentUpdateId: id });
    expect(outs).not.toHaveProperty("unconfirmed");
    expect(service.notices.join()).toContain(
      `an identical update (${id}) has existed in incident ${incidentId}`,
    );
    expect(service.posts()).toHaveLength(1);
  },
);

it("stays unconfirmed when different content is declared", async () => {
  const remembered = await service.leaveUnconfirmed();
  service.putByHand({ description: rewritten });
  const { id } = await failureOf(service.nextUp(remembered, { description: "Still other words." }));
  expect(id).toBe(remembered.id);
  expect(service.posts()).toHaveLength(1);
});

it("stays unconfirmed when the content is declared on another incident", async () => {
  const remembered = await service.leaveUnconfirmed();
  service.putByHand({ description: rewritten });
  const elsewhere = { incidentId: "inc_card_declines", description: rewritten };
  const { id } = await failureOf(service.nextUp(remembered, elsewhere));
  expect(id).toBe(remembered.id);
  expect(service.posts()).toHaveLength(1);
});
