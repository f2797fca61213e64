/** Reading and checking what a request brings; what is wrong with it is refused as the service refuses it. */
import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { Refusal } from "./answers";
import { mistakes } from "./errors";

const mostBodyBytes = 1024 * 1024;
/** A body that is too large is read on so far, because a client that is still sending reads no answer. */
const mostBytesRead = 16 * mostBodyBytes;
const mostLevels = 20;

export type Body = Buffer | "too large";

/** Throws when the client goes away. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  // The socket must outlive the loop: the answer goes over it.
  const sent: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of sent) {
    size += chunk.length;
    if (size <= mostBodyBytes) chunks.push(chunk);
    if (size > mostBytesRead) break;
  }
  return size <= mostBodyBytes ? Buffer.concat(chunks) : "too large";
}

/** The JSON of a body, or a `Refusal`. */
export function parseJson(contentType: string | undefined, body: Body): unknown {
  if (body === "too large")
    throw new Refusal(413, `The body is larger than ${mostBodyBytes} bytes.`, {}, { connection: "close" });
  if (!/^application\/json *(;|$)/i.test(contentType ?? ""))
    throw new Refusal(415, "The body must be JSON: send Content-Type: application/json.");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refusal(400, "The body is not valid JSON.", { validation: { source: "payload", keys: [] } });
  }
  if (isDeeperThan(mostLevels, value))
    throw new Refusal(400, `The body is nested more than ${mostLevels} levels deep.`);
  return value;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}

/** The value in its checked form, or a `Refusal` that names every mistake. */
export function accept<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  source: "payload" | "query",
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const keys = result.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys : issue.path.slice(0, 1).map(String),
  );
  throw new Refusal(400, mistakes(result.error).join("; "), { validation: { source, keys } });
}

/** A query as an object; a parameter that is given twice is refused. */
export function valuesOf(query: URLSearchParams): Record<string, string> {
  const names = [...query.keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new Refusal(400, `${twice}: is given more than once`, {
      validation: { source: "query", keys: [twice] },
    });
  return Object.fromEntries(query);
}
