/** Runs programs in this process with mocked resources. */
import { type Output, runtime } from "@pulumi/pulumi";

/** Starts a program whose resources return their inputs as outputs, and whose calls return their arguments. */
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

export const readOutput = <T>(output: Output<T>): Promise<T> => new Promise((done) => output.apply(done));
