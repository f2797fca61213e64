/** The adapters through which the Pulumi engine calls the provider, with everything that differs between them. */
const path = require("node:path");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");
const rpc = require("@pulumi/pulumi/proto/provider_pb");
const { root } = require("../../tools/setup");
const { respond } = require("./call");

/** @typedef {import("../../provider/engine").ResourceType} ResourceType */

/**
 * @typedef {object} Adapter
 * @property {string} name
 * @property {(engine: string) => string[]} argumentsFor returns Node's arguments for the process, which prints its port
 * @property {(client: import("@pulumi/pulumi/proto/provider_grpc_pb").ResourceProviderClient, config: Record<string, string>) => Promise<unknown>} configure
 *   performs the handshake, with a stack's configuration by `namespace:key`
 * @property {(type: ResourceType) => string} getToken
 * @property {(type: ResourceType, args: Record<string, unknown>, resource: {urn: string, previews: boolean}) => Record<string, unknown>} toInputs
 *   returns the inputs that a program registers for the resource
 * @property {boolean} creates true if the engine also calls `create` and `update` in a preview
 */

const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** Marks a value as a secret, as the engine does for providers that accept secrets. @param {unknown} value */
const secret = (value) => ({ ...signature, value });

/** @param {unknown} value @returns {value is ReturnType<typeof secret>} */
const isSecret = (value) =>
  typeof value === "object" && value !== null && Object.keys(signature).every((key) => key in value);

// Jest compiles the sources, so that tests without a process need no build. Other commands load the build.
const sources = process.env.JEST_WORKER_ID === undefined ? path.join(root, "dist") : root;

/** @returns {typeof import("../../provider/engine")} */
const engine = () => require(path.join(sources, "provider", "engine"));

/** Returns the name of the internal input that only the SDK passes. @returns {string} */
const programInput = () => engine().programInput;
const unknownValue = () => engine().unknownValue;

/** @type {Adapter} */
const dynamic = {
  name: "dynamic",
  argumentsFor: (engine) => [require.resolve("@pulumi/pulumi/cmd/dynamic-provider"), engine],
  configure: (client, config) => {
    const request = new rpc.ConfigureRequest().setArgs(Struct.fromJavaScript(config));
    return respond((done) => client.configure(request, done));
  },
  getToken: (type) => engine().getDynamicToken(type),
  toInputs: (type, args, { urn, previews }) => ({
    ...Object.fromEntries(
      Object.entries(args).map(([key, value]) => [key, isSecret(value) ? value.value : value]),
    ),
    __provider: engine().serializedProvider(type),
    [programInput()]: {
      ...{ urn, previews, collectsProblems: previews && type !== "IncidentUpdate" },
      shown: Object.fromEntries(
        ["description", "name"].flatMap((key) => (isSecret(args[key]) ? [] : [[key, args[key]]])),
      ),
      ...Object(args[programInput()]),
    },
  }),
  creates: false,
};

/** @type {Adapter} */
const plugin = {
  name: "plugin",
  argumentsFor: (engine) => [path.join(root, "plugin", "pulumi-resource-monitoring"), engine],
  configure: async (client, config) => {
    const handshake = new rpc.ProviderHandshakeRequest();
    await respond((done) => client.handshake(handshake, done));
    const names = Object.entries(config).map(([key, value]) => [key.replace("monitoring:", ""), value]);
    const request = new rpc.ConfigureRequest()
      .setArgs(Struct.fromJavaScript(Object.fromEntries(names)))
      .setUrn("urn:pulumi:test::test::pulumi:providers:monitoring::default");
    return respond((done) => client.configure(request, done));
  },
  getToken: (type) => engine().getNativeToken(type),
  toInputs: (_, args) => args,
  creates: true,
};

const adapters = [dynamic, plugin];

/** A run without an adapter, which receives the calls as plain data. @type {Pick<Adapter, "name" | "getToken" | "toInputs" | "creates">} */
const direct = { name: "run", getToken: plugin.getToken, toInputs: plugin.toInputs, creates: true };

/** Returns the type of a resource from its URN. @param {string} urn */
function parseResourceType(urn) {
  const type = engine().resourceTypes.find((each) => urn.includes(`:${each}::`));
  if (!type) throw new Error(`${urn} has no known resource type.`);
  return type;
}

/** Creates the configuration of a stack that uses the sandbox. @param {Pick<import("../../sandbox").Sandbox, "url" | "accountId" | "apiKey">} service */
const createConfig = ({ url, accountId, apiKey }) => ({
  "monitoring:baseUrl": url,
  "monitoring:accountId": accountId,
  "monitoring:apiKey": apiKey,
});

module.exports = {
  adapters,
  createConfig,
  direct,
  dynamic,
  isSecret,
  plugin,
  programInput,
  unknownValue,
  secret,
  parseResourceType,
};
