/** The refresh of an update that a program only reads, whatever the service showed at first. */
import { failureOf, incidentId, Service, words } from "./updateProcess";

const service = new Service();
const id = `${incidentId}/u1`;

/** Reads the update as `IncidentUpdate.get` does, shown as given. No update of this id exists afterwards. */
async function got(shown: object) {
  const body = JSON.stringify({ id: "u1", status: words.status, description: words.description, ...shown });
  const headers = ["content-type: application/json"];
  service.sandbox.faults.add({ kind: "answer", body, headers, operation: "getIncidentUpdate", times: 1 });
  const { props = {} } = await (await service.process()).read(id, {});
  return { id, outs: props };
}

describe.each<[string, object]>([
  ["without a public date", { publicIncidentUpdateDate: null }],
  ["with a status that no program can declare", { status: "MAINTENANCE" }],
  ["without a status", { status: undefined }],
])("of an update %s", (_, shown) => {
  it("keeps it as missing when it was deleted", async () => {
    const { outs } = await got(shown);
    expect(await service.refresh({ id, outs })).toEqual({ id, outs: { ...outs, missing: true } });
    expect(service.notices).toEqual([
      `IncidentUpdate ${id}: not found on the service. It stays in the state and is not posted again.`,
    ]);
  });

  it("is refused with another account", async () => {
    const { outs } = await got(shown);
    const other = await service.process({ "monitoring:accountId": "another" });
    const { message } = await failureOf(other.read(id, outs));
    expect(message).toContain(`IncidentUpdate ${id}: account points to account another on`);
  });
});
