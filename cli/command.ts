/** A subcommand of `monitoring`. */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` prints. */
  usage: string;
  /** Resolves to the exit code. May throw a `UsageError` or an error of `parseArgs`. */
  run(args: string[]): Promise<number>;
}

/** Invalid command-line arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
