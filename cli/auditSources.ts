/** Gets the channels to audit from the service or from a stack's state. */
import { Connections } from "../provider/connection/connections";
import type { RuleSet } from "../audit";
import { isId } from "../audit/schemas";
import { type ReadChannel, readChannels } from "../audit/sources/readChannels";
import { AuditError } from "../audit/sources/auditError";
import { unknownChannels, requestedChannels } from "../audit/sources/requestedChannels";
import { Progress, type Stream } from "./auditProgress";
import { readState } from "./auditState";

/** The channels to audit, and the rules with all names of these channels. */
interface AuditSource {
  readonly channels: Iterable<ReadChannel>;
  readonly ruleSet: RuleSet;
}

/**
 * The requested channels; all channels with a name when none are requested.
 *
 * @throws ConfigurationError when an environment variable is invalid
 * @throws AuditError when a requested channel is unknown
 */
export async function fromService(
  requested: readonly string[],
  rules: RuleSet,
  environment: NodeJS.ProcessEnv,
  stderr: Stream,
): Promise<AuditSource> {
  const notices: string[] = [];
  const connections = new Connections(undefined, environment, { notice: (text) => notices.push(text) });
  const ruleSet = rules.withNames(connections.alertChannels);
  const unknown = unknownChannels(requested, ruleSet.channels);
  if (unknown.length > 0) {
    throw new AuditError(
      unknown.map(({ requested: one, reason }) => `--channel ${JSON.stringify(one)} ${reason}.`).join("\n"),
    );
  }
  const wanted = requestedChannels(requested, ruleSet.channels);
  if (wanted.length === 0) {
    const { file = "the rule file" } = ruleSet;
    throw new AuditError(
      `There is no channel to audit: name them under channels in ${file} or in MONITORING_ALERT_CHANNELS, or give --channel ID.`,
    );
  }
  const progress = new Progress(stderr, wanted.length);
  try {
    const channels = await readChannels(wanted, connections.connect(), () => progress.step());
    return { channels, ruleSet };
  } finally {
    progress.clear();
    for (const text of notices) stderr.write(`${text}\n`);
  }
}

/**
 * The requested channels; all channels of the stack and of the rule file when none are requested.
 *
 * @throws AuditError when the file isn't a stack export, or a requested channel isn't in it
 */
export function fromState(
  file: string,
  requested: readonly string[],
  { channels: named }: RuleSet,
): Iterable<ReadChannel> {
  const all = notEmpty(readState(file), file);
  if (requested.length === 0) return withAbsent(all, file, named.values());
  const wanted = requested.map((one) => ({ one, id: isId(one) ? one : named.get(one) }));
  const isWanted = ({ id, name }: ReadChannel) =>
    wanted.filter((each) => (each.id === undefined ? each.one === name : String(each.id) === String(id)));
  const found = new Set<string>();
  const channels = [...all].filter((channel) => {
    const matches = isWanted(channel);
    for (const { one } of matches) found.add(one);
    return matches.length > 0;
  });
  const absent = requested.filter((one) => !found.has(one));
  if (absent.length > 0) {
    throw new AuditError(
      absent
        .map((one) => `--channel ${JSON.stringify(one)} is neither an id nor a name of a channel in ${file}.`)
        .join("\n"),
    );
  }
  return channels;
}

/** An audit without channels would pass, which could hide a mistake. */
function* notEmpty(channels: Iterable<ReadChannel>, file: string): Generator<ReadChannel> {
  let isEmpty = true;
  for (const channel of channels) {
    isEmpty = false;
    yield channel;
  }
  if (isEmpty)
    throw new AuditError(`${file} contains no alert channels: declare AlertChannel resources in its stack.`);
}

/** A channel of the rule file that the stack lacks counts as unreadable: the audit would pass without having seen it. */
function* withAbsent(
  channels: Iterable<ReadChannel>,
  file: string,
  named: Iterable<ReadChannel["id"]>,
): Generator<ReadChannel> {
  const absent = new Set([...named].map(String));
  for (const channel of channels) {
    absent.delete(String(channel.id));
    yield channel;
  }
  for (const id of absent)
    yield { id, reason: `it isn't in ${file}; declare an AlertChannel resource for it` };
}
