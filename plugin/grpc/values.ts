/** Properties on the wire: a protobuf Struct in which the engine marks secrets and outputs by objects with a fixed signature. */
import { plainObject } from "../../provider/engine/plain";
import { signatureKey } from "../../provider/engine/signatureKey";
import { unknownValue } from "../../provider/engine/unknown";
import { type Properties } from "../../provider/lifecycles/lifecycle";
import { Struct, type StructMessages } from "./grpcLibrary";

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
