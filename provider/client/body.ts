import { z } from "zod";

/** What an answer's body holds: JSON, or a text that isn't JSON. */
export type Body = { readonly json: unknown } | { readonly text: string };

export function readBody(text: string): Body {
  try {
    return { json: text.includes("__proto__") ? JSON.parse(text, withoutProto) : JSON.parse(text) };
  } catch {
    return { text };
  }
}

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
  if ("text" in body) return /^\s*</.test(body.text) ? "an HTML page, perhaps of a proxy in front" : "";
  if (typeof body.json === "string") return body.json;
  const said = failure.safeParse(body.json).data;
  return said?.message || said?.error || "";
}
