/** Audits the channels of the service, of a stack export or of a plan. */
import { text } from "node:stream/consumers";
import { z } from "zod";
import {
  auditAlertChannels,
  auditCheckedChannels,
  type AuditReport,
  type GivenChannel,
  isId,
  observedChannel,
  observedOutputs,
  type RuleSet,
} from "../../audit";
import { type AuditPlan, auditService } from "../../audit/sources";
import { formatOrigin, type Id, isObject } from "../../provider/api";
import { InvalidInputError, NotFoundError } from "../../provider/client";
import { formatCount, parseJson } from "../../provider/texts";
import { type Connection, Connections, createLimitListener } from "../../provider/connection";
import { isOfType, signatureKey } from "../../provider/engine";
import { readText } from "../../provider/files";
import { type CommandContext, CommandError, Progress } from "../command";
import { readStackConfig } from "../stackConfig";
import { checkPlannedChannel, parsePlan } from "./plan";

interface Request {
  readonly isOfAll: boolean;
  /** IDs and names; empty for all channels with a name. */
  readonly channels: readonly string[];
  /** Stack export that contains the channels or, in an audit of all channels, the stack's declared channels. Default: the service. */
  readonly state: string | undefined;
  /** Stack whose settings are also used. Default: only the environment variables. */
  readonly stack: string | undefined;
  /** Command that runs Pulumi to read the stack's settings. */
  readonly pulumi: string;
}

/**
 * @throws ConfigurationError if an environment variable is invalid
 * @throws CommandError if a requested channel is unknown, the service doesn't list channels, or the file isn't a stack export
 */
