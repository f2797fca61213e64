/** What a provider process answers when a verb fails. */
const { ErrorResourceInitFailed } = require("@pulumi/pulumi/proto/provider_pb");
const { Status } = require("@pulumi/pulumi/proto/status_pb");

/** The run fails, and yet the stack is to remember this much. */
class Unfinished extends Error {
  /**
   * @param {string} message
   * @param {string} id
   * @param {Record<string, unknown>} outputs
   */
  constructor(message, id, outputs) {
    super(message);
    this.id = id;
    this.outputs = outputs;
  }
}

/**
 * @param {import("@grpc/grpc-js").ServiceError} error
 * @returns {Error}
 */
function failureOf(error) {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  if (!(packed instanceof Buffer)) return new Error(error.details);
  const [detail] = Status.deserializeBinary(packed).getDetailsList();
  const failed = detail?.unpack(
    (bytes) => ErrorResourceInitFailed.deserializeBinary(bytes),
    "pulumirpc.ErrorResourceInitFailed",
  );
  if (!failed) return new Error(error.details);
  return new Unfinished(error.details, failed.getId(), failed.getProperties()?.toJavaScript() ?? {});
}

module.exports = { Unfinished, failureOf };
