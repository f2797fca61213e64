/**
 * Lists the subcommands of `monitoring`. Each one loads its implementation on demand, so that the help and the other commands don't load
 * zod and axios.
 */
import { FileError } from "../provider/files";
import {
  type Arguments,
  type CommandContext,
  CommandError,
  type Definition,
  formatHelp,
  parse,
} from "./command";
import * as definitions from "./definitions";
import { exitCodes } from "./exitCodes";

export interface Subcommand {
  readonly summary: string;
  /** Output of `--help`. */
  readonly help: string;
  readonly page: readonly string[];
  /** Resolves to the exit code. @throws UsageError for invalid arguments */
  run(args: readonly string[], context: CommandContext): Promise<number>;
}

type Runner<Defined extends Definition> = (
  args: Arguments<Defined>,
  context: CommandContext,
) => Promise<number>;

function createSubcommand<Defined extends Definition>(
  definition: Defined,
  load: () => Promise<Runner<Defined>>,
): Subcommand {
  return {
    summary: definition.summary,
    help: formatHelp(definition),
    page: definition.page,
    async run(args, context) {
      const parsed = parse(definition, args);
      const runner = await load();
      try {
        return await runner(parsed, context);
      } catch (error) {
        // Only the message is printed, because it contains all that a user needs.
        if (!(error instanceof CommandError || error instanceof FileError)) throw error;
        context.stderr.write(`${error.message}\n`);
        return exitCodes.invalid;
      }
    },
  };
}

const { audit, preview, comment, adopt, doctor, sandbox } = definitions;

/** All subcommands, in the order of the help. */
export const commands = {
  audit: createSubcommand(audit, async () => (await import("./audit")).runAudit),
  preview: createSubcommand(preview, async () => (await import("./preview")).runPreview),
  comment: createSubcommand(comment, async () => (await import("./comment")).runComment),
  adopt: createSubcommand(adopt, async () => (await import("./adopt")).runAdopt),
  doctor: createSubcommand(doctor, async () => (await import("./doctor")).runDoctor),
  sandbox: createSubcommand(sandbox, async () => (await import("./sandbox")).runSandbox),
};
