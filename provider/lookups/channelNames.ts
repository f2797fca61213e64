/** Finds alert channels by name in the configuration or, if the name isn't there, in the list of the account's channels. */
import { type Id, Mismatch } from "../api";
import { InvalidInputError } from "../client";
import { type Connection, type Connections, getSummaryId, readEach, ignoreNotFound } from "../connection";
import { maskSettings } from "../credentials";
import { toOneLine, sameText } from "../texts";
import { AmbiguousMatchError, createNoMatchError } from "./lookupErrors";

type Reads = Connection["reads"];

/** A channel that the account lists, and the title from its settings. */
interface TitledChannel {
  readonly id: Id;
  readonly title: string;
}

/** Resolves to the channels with a title, in the service's order; undefined if the service doesn't list channels. */
export async function listTitledChannels(reads: Reads): Promise<TitledChannel[] | undefined> {
  const entries = await ignoreNotFound(reads.getAlertChannels());
  if (!entries) return undefined;
  const channels = await readEach(entries, async (entry) => {
    const id = getSummaryId(entry);
    return id === undefined ? entry : ignoreNotFound(reads.getAlertChannel(id));
  });
  return channels.flatMap((channel) => {
    if (channel === undefined || channel instanceof Mismatch) return [];
    const { title } = maskSettings(channel);
    return title === undefined ? [] : { id: channel.id, title };
  });
}

interface Source {
  readonly connections: Connections;
  readonly caller: string;
  readonly reads: Reads;
}

/**
 * Resolves to the IDs of the channels with these names. Without names, resolves to the IDs of all configured channels.
 *
 * @param argument The argument that contains the names.
 * @throws NoMatchError when no channel has one of the names, AmbiguousMatchError when several do.
 */
export async function resolveIdsByName(
  argument: "name" | "names",
  names: readonly string[] | undefined,
  { connections, caller, reads }: Source,
): Promise<Id[]> {
  const { alertChannels, alertChannelsSetting: setting, howToSetAlertChannels } = connections;
  const configured = new Map(Object.entries(alertChannels));
  const createNotSetError = (property: string, must: string) =>
    new InvalidInputError(caller, [
      { property, reason: `${must} ${setting} is not set: ${howToSetAlertChannels}` },
    ]);
  if (names === undefined) {
    if (configured.size === 0) throw createNotSetError("ids, names or all", "is required, because");
    return [...configured.values()];
  }
  const isUnmapped = names.some((name) => !configured.has(name));
  const listed = isUnmapped ? await listTitledChannels(reads) : [];
  if (configured.size === 0 && listed === undefined)
    throw createNotSetError(argument, "can't be found, because this service doesn't list alert channels and");
  const matches = names.map((name) => {
    const id = configured.get(name);
    if (id !== undefined) return { name, channels: [{ id, title: name }] };
    return { name, channels: (listed ?? []).filter(({ title }) => sameText(title, name)) };
  });
  const missing = matches.filter(({ channels }) => channels.length === 0).map(({ name }) => name);
  if (missing.length > 0) {
    const where = listed ? "" : ` in ${setting}`;
    const candidates = [...configured.keys(), ...(listed ?? []).map(formatCandidate)];
    const existing = [...configured.keys(), ...(listed ?? []).map(({ title }) => toOneLine(title))];
    throw createNoMatchError(`${caller} with name`, missing, { existing, candidates, where });
  }
  return matches.flatMap(({ name, channels }) => {
    if (channels.length > 1)
      throw new AmbiguousMatchError(`${caller} with name "${name}"`, channels.map(formatCandidate));
    return channels.map(({ id }) => id);
  });
}

function formatCandidate({ id, title }: TitledChannel): string {
  return toOneLine(`${title} (ID ${id})`);
}
