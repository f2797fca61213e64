/**
 * Runs the process of the native plugin: prints its port, serves the engine, and exits with the engine. Nothing except the port may be
 * written to stdout.
 */
import { writeSync } from "node:fs";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { exitWithEngine, getEngineEndpoint, printNotice } from "../provider/engine";
import { grpc } from "./grpcLibrary";
import { PluginProvider } from "./pluginProvider";

/** Time limit of the shutdown, in case the engine doesn't close a connection. */
const longestEndMs = 1_000;

const provider = new PluginProvider(getEngineEndpoint());
const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
server.addService(ResourceProviderService, provider.handlers);

server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) {
    printNotice(`pulumi-resource-monitoring can't listen on 127.0.0.1: ${error.message}`);
    process.exit(1);
  }
  writeSync(1, `${port}\n`);
});

exitWithEngine();
// The engine stops its plugins with these signals (SIGBREAK on Windows), and kills plugins that are still running five seconds later.
process.once("SIGINT", end).once("SIGTERM", end).once("SIGBREAK", end);

/** Cancels calls that are in progress. The engine still receives their results. */
function end(): void {
  if (!provider.isBusy) process.exit();
  provider.cancelRun();
  server.tryShutdown(() => process.exit());
  setTimeout(() => process.exit(), longestEndMs).unref();
}
