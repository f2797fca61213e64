import { Service } from "./updateProcess";

const service = new Service();

it("says once that the service makes the provider wait", async () => {
  const headers = { "retry-after": "11" };
  service.sandbox.faults.add({ kind: "status", code: 429, headers, times: 2 });
  await service.declare();
  expect(service.notices).toEqual([
    "getStatusPageIncident: the service allows no more requests at the moment (HTTP 429), so this run waits 11 s.",
  ]);
});
