/** Programs of this process: data sources that read from one sandbox in all tests of a file, and resources under mocks. */
import { type Output, runtime } from "@pulumi/pulumi";
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

/** Begins a program, whose resources have their inputs as outputs, and whose calls return their arguments. */
export function startMocks(
  declare: (resource: runtime.MockResourceArgs) => void = () => undefined,
  project?: string,
): Promise<void> {
  const mocks: runtime.Mocks = {
    newResource: (resource) => {
      declare(resource);
      return { id: `${resource.name}-id`, state: resource.inputs as object };
    },
    call: ({ token, inputs }) => ({ token, ...(inputs as object) }),
  };
  return runtime.setMocks(mocks, project);
}

export const valueOf = <T>(output: Output<T>): Promise<T> => new Promise((done) => output.apply(done));

/** Name and message of one of our errors. */
export const errorOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => "nothing was wrong",
    (error: unknown) => (isMonitoringError(error) ? `${error.name}: ${error.message}` : String(error)),
  );
