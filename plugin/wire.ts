/** gRPC, and what goes over it: properties, secrets, errors. */
import { type ServiceError, type StatusObject } from "@grpc/grpc-js";
import { Any, grpc, Struct, type StructMessages } from "./grpcLibrary";
import { plainObject, signatureKey, unknownValue } from "../provider/engine";
import { type Lifecycle, type Properties, messageOf, type PartialFailureError } from "../provider/lifecycles";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";

// Properties on the wire: a protobuf Struct in which the engine marks secrets and outputs by objects with a fixed signature.

const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
/** Only components get outputs. */
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

export interface Wire {
  readonly values: Properties;
  /** Names of the properties that are a secret, or hold one. */
  readonly secrets: ReadonlySet<string>;
}

type StructMessage = StructMessages.Struct;

export function readStruct(struct: StructMessage | undefined): Wire {
  return readProperties(struct?.toJavaScript() ?? {});
}

/** The objects of a list, each with its secrets: all of it when the list is a secret. Undefined when it isn't such a list. */
export function readObjects(struct: StructMessage | undefined, name: string): Wire[] | undefined {
  const list = opened(struct?.toJavaScript()[name]);
  if (!Array.isArray(list.value)) return undefined;
  const items = list.value.map(opened);
  const objects = items.flatMap(({ value, secret }) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    const properties = readProperties(value);
    return list.secret || secret
      ? { ...properties, secrets: new Set(Object.keys(properties.values)) }
      : properties;
  });
  return objects.length === items.length ? objects : undefined;
}

/** @param secrets Names of the properties to mark as secrets. */
export function writeStruct(values: Properties, secrets: ReadonlySet<string> = new Set()): StructMessage {
  const fields: Record<string, StructMessages.JavaScriptValue> = {};
  for (const [name, value] of Object.entries(plainObject(values)))
    fields[name] = secrets.has(name) ? { [signatureKey]: secretSignature, value } : (value ?? null);
  return Struct.fromJavaScript(fields);
}

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
  const { value, secret } = opened(wrapped);
  if (Array.isArray(value)) {
    const items = value.map(unwrap);
    return { plain: items.map(({ plain }) => plain), secret: secret || items.some((item) => item.secret) };
  }
  if (typeof value !== "object" || value === null) return { plain: value, secret };
  const inner = readProperties(value);
  return { plain: inner.values, secret: secret || inner.secrets.size > 0 };
}

/** The value without the objects that mark it; values inside it keep theirs. */
function opened(value: unknown): { value: unknown; secret: boolean } {
  if (typeof value !== "object" || value === null) return { value, secret: false };
  const fields = new Map<string, unknown>(Object.entries(value));
  const signature = fields.get(signatureKey);
  if (signature !== secretSignature && signature !== outputSignature) return { value, secret: false };
  const inner = opened(fields.has("value") ? fields.get("value") : unknownValue);
  return {
    value: inner.value,
    secret: inner.secret || signature === secretSignature || fields.get("secret") === true,
  };
}

// What a lifecycle says about the outputs that go to the engine.

/** The names of the outputs that are secrets. */
export function secretOutputsOf(lifecycle: Lifecycle, { secrets }: Wire): ReadonlySet<string> {
  return new Set([...secrets, ...lifecycle.secretOutputs(secrets)]);
}

/** The outputs that only an `up` knows. */
export function unknownOutputs({ computed }: Lifecycle): Properties {
  return Object.fromEntries(computed.map((name) => [name, unknownValue]));
}

// Errors as the engine is to get them from a plugin: a message for the user, and nothing else.

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
