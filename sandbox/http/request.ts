/** Reads and validates requests. Invalid ones are rejected with the service's errors. */
import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { HttpError } from "./httpResponse";
import { issueLines } from "../store/sandboxError";

const maxBodyBytes = 1024 * 1024;
/** A body that is too large is still read up to here, because a client that is sending doesn't read the response. */
const maxBytesRead = 16 * maxBodyBytes;
const maxDepth = 20;

export type RequestBody = Buffer | "too large";

/** Throws when the client disconnects. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  // The loop must not destroy the socket: the response needs it.
  const received: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of received) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    if (size > maxBytesRead) break;
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks) : "too large";
}

/** @throws HttpError when the body isn't JSON */
export function parseJson(contentType: string | undefined, body: RequestBody): unknown {
  if (body === "too large")
    throw new HttpError(413, `The body is larger than ${maxBodyBytes} bytes.`, {}, { connection: "close" });
  if (!/^application\/json *(;|$)/i.test(contentType ?? ""))
    throw new HttpError(415, "The body must be JSON: send Content-Type: application/json.");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new HttpError(400, "The body is not valid JSON.", { validation: { source: "payload", keys: [] } });
  }
  if (isDeeperThan(maxDepth, value))
    throw new HttpError(400, `The body is nested more than ${maxDepth} levels deep.`);
  return value;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}

/**
 * The parsed value.
 *
 * @throws HttpError that names every issue
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  source: "params" | "payload" | "query",
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const keys = result.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys : issue.path.slice(0, 1).map(String),
  );
  throw new HttpError(400, issueLines(result.error).join("; "), { validation: { source, keys } });
}

/** A query as an object. Duplicate parameters are rejected. */
export function queryValues(query: URLSearchParams): Record<string, string> {
  const names = [...query.keys()];
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw new HttpError(400, `${duplicate}: is given more than once`, {
      validation: { source: "query", keys: [duplicate] },
    });
  return Object.fromEntries(query);
}
