import { getSystemErrorMap, types } from "node:util";
import { z } from "zod";

/** A mistake in what a person gave the sandbox: an option, a data file, a port. The message is all they need. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}

const mostShown = 10;

/** One line per mistake, such as `accounts[0].name: …`; of very many, the first ten. */
export function mistakes({ issues }: z.core.$ZodError): string[] {
  const lines = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`,
  );
  return lines.length <= mostShown
    ? lines
    : [...lines.slice(0, mostShown), `and ${lines.length - mostShown} more`];
}

/** The value in its checked form, or a `SandboxError` that lists under `complaint` what is wrong. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  complaint: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new SandboxError([`${complaint}:`, ...mistakes(result.error)].join("\n  "));
}

/** Why something failed, in the words of the operating system where it was that which failed. */
export function reasonOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  const errno = "errno" in error && typeof error.errno === "number" ? error.errno : undefined;
  const systemWords = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return systemWords ?? error.message;
}
