/** Makes calls to a provider process over gRPC, and converts its failures to errors. */
const { ErrorResourceInitFailed } = require("@pulumi/pulumi/proto/provider_pb");
const { Status } = require("@pulumi/pulumi/proto/status_pb");

/** The operation failed, but the engine records the resource anyway. */
class PartialFailure extends Error {
  /** @param {string} message @param {string} id @param {Record<string, unknown>} outputs */
  constructor(message, id, outputs) {
    super(message);
    this.id = id;
    this.outputs = outputs;
  }
}

/** The timeout for a call that never ends. Every other call is much faster. */
const longestMs = 600_000;

/**
 * @template Response
 * @param {(done: (error: import("@grpc/grpc-js").ServiceError | null, response: Response) => void) => void} request
 * @returns {Promise<Response>}
 */
function respond(request) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("The provider process does not respond.")), longestMs);
    request((error, response) => {
      clearTimeout(late);
      if (error) reject(toError(error));
      else resolve(response);
    });
  });
}

/** @param {import("@grpc/grpc-js").ServiceError} error @returns {Error} */
function toError(error) {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  if (!(packed instanceof Buffer)) return new Error(error.details);
  const [detail] = Status.deserializeBinary(packed).getDetailsList();
  const failed = detail?.unpack(
    (bytes) => ErrorResourceInitFailed.deserializeBinary(bytes),
    "pulumirpc.ErrorResourceInitFailed",
  );
  if (!failed) return new Error(error.details);
  return new PartialFailure(error.details, failed.getId(), failed.getProperties()?.toJavaScript() ?? {});
}

module.exports = { PartialFailure, respond };
