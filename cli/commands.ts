/** Lists the subcommands of `monitoring`. Each loads what it runs on demand: the others, and the help, need neither zod nor axios. */
import { type Arguments, type CommandContext, type Definition, helpOf, parse } from "./command";
import * as definitions from "./definitions";

export interface Subcommand {
  readonly summary: string;
  /** The text that `--help` prints. */
  readonly help: string;
  /** Resolves to the exit code. @throws UsageError for invalid arguments */
  run(args: readonly string[], context: CommandContext): Promise<number>;
}

type Runner<Defined extends Definition> = (
  args: Arguments<Defined>,
  context: CommandContext,
) => Promise<number>;

function subcommand<Defined extends Definition>(
  definition: Defined,
  load: () => Promise<Runner<Defined>>,
): Subcommand {
  return {
    summary: definition.summary,
    help: helpOf(definition),
    async run(args, context) {
      const parsed = parse(definition, args);
      return (await load())(parsed, context);
    },
  };
}

const { audit, preview, comment, adopt, doctor, sandbox } = definitions;

/** All subcommands, in the order of the help. */
export const commands = {
  audit: subcommand(audit, async () => (await import("./audit")).runAudit),
  preview: subcommand(preview, async () => (await import("./preview")).runPreview),
  comment: subcommand(comment, async () => (await import("./comment")).runComment),
  adopt: subcommand(adopt, async () => (await import("./adopt")).runAdopt),
  doctor: subcommand(doctor, async () => (await import("./doctor")).runDoctor),
  sandbox: subcommand(sandbox, async () => (await import("./sandbox")).runSandbox),
};
