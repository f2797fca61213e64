/** Data sources of this process, which read from one sandbox in all tests of a file. */
import type { Output } from "@pulumi/pulumi";
import { connectTo, type Sandbox, startSandbox } from "../../sandbox";
import { isMonitoringError } from "../../sdk";

/** A sandbox whose requests are those of the current test. */
export function connectedSandbox(): () => Sandbox {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
    connectTo(sandbox);
  });
  beforeEach(() => sandbox.clearRequests());
  afterAll(() => sandbox.close());
  return () => sandbox;
}

export const valueOf = <T>(output: Output<T>): Promise<T> => new Promise((done) => output.apply(done));

/** Name and message of one of our errors. */
export const errorOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => "nothing was wrong",
    (error: unknown) => (isMonitoringError(error) ? `${error.name}: ${error.message}` : String(error)),
  );
