/** Audits the channels of the service, or those in the export of a stack. */
import { z } from "zod";
import {
  auditAlertChannels,
  auditJudged,
  type AuditReport,
  type GivenChannel,
  isId,
  judgeRead,
  observedChannel,
  observedOutputs,
  type RuleSet,
} from "../../audit";
import { type AuditPlan, auditService } from "../../audit/sources";
import { alertChannelList, formatOrigin, type Id, isObject } from "../../provider/api";
import { NotFoundError } from "../../provider/client";
import { amount, jsonIn } from "../../provider/texts";
import { type Connection, Connections, tellLimit } from "../../provider/connection";
import { isOfType, signatureKey } from "../../provider/engine";
import { readText } from "../../provider/files";
import { type CommandContext, CommandError, Progress } from "../command";
import { readStackConfig } from "../stackConfig";

interface Request {
  readonly isOfAll: boolean;
  /** Ids and names; empty for all channels with a name. */
  readonly channels: readonly string[];
  /** The stack export that has the channels or, of all channels, those that the stack declares. Default: the service. */
  readonly state: string | undefined;
  /** The stack whose settings count too. Default: the environment variables alone. */
  readonly stack: string | undefined;
  /** The command that reads them. */
  readonly pulumi: string;
}

/**
 * @throws ConfigurationError when an environment variable is invalid
 * @throws CommandError when a requested channel is unknown, the service doesn't list channels, or the file isn't a stack export
 */
export async function auditChannels(
  { isOfAll, channels, state, stack, pulumi }: Request,
  rules: RuleSet,
  { environment, stderr, now }: CommandContext,
): Promise<AuditReport> {
  if (state !== undefined && !isOfAll) {
    const given = channelsOfState(readState(state), state, channels, rules);
    return auditAlertChannels(given, rules, { partial: channels.length > 0, now, source: state });
  }
  const stated = state === undefined ? [] : [...readState(state)];
  const config = stack === undefined ? undefined : await readStackConfig({ stack, pulumi }, environment);
  const progress = new Progress(stderr, "Reading alert channels");
  const print = (text: string) => void stderr.write(`${text}\n`);
  const connections = new Connections(config, environment, { onRequest: tellLimit(print), print });
  try {
    return await auditService({ isOfAll, channels }, rules, connections, ({ isEmpty, unknown, ids }) => {
      if (isEmpty)
        throw new CommandError(
          `There are no channels to audit. Set --all or --channel ID, or add channels under \`channels\` in ${rules.file ?? "the rule file"} or to ${connections.alertChannelsSetting}.`,
        );
      const connection = connections.connect();
      rejectUnknown(unknown);
      const declared = state === undefined ? [] : idsInAccount(stated, state, connection, stderr);
      progress.begin(ids.length);
      const list = () => connection.reads.listAlertChannels();
      return { connection, list, declared, now, onRead: () => progress.advance() };
    });
  } catch (error) {
    if (error instanceof NotFoundError) throw new CommandError(error.message);
    throw error;
  } finally {
    progress.end();
  }
}

/** Audits the channels in a file, which may not exist yet. @throws CommandError when it isn't a list of channels */
export function auditFile(file: string, rules: RuleSet, { now }: CommandContext): AuditReport {
  const { data: entries } = givenList.safeParse(jsonIn(readText(file)));
  if (entries === undefined)
    throw new CommandError(
      `${file} can't be used, because it isn't a JSON list of alert channels in the format of \`GET /v1/alert-channels\``,
    );
  // An id that a tool made a string of is none of the API.
  const channels = alertChannelList.parse(entries.map((entry) => ({ ...entry, id: 0 })));
  const judged = channels.map((channel, index) => {
    const id = entries[index]?.id ?? `new-${index + 1}`;
    return { ...judgeRead(channel, rules.nameOf(id), undefined), id };
  });
  return auditJudged(judged, rules, { partial: true, now, source: file });
}

