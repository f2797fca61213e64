/** Where the channels of an audit come from: the service, or what a stack knows of it. */
import { Connections } from "../provider/connection";
import type { RuleSet } from "../audit";
import { type ReadChannel, readChannels } from "../audit/sources/readChannels";
import { Refusal } from "../audit/sources/usageMistake";
import { namesIn, unknownChannels, wantedChannels } from "../audit/sources/wantedChannels";
import { Progress, type Stream } from "./auditProgress";
import { readState } from "./auditState";

/**
 * The channels that are asked for; all that have a name when none are.
 *
 * @throws ConfigurationError when the environment can't be right
 * @throws Refusal when a channel that is asked for can't be one
 */
export async function fromService(
  asked: readonly string[],
  ruleSet: RuleSet,
  environment: NodeJS.ProcessEnv,
  stderr: Stream,
): Promise<ReadChannel[]> {
  const connections = new Connections(undefined, environment);
  const names = namesIn(ruleSet, connections.alertChannels);
  const unknown = unknownChannels(asked, names);
  if (unknown.length > 0) {
    throw new Refusal(
      unknown.map(({ asked: one, reason }) => `--channel ${JSON.stringify(one)} ${reason}.`).join("\n"),
    );
  }
  const wanted = wantedChannels(asked, names);
  if (wanted.length === 0) {
    const { file = "the rule file" } = ruleSet;
    throw new Refusal(
      `There is no channel to audit: name them under channels in ${file} or in MONITORING_ALERT_CHANNELS, or give --channel ID.`,
    );
  }
  const progress = new Progress(stderr, wanted.length);
  try {
    return await readChannels(wanted, connections.connect(), () => progress.step());
  } finally {
    progress.clear();
  }
}

/**
 * The channels that are asked for; all that the stack observes when none are.
 *
 * @throws Refusal when the file is no stack export, or lacks a channel that is asked for
 */
export function fromState(
  file: string,
  asked: readonly string[],
  { channels: named }: RuleSet,
): Iterable<ReadChannel> {
  const all = notEmpty(readState(file), file);
  if (asked.length === 0) return all;
  const keyOf = (one: string) => String(named.get(one) ?? one);
  const wanted = new Set(asked.map(keyOf));
  const found = new Set<string>();
  const channels = [...all].filter(({ id, name = "" }) => {
    const keys = [String(id), name].filter((key) => wanted.has(key));
    for (const key of keys) found.add(key);
    return keys.length > 0;
  });
  const absent = asked.filter((one) => !found.has(keyOf(one)));
  if (absent.length > 0) {
    throw new Refusal(
      absent
        .map((one) => `--channel ${JSON.stringify(one)} is neither an id nor a name of a channel in ${file}.`)
        .join("\n"),
    );
  }
  return channels;
}

/** An audit of nothing would find nothing, which looks like good news. */
function* notEmpty(channels: Iterable<ReadChannel>, file: string): Generator<ReadChannel> {
  let isEmpty = true;
  for (const channel of channels) {
    isEmpty = false;
    yield channel;
  }
  if (isEmpty)
    throw new Refusal(`${file} observes no alert channel: declare AlertChannel resources in its stack.`);
}
