import { z } from "zod";

/** A response body: what its JSON holds, or its text when it isn't JSON. */
export type Body = JsonBody | { readonly text: string };

export interface JsonBody {
  readonly json: unknown;
  /** Number of characters of its text. */
  readonly size: number;
}

export function isJson(body: Body): body is JsonBody {
  return "json" in body;
}

export function parseBody(text: string): Body {
  try {
    const json: unknown = mayHoldProto(text) ? JSON.parse(text, withoutProto) : JSON.parse(text);
    return { json, size: text.length };
  } catch {
    return { text };
  }
}

/** The key as it is, or with escaped letters. Searched for twice, because a regular expression takes much longer. */
function mayHoldProto(text: string): boolean {
  // Stryker disable next-line ConditionalExpression,StringLiteral: it only saves time
  return text.includes("__proto__") || text.includes("\\u00");
}

/** Copying a key `__proto__` would change the prototype of the copy. */
function withoutProto(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

const textIfAny = z.string().optional().catch(undefined);
const failure = z.object({ message: textIfAny, error: textIfAny });

/**
 * The message in the body of a failure; empty when there is none. Five shapes are known:
 * `{statusCode, error, message?, …}`, `{error}`, `{message, errorCode}`, a bare JSON string, and the HTML page of
 * a proxy in front.
 */
export function serviceMessage(body: Body): string {
  if (!isJson(body)) return /^\s*</.test(body.text) ? "an HTML page, perhaps of a proxy in front" : "";
  if (typeof body.json === "string") return body.json;
  const parsed = failure.safeParse(body.json).data;
  return parsed?.message || parsed?.error || "";
}
