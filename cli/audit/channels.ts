/** Audits the channels of the service or of a plan. */
import { buffer } from "node:stream/consumers";
import { auditCheckedChannels, type AuditReport, type RuleSet } from "../../audit";
import { type AuditPlan, auditService } from "../../audit/sources";
import { InvalidInputError, NotFoundError } from "../../provider/client";
import { Connections, createLimitListener } from "../../provider/connection";
import { readText } from "../../provider/files";
import { type CommandContext, CommandError, Progress } from "../command";
import { readStackConfig } from "../stackConfig";
import { checkPlannedChannel, parsePlan } from "./plan";

interface Request {
  readonly isOfAll: boolean;
  /** IDs and names; empty for all channels with a name. */
  readonly channels: readonly string[];
  /** Stack whose settings are also used. Default: only the environment variables. */
  readonly stack: string | undefined;
  /** Command that runs Pulumi to read the stack's settings. */
  readonly pulumi: string;
}

/**
 * @throws ConfigurationError if an environment variable is invalid
 * @throws CommandError if a requested channel is unknown or the service doesn't list channels
 */
export async function auditChannels(
  { isOfAll, channels, stack, pulumi }: Request,
  rules: RuleSet,
  { environment, stderr, now }: CommandContext,
): Promise<AuditReport> {
  const config = stack === undefined ? undefined : await readStackConfig({ stack, pulumi }, environment);
  const progress = new Progress(stderr, "Reading alert channels");
  const print = (text: string) => void stderr.write(`${text}\n`);
  const connections = new Connections(config?.get, environment, {
    onRequest: createLimitListener(print),
    print,
  });
  try {
    return await auditService({ isOfAll, channels }, rules, connections, ({ isEmpty, unknown, ids }) => {
      if (isEmpty)
        throw new CommandError(
          `There are no channels to audit. Set --all or --channel ID, or add channels under \`channels\` in ${rules.file ?? "the rule file"} or to ${connections.alertChannelsSetting}.`,
        );
      const connection = connections.connect();
      rejectUnknown(unknown);
      progress.begin(ids.length);
      const list = () => connection.reads.listAlertChannels();
      return { connection, list, now, onRead: () => progress.advance() };
    });
  } catch (error) {
    // The command audits only the default account.
    if (error instanceof InvalidInputError)
      throw new CommandError(`${error.message} Set MONITORING_API_KEY to the key of the account to audit.`);
    if (error instanceof NotFoundError) throw new CommandError(error.message);
    throw error;
  } finally {
    progress.end();
  }
}

/**
 * Audits the channels in a plan. They may not exist on the service yet.
 *
 * @param file `-` for standard input
 * @throws FileError if the file can't be read
 * @throws CommandError if the file isn't a complete plan with channels
 */
export async function auditPlan(file: string, rules: RuleSet, { now }: CommandContext): Promise<AuditReport> {
  const source = file === "-" ? "standard input" : file;
  const plan = parsePlan(readText(source, file === "-" ? await buffer(process.stdin) : undefined));
  if ("problem" in plan)
    throw new CommandError(
      `${source} can't be used, because ${plan.problem}. Create a plan with \`terraform show -json\` or \`pulumi preview --json\``,
    );
  // Without this, an audit of no channels would pass, and could hide an error.
  if (plan.channels.length === 0)
    throw new CommandError(
      `${source} contains no alert channels of Checkly. To include unchanged channels in a preview, add --show-sames to \`pulumi preview\`.`,
    );
  const { channels, incompleteness } = plan;
  const options = { partial: true, now, source, incompleteness };
  return auditCheckedChannels(channels.flatMap(checkPlannedChannel), rules, options);
}

/** @throws CommandError that lists all unknown channels, if any */
function rejectUnknown(unknown: AuditPlan["unknown"]): void {
  const lines = unknown.map(({ requested, reason }) => `--channel ${JSON.stringify(requested)} ${reason}.`);
  if (lines.length > 0) throw new CommandError(lines.join("\n"));
}
