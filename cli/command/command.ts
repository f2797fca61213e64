/** An output stream of a command. */
export type Stream = NodeJS.WritableStream & {
  /** Whether it is a terminal. */
  readonly isTTY?: boolean;
};

/** A subcommand of `monitoring`. */
export interface Subcommand {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` prints. */
  usage: string;
  /** Resolves to the exit code. May throw a `UsageError` or an error of `parseArgs`. */
  run(args: string[]): Promise<number>;
}

/** The process of a command, or its substitute in a test. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly now: Date;
}

/** Invalid command-line arguments: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
