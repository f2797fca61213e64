/** The adapters through which Pulumi's engine reaches the lifecycles: all that the driver knows of each. */
const path = require("node:path");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");
const rpc = require("@pulumi/pulumi/proto/provider_pb");
const { root } = require("../../scripts/setup");
const { responseTo } = require("./call");

/** @typedef {import("../../provider/dynamic/text").Kind} Kind */

/**
 * @typedef {object} Adapter
 * @property {string} name
 * @property {(engine: string) => string[]} argumentsFor how Node starts its process, which prints its port
 * @property {(client: import("@pulumi/pulumi/proto/provider_grpc_pb").ResourceProviderClient, config: Record<string, string>) => Promise<unknown>} configure
 *   the handshake, with a stack's configuration by `namespace:key`
 * @property {(kind: Kind) => string} typeOf
 * @property {(kind: Kind, args: Record<string, unknown>) => Record<string, unknown>} inputsOf what a program registers
 */

/** @type {() => typeof import("../../provider/dynamic/text")} */
const dynamicText = () => require(path.join(root, "dist", "provider", "dynamic", "text"));

/** @type {Adapter} */
const dynamic = {
  name: "dynamic",
  argumentsFor: (engine) => [require.resolve("@pulumi/pulumi/cmd/dynamic-provider"), engine],
  configure: (client, config) => {
    const request = new rpc.ConfigureRequest().setArgs(Struct.fromJavaScript(config));
    return responseTo((done) => client.configure(request, done));
  },
  typeOf: (kind) => dynamicText().typeToken(kind),
  inputsOf: (kind, args) => ({ ...args, __provider: dynamicText().providerText(kind) }),
};

const adapters = [dynamic];

module.exports = { adapters, dynamic };
