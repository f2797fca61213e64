/** A service that fails now and then: retries make nearly every read succeed. */
import { type FaultInput, type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { clientOf, drawNoWaits } from "./services";

const faults: FaultInput[] = [
  { kind: "reset" },
  { kind: "cut" },
  { kind: "status", code: 503, body: "html" },
  { kind: "status", code: 500 },
  { kind: "status", code: 408 },
  { kind: "rateLimit" },
];

/** One request in ten fails. */
const oneInTen = faults.map((fault, index) => ({
  ...fault,
  seed: index,
  // Each applies to the requests that those before it left alone.
  probability: 0.1 / faults.length / (1 - (0.1 * index) / faults.length),
}));

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ faults: oneInTen });
});
afterAll(() => sandbox.close());

beforeEach(drawNoWaits);

test("of 3,000 reads of a service that fails one request in ten, at least 99.9 % succeed", async () => {
  const { client } = clientOf(sandbox, { apiKey: sandbox.apiKey });
  const id = wellKnown.alertChannels.operationsMail;
  let [begun, failed] = [0, 0];
  const reader = async () => {
    while (begun < 3_000) {
      begun += 1;
      await client.getAlertChannel(id).catch(() => (failed += 1));
    }
  };
  await Promise.all(Array.from({ length: 8 }, reader));
  const struck = sandbox.faults.list().reduce((sum, fault) => sum + fault.struck, 0);
  const matched = sandbox.faults.list()[0]?.matched ?? 0;
  expect(struck / matched).toBeGreaterThan(0.08);
  expect(struck / matched).toBeLessThan(0.12);
  expect(failed).toBeLessThanOrEqual(3);
});
