/** A service that fails now and then, and one that is down: what gets through, and how much is asked of it. */
import { type FaultInput, type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { clientOf, drawNoWaits, failureOf, send, serve, serveJson } from "./services";

const troubles: FaultInput[] = [
  { kind: "reset" },
  { kind: "cut" },
  { kind: "status", code: 503, body: "html" },
  { kind: "status", code: 500 },
  { kind: "status", code: 408 },
  { kind: "rateLimit" },
];

/** One request in ten meets one of them. */
const oneInTen = troubles.map((trouble, index) => ({
  ...trouble,
  seed: index,
  // Each strikes what those before it have spared.
  probability: 0.1 / troubles.length / (1 - (0.1 * index) / troubles.length),
}));

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ faults: oneInTen });
});
afterAll(() => sandbox.close());

beforeEach(drawNoWaits);

test("of 10,000 reads of a service that fails one request in ten, at least 99.9 % succeed", async () => {
  const { client } = clientOf(sandbox, { apiKey: sandbox.apiKey });
  const id = wellKnown.alertChannels.operationsMail;
  let [begun, failed] = [0, 0];
  const reader = async () => {
    while (begun < 10_000) {
      begun += 1;
      await client.getAlertChannel(id, { shared: false }).catch(() => (failed += 1));
    }
  };
  await Promise.all(Array.from({ length: 8 }, reader));
  const struck = sandbox.faults.list().reduce((sum, fault) => sum + fault.struck, 0);
  const matched = sandbox.faults.list()[0]?.matched ?? 0;
  expect(struck / matched).toBeGreaterThan(0.09);
  expect(struck / matched).toBeLessThan(0.11);
  expect(failed).toBeLessThanOrEqual(10);
});

test("an outage is not made worse: 1,000 reads are little more than 1,000 requests", async () => {
  const service = await serveJson({}, 503);
  const { client } = clientOf(service);
  for (let read = 0; read < 1_000; read++) {
    expect((await failureOf(client.getAlertChannel(read))).name).toBe("ServerError");
  }
  expect(service.requests).toHaveLength(1_100);
});

test("when the outage is over, reads are tried again as before", async () => {
  let down = true;
  const service = await serve((response) =>
    send(response, { id: 7, type: "EMAIL", config: {} }, down ? 503 : 200),
  );
  const { client } = clientOf(service);
  for (let read = 0; read < 200; read++) await failureOf(client.getAlertChannel(read));
  down = false;
  for (let read = 0; read < 6; read++) await client.getAlertChannel(read);
  down = true;
  const before = service.requests.length;
  await failureOf(client.getAlertChannel(7));
  expect(service.requests.length - before).toBe(4);
});
