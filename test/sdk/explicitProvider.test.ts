/** An explicit provider in a program: what it takes from the stack, and what reads with it. */
import * as pulumi from "@pulumi/pulumi";
import { Provider, type ProviderArgs } from "../../sdk/native";

let inputs: Record<string, unknown>;
const variables = ["MONITORING_READ_ONLY", "MONITORING_LOCK_DIRECTORY"];
const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));

beforeEach(async () => {
  for (const name of variables) Reflect.deleteProperty(process.env, name);
  inputs = {};
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs: given }) => {
      inputs = given as Record<string, unknown>;
      return { id: `${name}-id`, state: inputs };
    },
    call: ({ inputs: args }) => args as Record<string, unknown>,
  });
});
afterEach(async () => {
  await pulumi.runtime.disconnect();
  Object.assign(process.env, before);
});

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((done) => output.apply(done));

describe("the settings of the stack", () => {
  const ofStack = { "monitoring:readOnly": "true", "monitoring:lockDirectory": "/locks" };

  async function inputsOf(args: ProviderArgs, settings: Record<string, string>): Promise<object> {
    pulumi.runtime.setAllConfig(settings);
    await valueOf(new Provider("shop", args).urn);
    return inputs;
  }

  it("for read-only mode and the locks are the defaults of a provider, and no other one is", async () => {
    const others = { "monitoring:apiKey": "key", "monitoring:timeoutMs": "1" };
    const args = { accountId: "a", readOnly: undefined };
    expect(await inputsOf(args, { ...ofStack, ...others })).toEqual({
      accountId: "a",
      readOnly: "true",
      lockDirectory: "/locks",
    });
    expect(await inputsOf({ accountId: "a" }, others)).toEqual({ accountId: "a" });
  });

  it("give way to an argument", async () => {
    const args = { readOnly: false, lockDirectory: "/given" };
    expect(await inputsOf(args, ofStack)).toEqual({ readOnly: "false", lockDirectory: "/given" });
  });

  it("give way to the environment, which the plugin reads", async () => {
    Object.assign(process.env, { MONITORING_READ_ONLY: "0", MONITORING_LOCK_DIRECTORY: "/elsewhere" });
    expect(await inputsOf({}, ofStack)).toEqual({});
  });
});
