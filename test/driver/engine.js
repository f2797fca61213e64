/** The engine as a provider process meets it: it takes connections for as long as it lives, and log messages. */
const grpc = require("@grpc/grpc-js");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
const { EngineService } = require("@pulumi/pulumi/proto/engine_grpc_pb");
const { LogSeverity } = require("@pulumi/pulumi/proto/engine_pb");

class Engine {
  /** Messages that providers logged. */
  messages = "";
  isAlive = true;
  #server = new grpc.Server();

  static async start() {
    const engine = new Engine();
    engine.#server.addService(EngineService, {
      /** @type {grpc.handleUnaryCall<import("@pulumi/pulumi/proto/engine_pb").LogRequest, Empty>} */
      log: (call, respond) => {
        const prefix = call.request.getSeverity() === LogSeverity.WARNING ? "warning: " : "";
        engine.messages += `${prefix}${call.request.getMessage()}\n`;
        respond(null, new Empty());
      },
    });
    const credentials = grpc.ServerCredentials.createInsecure();
    /** @type {number} */
    const port = await new Promise((resolve, reject) => {
      engine.#server.bindAsync("127.0.0.1:0", credentials, (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    return { engine, address: `127.0.0.1:${port}` };
  }

  end() {
    this.isAlive = false;
    this.#server.forceShutdown();
  }
}

exports.Engine = Engine;
