/** Phases of the engine as its provider process meets them: a new provider in each, against one sandbox. */
import { stderr } from "node:process";
import { Config } from "@pulumi/pulumi/cmd/dynamic-provider/config";
import { type Sandbox, startSandbox } from "../../sandbox";
import { Configuration } from "../../provider/dynamic/configuration";
import { DynamicProvider } from "../../provider/dynamic/provider";
import type { Lifecycle } from "../../provider/lifecycles/lifecycle";

export type Properties = Record<string, unknown>;

/** A sandbox of its own for every test. */
export function sandboxForEachTest(): () => Sandbox {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox.close());
  return () => sandbox;
}

/** The provider of a kind at the beginning of a phase. */
export async function phase(
  lifecycle: Lifecycle,
  { url, accountId, apiKey }: Pick<Sandbox, "url" | "accountId" | "apiKey">,
  configuration = new Configuration(),
): Promise<DynamicProvider> {
  const provider = new DynamicProvider(lifecycle, configuration);
  const service = {
    "monitoring:baseUrl": url,
    "monitoring:accountId": accountId,
    "monitoring:apiKey": apiKey,
  };
  await provider.configure({ config: new Config(service, "test") });
  return provider;
}

/** Everything that `check` has against a declaration, by property: a reason may name it instead of the failure. */
export async function mistakesIn(
  provider: DynamicProvider,
  args: Properties,
): Promise<Record<string, string>> {
  const { failures = [] } = await provider.check({}, args);
  return Object.fromEntries(
    failures.map(({ property, reason }) => {
      const [name = "", ...rest] = reason.split(" ");
      return property === "" ? [name, rest.join(" ")] : [property, reason];
    }),
  );
}

/** What `check` makes of a declaration that is right. */
export async function inputsOf(provider: DynamicProvider, args: Properties): Promise<Properties> {
  const { inputs = {}, failures } = await provider.check({}, args);
  expect(failures).toEqual([]);
  return inputs;
}

export async function create(
  provider: DynamicProvider,
  args: Properties,
): Promise<{ id: string; outs: Properties }> {
  const { id, outs = {} } = await provider.create(await inputsOf(provider, args));
  return { id, outs };
}

/** What the user is told meanwhile. */
export async function noticesDuring(work: () => Promise<unknown>): Promise<string[]> {
  const notices: string[] = [];
  const listener = jest.spyOn(stderr, "write").mockImplementation((text) => {
    notices.push(String(text).trim());
    return true;
  });
  try {
    await work();
  } finally {
    listener.mockRestore();
  }
  return notices;
}
