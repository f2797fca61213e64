/** One sandbox for all tests of a file, to which this process is connected. Doesn't load Pulumi. */
import { isMonitoringError } from "../../provider/client";
import { connectTo, type Sandbox, startSandbox } from "../../sandbox";

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

/** Name and message of one of our errors. */
export const errorOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => "nothing was wrong",
    (error: unknown) => (isMonitoringError(error) ? `${error.name}: ${error.message}` : String(error)),
  );
