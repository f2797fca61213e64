/** Imports of existing objects: the inputs that a program has to declare, and the outputs that the state stores. */
import { wellKnown } from "../../sandbox";
import { printed } from "../../provider/texts/printable";
import { Connections } from "../../provider/connection/connections";
import { alertChannel } from "../../provider/lifecycles/observed";
import { incidentUpdate } from "../../provider/lifecycles/incidentUpdate";
import type { Context, Lifecycle } from "../../provider/lifecycles/lifecycle";
import { Publishing } from "../../provider/publishing/publishing";
import { send, serve } from "../client/services";
import { sandboxForEachTest } from "./phases";

const sandboxOf = sandboxForEachTest();
const incidentId = wellKnown.statusPageIncidents.cardDeclines;

function imported(
  lifecycle: Lifecycle,
  id: string,
  { url } = { url: sandboxOf().url },
): ReturnType<Lifecycle["import"]> {
  const environment = { MONITORING_API_KEY: sandboxOf().apiKey, MONITORING_BASE_URL: url };
  const context: Context = {
    connections: new Connections(() => undefined, environment),
    publishing: new Publishing(),
    notice: (text) => {
      throw new Error(printed(text));
    },
    assertEngineAlive: () => Promise.resolve(),
  };
  return lifecycle.import(id, context);
}

afterEach(() => {
  expect(sandboxOf().requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

describe("an update", () => {
  const edit = (changes: object): void =>
    sandboxOf().byHand.change(({ accounts: [{ statusPageIncidents }] }) => {
      const [first] = statusPageIncidents.find(({ id }) => id === incidentId)?.incidentUpdates ?? [];
      Object.assign(first ?? {}, { status: "MONITORING", notifySubscribers: false, ...changes });
    });
  const newest = () => sandboxOf().incident(incidentId).incidentUpdates[0];
  const idOf = (updateId = newest()?.id) => `${incidentId}/${updateId}`;

  it("is declared by incident, status and description, without its date", async () => {
    edit({ description: "The only one.", publicIncidentUpdateDate: "2026-01-31T09:30:00.000Z" });
    const inputs = { incidentId, status: "MONITORING", description: "The only one." };
    const { id, inputs: declared, outputs } = await imported(incidentUpdate, idOf());
    expect([id, declared]).toEqual([idOf(), inputs]);
    expect(outputs).toMatchObject({
      ...inputs,
      occurrence: 1,
      notifySubscribers: false,
      incidentUpdateId: newest()?.id,
      missing: false,
      published: { status: "MONITORING", description: "The only one." },
    });
    expect(outputs).not.toHaveProperty("unconfirmed");
  });

  it("is declared with notifySubscribers when it notified them", async () => {
    edit({ notifySubscribers: true });
    expect((await imported(incidentUpdate, idOf())).inputs).toMatchObject({ notifySubscribers: true });
  });

  it("is declared with its occurrence among identical updates, oldest first", async () => {
    const { description } = newest() ?? {};
    edit({});
    sandboxOf().byHand.change(({ accounts: [{ statusPageIncidents }] }) => {
      const updates = statusPageIncidents.find(({ id }) => id === incidentId)?.incidentUpdates;
      const [first] = updates ?? [];
      if (first) updates?.unshift({ ...first, id: "upd_again", created_at: "2030-01-31T09:30:00.000Z" });
    });
    const again = await imported(incidentUpdate, idOf("upd_again"));
    expect(again.inputs).toEqual({ incidentId, status: "MONITORING", description, occurrence: 2 });
    expect(again.outputs).toMatchObject({ occurrence: 2 });
    const [, first] = sandboxOf().incident(incidentId).incidentUpdates;
    expect((await imported(incidentUpdate, idOf(first?.id))).inputs).not.toHaveProperty("occurrence");
  });

  it("that was deleted from the history meanwhile is declared as the first", async () => {
    const update = { ...newest() };
    const id = idOf();
    const all = `/v1/status-pages/incidents/${incidentId}`;
    sandboxOf().faults.add({ kind: "status", code: 404, operation: "getStatusPageIncident" });
    const { inputs } = await imported(incidentUpdate, id);
    expect(inputs).toMatchObject({ incidentId, description: update.description });
    expect(inputs).not.toHaveProperty("occurrence");
    expect(sandboxOf().requests.map(({ path }) => path)).toContain(all);
  });

  it.each([
    ["the status POSTMORTEM", { status: "POSTMORTEM", description: "It is over." }],
    ["no status", { description: "It is over." }],
    ["an empty description", { status: "RESOLVED", description: "" }],
  ])("with %s, which no program can declare, is read without inputs to declare", async (_, update) => {
    const service = await serve((response) => send(response, { id: "u1", ...update }));
    const { inputs, outputs } = await imported(incidentUpdate, "i/u1", service);
    expect(inputs).toEqual({ incidentId: "i" });
    expect(outputs).toMatchObject({ ...update, incidentId: "i", incidentUpdateId: "u1", missing: false });
  });

  it.each(["one-part", "/"])("isn't read by an id such as %s", async (id) => {
    await expect(imported(incidentUpdate, id)).rejects.toThrow(
      "IncidentUpdate import: id must be <incidentId>/<incidentUpdateId>.",
    );
    expect(sandboxOf().requests).toEqual([]);
  });
});

describe("an observed resource", () => {
  it("is declared by its id alone", async () => {
    const id = String(wellKnown.alertChannels.onCall);
    const { outputs, ...rest } = await imported(alertChannel, id);
    expect(rest).toEqual({ id, inputs: { channelId: id } });
    expect(outputs).toMatchObject({ channelId: id, type: "PAGERDUTY", missing: false });
  });

  it("isn't read by an id that can't be one", async () => {
    await expect(imported(alertChannel, "../4101")).rejects.toThrow(
      "AlertChannel: channelId must be an id, without white space, control characters or any of / \\ ? # %.",
    );
    expect(sandboxOf().requests).toEqual([]);
  });

  it("that doesn't exist is named", async () => {
    await expect(imported(alertChannel, "99")).rejects.toThrow("AlertChannel 99: not found in");
  });
});