const givenList = z.array(z.looseObject({ id: z.union([z.string().min(1), z.number()]).nullish() })).min(1);

/** Returns the ids of the stack's channels in the account, and says how many are of others. */
function idsInAccount(
  stated: readonly StatedChannel[],
  file: string,
  connection: Pick<Connection, "origin">,
  stderr: CommandContext["stderr"],
): Id[] {
  const origin = formatOrigin(connection.origin);
  const declared = stated.filter((each) => (each.origin ?? origin) === origin).map(({ id }) => id);
  // The key may be that of another account.
  if (declared.length === 0)
    throw new CommandError(
      `${file} contains no alert channels of ${origin}. Declare AlertChannel resources in its stack, or correct the account.`,
    );
  const others = stated.length - declared.length;
  if (others > 0) stderr.write(`Skipped ${amount(others, "channel")} in ${file}, not part of ${origin}.\n`);
  return declared;
}

/** Yields the requested channels; all channels of the stack and of the rule file when none are requested. */
function* channelsOfState(
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
  // An audit without channels would pass, which could hide a mistake.
  if (present.size === 0)
    throw new CommandError(
      `${file} contains no alert channels. Declare AlertChannel resources in its stack.`,
    );
  const reason = `is neither the ID nor the name of a channel in ${file}`;
  rejectUnknown(requested.filter((one) => !found.has(one)).map((one) => ({ requested: one, reason })));
  if (requested.length > 0) return;
  // They aren't evaluable: the audit would pass without them.
  for (const id of new Set([...named.values()].map(String)))
    if (!present.has(id))
      yield { id, reason: `the channel isn't in ${file}. Declare an AlertChannel resource for the channel` };
}

/** @throws CommandError that names all of these channels, if any */
function rejectUnknown(unknown: AuditPlan["unknown"]): void {
  const lines = unknown.map(({ requested, reason }) => `--channel ${JSON.stringify(requested)} ${reason}.`);
  if (lines.length > 0) throw new CommandError(lines.join("\n"));
}

const stackExport = z.object({ deployment: z.object({ resources: z.array(z.unknown()).min(1) }) });

/** What no engine writes counts as missing, so that it hides no channel. */
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
  /** Missing for a resource of another package, such as the vendor's provider, whose settings aren't read. */
  readonly channel?: GivenChannel;
}

/**
 * Yields the channels one by one, so that not all are in memory in several forms.
 *
 * @throws FileError when the file can't be read, CommandError when it isn't a stack export
 */
function* readState(file: string): Generator<StatedChannel> {
  const { data } = stackExport.safeParse(jsonIn(readText(file)));
  if (data === undefined) {
    throw new CommandError(
      `${file} can't be used, because it isn't a complete stack export or the stack is empty. Create an export with \`pulumi stack export --file FILE\``,
    );
  }
  const resources = data.deployment.resources.reverse();
  while (resources.length > 0) yield* statedIn(resources.pop());
}

function statedIn(candidate: unknown): StatedChannel[] {
  if (!isObject(candidate) || typeof candidate.type !== "string") return [];
  if (!candidate.type.endsWith(":AlertChannel")) return [];
  const record = resource.parse(candidate);
  const { type, id } = record;
  if (record.delete) return [];
  if (!isOfType(type, "AlertChannel")) return id === undefined ? [] : [{ id }];
  const channel = channelIn(record);
  return [{ id: channel.id, origin: channel.origin, channel }];
}

function channelIn({ urn, id, outputs }: z.output<typeof resource>): GivenChannel {
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  const secrets = observedOutputs.filter((output) => {
    const value = isObject(outputs) ? outputs[output] : undefined;
    return isObject(value) && signatureKey in value;
  });
  if (secrets.length === 0) return observedChannel(name, outputs, id);
  const reason = `these outputs are secret in the stack: ${secrets.join(", ")}. Audit the channel without --state`;
  return { id: id ?? name, name, reason };
}