export async function auditChannels(
  { isOfAll, channels, state, stack, pulumi }: Request,
  rules: RuleSet,
  { environment, stderr, now }: CommandContext,
): Promise<AuditReport> {
  if (state !== undefined && !isOfAll) {
    const given = selectChannels(readState(state), state, channels, rules);
    return auditAlertChannels(given, rules, { partial: channels.length > 0, now, source: state });
  }
  const stated = state === undefined ? [] : [...readState(state)];
  const config = stack === undefined ? undefined : await readStackConfig({ stack, pulumi }, environment);
  const progress = new Progress(stderr, "Reading alert channels");
  const print = (text: string) => void stderr.write(`${text}\n`);
  const connections = new Connections(config, environment, { onRequest: createLimitListener(print), print });
  try {
    return await auditService({ isOfAll, channels }, rules, connections, ({ isEmpty, unknown, ids }) => {
      if (isEmpty)
        throw new CommandError(
          `There are no channels to audit. Set --all or --channel ID, or add channels under \`channels\` in ${rules.file ?? "the rule file"} or to ${connections.alertChannelsSetting}.`,
        );
      const connection = connections.connect();
      rejectUnknown(unknown);
      const declared = state === undefined ? [] : listAccountIds(stated, state, connection, stderr);
      progress.begin(ids.length);
      const list = () => connection.reads.listAlertChannels();
      return { connection, list, declared, now, onRead: () => progress.advance() };
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
 * @throws CommandError if the file isn't a complete plan with channels
 */
export async function auditPlan(file: string, rules: RuleSet, { now }: CommandContext): Promise<AuditReport> {
  const source = file === "-" ? "standard input" : file;
  const planned = parsePlan(parseJson(file === "-" ? await text(process.stdin) : readText(file)));
  if (planned === undefined)
    throw new CommandError(
      `${source} can't be used, because it isn't the JSON of a complete plan. Create a plan with \`terraform show -json\` or \`pulumi preview --json\``,
    );
  // Without this, an audit of no channels would pass, and could hide an error.
  if (planned.length === 0)
    throw new CommandError(
      `${source} contains no alert channels of Checkly. To include unchanged channels in a preview, add --show-sames to \`pulumi preview\`.`,
    );
  const channels = planned.flatMap((channel) => checkPlannedChannel(channel, rules));
  return auditCheckedChannels(channels, rules, { partial: true, now, source });
}

/** Returns the IDs of the stack's channels in the account, and prints how many channels belong to other accounts. */
function listAccountIds(
  stated: readonly StatedChannel[],
  file: string,
  connection: Pick<Connection, "origin">,
  stderr: CommandContext["stderr"],
): Id[] {
  const origin = formatOrigin(connection.origin);
  const declared = stated.filter((each) => (each.origin ?? origin) === origin).map(({ id }) => id);
  // The API key may belong to a different account.
  if (declared.length === 0)
    throw new CommandError(
      `${file} contains no alert channels of ${origin}. Declare AlertChannel resources in its stack, or correct the account.`,
    );
  const others = stated.length - declared.length;
  if (others > 0)
    stderr.write(`Skipped ${formatCount(others, "channel")} in ${file}, not part of ${origin}.\n`);
  return declared;
}

/** Yields the requested channels. If none are requested, yields all channels of the stack and of the rule file. */
function* selectChannels(
  stated: Iterable<StatedChannel>,
  file: string,
  requested: readonly string[],
  { channels: named }: RuleSet,
): Generator<GivenChannel> {
  const wanted = requested.map((name) => ({ name, id: isId(name) ? name : named.get(name.normalize()) }));
  const present = new Set<string>();
  const found = new Set<string>();
  for (const { channel } of stated) {
    if (channel === undefined) continue;
    present.add(String(channel.id));
    const matches = wanted.filter(({ name, id }) =>
      id === undefined ? channel.name === name : String(channel.id) === String(id),
    );
    for (const { name } of matches) found.add(name);
    if (wanted.length === 0 || matches.length > 0) yield channel;
  }
  // Without this, an audit of no channels would pass, and could hide an error.
  if (present.size === 0)
    throw new CommandError(
      `${file} contains no alert channels. Declare AlertChannel resources in its stack.`,
    );
  const reason = `is neither the ID nor the name of a channel in ${file}`;
  rejectUnknown(requested.filter((one) => !found.has(one)).map((one) => ({ requested: one, reason })));
  if (requested.length > 0) return;
  // Channels that are missing from the file are reported as not evaluable, because the audit would pass without them.
  for (const id of new Set([...named.values()].map(String)))
    if (!present.has(id))
      yield { id, reason: `the channel isn't in ${file}. Declare an AlertChannel resource for the channel` };
}

/** @throws CommandError that lists all unknown channels, if any */
function rejectUnknown(unknown: AuditPlan["unknown"]): void {
  const lines = unknown.map(({ requested, reason }) => `--channel ${JSON.stringify(requested)} ${reason}.`);
  if (lines.length > 0) throw new CommandError(lines.join("\n"));
}

const stackExport = z.object({ deployment: z.object({ resources: z.array(z.unknown()).min(1) }) });

/** Schema of a resource. Fields with an unexpected type are treated as missing, so that no channel is skipped because of them. */
const resource = z.object({
  urn: z.string().catch("::an unknown channel"),
  type: z.string(),
  id: z
    .union([z.string(), z.number().transform(String)])
    .optional()
    .catch(undefined),
  /** Set for a replaced resource that is pending deletion. */
  delete: z.boolean().optional().catch(undefined),
  outputs: z.unknown().optional(),
});

interface StatedChannel extends Pick<GivenChannel, "id" | "origin"> {
  /** Missing for a resource of another package, such as the vendor's provider, because its settings aren't read. */
  readonly channel?: GivenChannel;
}

/**
 * Yields each channel separately, so that memory doesn't hold several copies of all channels.
 *
 * @throws FileError if the file can't be read, CommandError if it isn't a stack export
 */
function* readState(file: string): Generator<StatedChannel> {
  const { data } = stackExport.safeParse(parseJson(readText(file)));
  if (data === undefined) {
    throw new CommandError(
      `${file} can't be used, because it isn't a complete stack export or the stack is empty. Create an export with \`pulumi stack export --file FILE\``,
    );
  }
  const resources = data.deployment.resources.reverse();
  while (resources.length > 0) yield* parseStatedChannels(resources.pop());
}

function parseStatedChannels(candidate: unknown): StatedChannel[] {
  if (!isObject(candidate) || typeof candidate.type !== "string") return [];
  if (!candidate.type.endsWith(":AlertChannel")) return [];
  const record = resource.parse(candidate);
  const { type, id } = record;
  if (record.delete) return [];
  if (!isOfType(type, "AlertChannel")) return id === undefined ? [] : [{ id }];
  const channel = toGivenChannel(record);
  return [{ id: channel.id, origin: channel.origin, channel }];
}

function toGivenChannel({ urn, id, outputs }: z.output<typeof resource>): GivenChannel {
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  const secrets = observedOutputs.filter((output) => {
    const value = isObject(outputs) ? outputs[output] : undefined;
    return isObject(value) && signatureKey in value;
  });
  if (secrets.length === 0) return observedChannel(name, outputs, id);
  const reason = `these outputs are secret in the stack: ${secrets.join(", ")}. Audit the channel without --state`;
  return { id: id ?? name, name, reason };
}
