/** Where the channels of an audit come from: the service, or what a stack knows of it. */
import type { Id } from "../provider/client";
import { Connections } from "../provider/connection";
import type { RuleSet } from "../sdk/audit";
import { didYouMean } from "../sdk/audit/suggest";
import { type ReadChannel, readChannels } from "./auditChannels";
import { Progress, type Stream } from "./auditProgress";
import { Refusal } from "./auditRefusal";
import { readState } from "./auditState";

/**
 * The channels that are asked for; all that have a name when none are.
 *
 * @throws ConfigurationError when the environment can't be right
 * @throws Refusal when a channel that is asked for can't be one
 */
export async function fromService(
  asked: readonly string[],
  { channels: named, file = "the rule file" }: RuleSet,
  environment: NodeJS.ProcessEnv,
  stderr: Stream,
): Promise<ReadChannel[]> {
  const connections = new Connections(() => undefined, environment);
  const names = new Map([...Object.entries(connections.alertChannels), ...named]);
  const ids = asked.length > 0 ? idsOf(asked, names) : [...names.values()];
  if (ids.length === 0) {
    throw new Refusal(
      `There is no channel to audit: name them under channels in ${file} or in MONITORING_ALERT_CHANNELS, or give --channel ID.`,
    );
  }
  const nameOf = new Map([...names].map(([name, id]) => [String(id), name]));
  const byId = new Map(ids.map((id) => [String(id), id]));
  const wanted = [...byId].map(([key, id]) => ({ id, name: nameOf.get(key) }));
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
  const all = readState(file);
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

function idsOf(asked: readonly string[], names: ReadonlyMap<string, Id>): Id[] {
  const wrong = asked.filter((one) => !names.has(one) && !/^\d{1,15}$/.test(one));
  if (wrong.length > 0) {
    const line = (one: string) =>
      `--channel ${JSON.stringify(one)} is neither an id nor a name${hint(one, [...names.keys()])}.`;
    throw new Refusal(wrong.map(line).join("\n"));
  }
  return asked.map((one) => names.get(one) ?? Number(one));
}

const mostNamed = 10;

function hint(wrong: string, names: readonly string[]): string {
  if (names.length === 0) return "; no channel has a name";
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return didYouMean(wrong, names) || `; names are ${names.slice(0, mostNamed).join(", ")}${more}`;
}
