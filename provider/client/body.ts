import { z } from "zod";

/** What an answer's body holds. */
export interface Body {
  readonly text: string;
  /** Missing when the text isn't JSON. */
  readonly json?: unknown;
}

/** A body that is JSON, be it `null`. */
export type JsonBody = Required<Body>;

export function isJson(body: Body): body is JsonBody {
  return "json" in body;
}

export function readBody(text: string): Body {
  try {
    const json: unknown = mayHoldProto.test(text) ? JSON.parse(text, withoutProto) : JSON.parse(text);
    return { text, json };
  } catch {
    return { text };
  }
}

/** The key as it is, or with letters that are escaped. */
const mayHoldProto = /__proto__|\\u00/;

/** Copying a key `__proto__` would change what the copy inherits. */
function withoutProto(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

const textIfAny = z.string().optional().catch(undefined);
const failure = z.object({ message: textIfAny, error: textIfAny });

/**
 * What the service says in the body of a failure; empty when it says nothing. Five shapes are known:
 * `{statusCode, error, message?, …}`, `{error}`, `{message, errorCode}`, a bare JSON string, and the HTML page of
 * a proxy in front.
 */
export function serviceMessage(body: Body): string {
  if (!isJson(body)) return /^\s*</.test(body.text) ? "an HTML page, perhaps of a proxy in front" : "";
  if (typeof body.json === "string") return body.json;
  const said = failure.safeParse(body.json).data;
  return said?.message || said?.error || "";
}
