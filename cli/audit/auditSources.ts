/** Gets the channels to audit from the service or from a stack's state. */
import { Connections } from "../../provider/connection/connections";
import { tellLongWait } from "../../provider/connection/longWait";
import type { GivenChannel, RuleSet } from "../../audit";
import { isId } from "../../audit/definition/schemas";
import { readChannels } from "../../audit/sources/readChannels";
import { AuditError } from "../../audit/sources/auditError";
import { unknownChannels, requestedChannels } from "../../audit/sources/requestedChannels";
import type { Stream } from "../command/command";
import { Progress } from "../command/progress";
import { readState } from "./auditState";

/** The channels to audit, and the rules with all names of these channels. */
interface AuditSource {
  readonly channels: readonly GivenChannel[];
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
  const progress = new Progress(stderr, "Reading alert channels");
  const onRequest = tellLongWait((text) => progress.say(text));
  const connections = new Connections(undefined, environment, { onRequest });
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
  progress.begin(wanted.length);
  try {
    const channels = await readChannels(wanted, connections.connect(), () => progress.advance());
    return { channels, ruleSet };
  } finally {
    progress.end();
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
): GivenChannel[] {
  const all = readState(file);
  // An audit without channels would pass, which could hide a mistake.
  if (all.length === 0)
    throw new AuditError(`${file} contains no alert channels: declare AlertChannel resources in its stack.`);
  if (requested.length === 0) return [...all, ...absentFrom(all, file, named.values())];
  const found = requested.map((one) => {
    const id = isId(one) ? one : named.get(one);
    return all.filter((channel) =>
      id === undefined ? channel.name === one : String(channel.id) === String(id),
    );
  });
  const absent = requested.filter((_, index) => found[index]?.length === 0);
  if (absent.length > 0) {
    throw new AuditError(
      absent
        .map((one) => `--channel ${JSON.stringify(one)} is neither an id nor a name of a channel in ${file}.`)
        .join("\n"),
    );
  }
  return found.flat();
}

/** A channel of the rule file that the stack lacks isn't evaluable: the audit would pass without having seen it. */
function absentFrom(
  channels: readonly GivenChannel[],
  file: string,
  named: Iterable<GivenChannel["id"]>,
): GivenChannel[] {
  const known = new Set(channels.map(({ id }) => String(id)));
  const absent = new Set([...named].map(String).filter((id) => !known.has(id)));
  return [...absent].map((id) => ({
    id,
    reason: `it isn't in ${file}; declare an AlertChannel resource for it`,
  }));
}
