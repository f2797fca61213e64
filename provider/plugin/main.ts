/**
 * The process of the native plugin: it prints its port, serves the engine, and ends with it. Nothing else may ever
 * reach stdout.
 */
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { endWithEngine, engineEndpoint } from "../engine/engineProcess";
import { grpc } from "./grpcLibrary";
import { PluginProvider } from "./pluginProvider";

const provider = new PluginProvider(engineEndpoint());
const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
server.addService(ResourceProviderService, { ...provider });

server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) {
    process.stderr.write(`pulumi-resource-monitoring can't listen on 127.0.0.1: ${error.message}\n`);
    process.exit(1);
  }
  process.stdout.write(`${port}\n`);
});

endWithEngine();
// Ctrl-C in a terminal reaches this process, too. The engine decides how the run ends.
process.on("SIGINT", () => provider.cancelRun());
process.on("SIGTERM", () => provider.cancelRun());
