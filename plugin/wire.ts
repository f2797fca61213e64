/**
 * Converts between the values of this package and gRPC messages. Properties are a protobuf Struct, in which the engine marks secrets and
 * outputs by wrapping them in objects with a fixed signature. An error contains only a message for the user.
 */
import { type ServiceError, type StatusObject } from "@grpc/grpc-js";
import { CheckFailure, DiffResponse, ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { type Problem } from "../provider/texts";
import { toPlainObject, signatureKey, unknownValue } from "../provider/engine";
import { type Properties } from "../provider/lifecycles";
import { recordMessage } from "../provider/previewFacts";
import { type Failure, getErrorMessage } from "../provider/run";
import { Any, grpc, Struct, type StructMessages } from "./grpcLibrary";

export interface Wire {
  readonly values: Properties;
  /** Names of the properties that are or contain a secret. */
  readonly secrets: ReadonlySet<string>;
}

type StructMessage = StructMessages.Struct;

export function readStruct(struct: StructMessage | undefined): Wire {
  return readProperties(struct?.toJavaScript() ?? {});
}

/** Returns the objects in a list, each with its secrets. In a secret list, all fields are secrets. Undefined for any other value. */
export function readObjects(struct: StructMessage | undefined, name: string): Wire[] | undefined {
  const list = unwrapMarks(struct?.toJavaScript()[name]);
  if (!Array.isArray(list.value)) return undefined;
  const items = list.value.map(unwrapMarks);
  const objects = items.flatMap(({ value, secret }) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    const properties = readProperties(value);
    return list.secret || secret
      ? { ...properties, secrets: new Set(Object.keys(properties.values)) }
      : properties;
  });
  return objects.length === items.length ? objects : undefined;
}

/** Returns the values as a Struct. @param secrets Names of the properties to mark as secrets. */
export function writeStruct(values: Properties, secrets: ReadonlySet<string> = new Set()): StructMessage {
  const fields: Record<string, StructMessages.JavaScriptValue> = {};
  for (const [name, value] of Object.entries(toPlainObject(values)))
    fields[name] = secrets.has(name) ? { [signatureKey]: secretSignature, value } : (value ?? null);
  return Struct.fromJavaScript(fields);
}

export function createCheckFailure({ property, reason }: Problem): CheckFailure {
  return new CheckFailure().setProperty(property).setReason(reason);
}

export function createDiffResponse(changes: boolean): DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  return new DiffResponse().setChanges(changes ? DIFF_SOME : DIFF_NONE);
}

/** Error for a call that failed. Its message was already recorded. */
export class AnsweredFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.text);
  }
}

export function toRpcError(error: unknown): Partial<ServiceError & StatusObject> {
  const isAnswer = error instanceof AnsweredFailure;
  const message = isAnswer ? error.message : getErrorMessage(error);
  if (!isAnswer) recordMessage(message);
  const status = { code: grpc.status.UNKNOWN, message };
  return isAnswer && error.failure.stateToRecord
    ? { ...status, metadata: createInitFailedMetadata(message, error.failure.stateToRecord) }
    : status;
}

/** Makes the engine record the resource although the call fails, and call `update` in the next run. */
function createInitFailedMetadata(
  message: string,
  { id, outputs, secrets }: NonNullable<Failure["stateToRecord"]>,
) {
  const failure = new ErrorResourceInitFailed()
    .setId(id)
    .setProperties(writeStruct(outputs, secrets))
    .setReasonsList([message]);
  const detail = new Any();
  detail.pack(failure.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status().setCode(grpc.status.UNKNOWN).setMessage(message).setDetailsList([detail]);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return metadata;
}

const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
/** Signature that marks outputs. Only components receive outputs. */
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

function readProperties(raw: object): Wire {
  const secrets = new Set<string>();
  const entries = Object.entries(raw).map(([name, value]) => {
    const { plain, secret } = unwrap(value);
    if (secret) secrets.add(name);
    return [name, plain] as const;
  });
  return { values: Object.fromEntries(entries), secrets };
}

function unwrap(wrapped: unknown): { plain: unknown; secret: boolean } {
  const { value, secret } = unwrapMarks(wrapped);
  if (Array.isArray(value)) {
    const items = value.map(unwrap);
    return { plain: items.map(({ plain }) => plain), secret: secret || items.some((item) => item.secret) };
  }
  if (typeof value !== "object" || value === null) return { plain: value, secret };
  const inner = readProperties(value);
  return { plain: inner.values, secret: secret || inner.secrets.size > 0 };
}

/** Removes the wrappers of a secret or an output from a value. Values inside the value keep their wrappers. */
function unwrapMarks(value: unknown): { value: unknown; secret: boolean } {
  if (typeof value !== "object" || value === null) return { value, secret: false };
  const fields = new Map<string, unknown>(Object.entries(value));
  const signature = fields.get(signatureKey);
  if (signature !== secretSignature && signature !== outputSignature) return { value, secret: false };
  const inner = unwrapMarks(fields.has("value") ? fields.get("value") : unknownValue);
  return {
    value: inner.value,
    secret: inner.secret || signature === secretSignature || fields.get("secret") === true,
  };
}
