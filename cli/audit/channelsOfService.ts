/** Gets the channels to audit from the service. */
import { Connections } from "../../provider/connection/connections";
import { tellLongWait } from "../../provider/connection/longWait";
import type { GivenChannel, RuleSet } from "../../audit";
import { readChannels } from "../../audit/sources/readChannels";
import { AuditError } from "../../audit/sources/auditError";
import { unknownChannels, requestedChannels } from "../../audit/sources/requestedChannels";
import type { Stream } from "../command/command";
import { Progress } from "../command/progress";

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
export async function channelsOfService(
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
