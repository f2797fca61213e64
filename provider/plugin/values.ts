/** Properties on the wire: a protobuf Struct in which the engine marks secrets by an object with a fixed signature. */
import { plainObject } from "../engine/plain";
import { type Properties } from "../lifecycles/lifecycle";
import { Struct, type StructMessages } from "./grpcLibrary";

const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

export interface Wire {
  readonly values: Properties;
  /** Names of the properties that are a secret, or hold one. */
  readonly secrets: ReadonlySet<string>;
}

type StructMessage = StructMessages.Struct;

export function readStruct(struct: StructMessage | undefined): Wire {
  const secrets = new Set<string>();
  const entries = Object.entries(struct?.toJavaScript() ?? {}).map(([name, value]) => {
    const { plain, secret } = unwrap(value);
    if (secret) secrets.add(name);
    return [name, plain] as const;
  });
  return { values: Object.fromEntries(entries), secrets };
}

/** @param secrets Names of the properties to mark as secrets. */
export function writeStruct(values: Properties, secrets: ReadonlySet<string> = new Set()): StructMessage {
  const fields: Record<string, StructMessages.JavaScriptValue> = {};
  for (const [name, value] of Object.entries(plainObject(values)))
    fields[name] = secrets.has(name) ? { [signatureKey]: secretSignature, value } : (value ?? null);
  return Struct.fromJavaScript(fields);
}

function unwrap(value: unknown): { plain: unknown; secret: boolean } {
  if (Array.isArray(value)) {
    const items = value.map(unwrap);
    return { plain: items.map(({ plain }) => plain), secret: items.some(({ secret }) => secret) };
  }
  if (typeof value !== "object" || value === null) return { plain: value, secret: false };
  const fields = new Map<string, unknown>(Object.entries(value));
  if (fields.get(signatureKey) === secretSignature)
    return { plain: unwrap(fields.get("value")).plain, secret: true };
  const inner = [...fields].map(([name, field]) => [name, unwrap(field)] as const);
  return {
    plain: Object.fromEntries(inner.map(([name, { plain }]) => [name, plain])),
    secret: inner.some(([, { secret }]) => secret),
  };
}
