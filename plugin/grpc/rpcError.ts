/** Errors as the engine is to get them from a plugin: a message for the user, and nothing else. */
import type { ServiceError, StatusObject } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { messageOf, type PartialFailureError } from "../../provider/engine/partialFailure";
import { Any, grpc } from "./grpcLibrary";
import { writeStruct } from "./values";

/** A partial failure, and which of the remembered outputs are secrets. */
export class FailureWithSecrets {
  constructor(
    readonly failure: PartialFailureError,
    readonly secrets: ReadonlySet<string> | undefined,
  ) {}
}

export function rpcError(error: unknown): Partial<ServiceError & StatusObject> {
  const code = grpc.status.UNKNOWN;
  if (!(error instanceof FailureWithSecrets)) return { code, message: messageOf(error) };
  const { failure, secrets } = error;
  return { code, message: messageOf(failure), metadata: initFailed(failure, secrets) };
}

/** With this, the engine records the resource although the run fails, and calls `update` in the next one. */
function initFailed({ message, remembered }: PartialFailureError, secrets?: ReadonlySet<string>) {
  const failure = new ErrorResourceInitFailed()
    .setId(remembered.id)
    .setProperties(writeStruct(remembered.outputs, secrets))
    .setReasonsList([message]);
  const detail = new Any();
  detail.pack(failure.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status().setCode(grpc.status.UNKNOWN).setMessage(message).setDetailsList([detail]);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return metadata;
}
