/** What `monitoring <name>` runs. */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` prints. */
  usage: string;
  /** Resolves to the exit code. May throw what `parseArgs` throws, or a `UsageError`. */
  run(args: string[]): Promise<number>;
}

/** A mistake in the command line: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
