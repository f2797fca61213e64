import { z } from "zod";

/** Invalid input to the sandbox: an option, a data file, a port. The message says what to fix. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}

const maxIssues = 10;

/** One line for each issue, such as `accounts[0].name: …`; of very many, the first ten. */
export function issueLines({ issues }: z.core.$ZodError): string[] {
  const lines = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`,
  );
  return lines.length <= maxIssues
    ? lines
    : [...lines.slice(0, maxIssues), `and ${lines.length - maxIssues} more`];
}

/**
 * The parsed value.
 *
 * @throws SandboxError that lists every issue below `heading`
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  heading: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new SandboxError([`${heading}:`, ...issueLines(result.error)].join("\n  "));
}
