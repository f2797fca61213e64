/** Audits channels of the service: plans the reads, performs them, and runs the rules once on all channels. */
import type * as api from "../../provider/api";
import { formatOrigin, type Id, Mismatch } from "../../provider/api";
import {
  AuthenticationError,
  ConnectionError,
  isMonitoringError,
  type MonitoringError,
  NotFoundError,
} from "../../provider/client";
import { type Connection, type Connections, getSummaryId, readEach } from "../../provider/connection";
import { listTitledChannels } from "../../provider/lookups";
import { formatCount, formatSuggestion, toOneLine, sameText } from "../../provider/texts";
import {
  auditCheckedChannels,
  type AuditReport,
  listIncompleteChannels,
  isId,
  checkReadChannel,
  type CheckedChannel,
  type RuleSet,
  formatAmbiguousName,
} from "..";

interface AuditRequest {
  /** True for all channels of the account. */
  readonly isOfAll: boolean;
  /** IDs and names. Default: all channels with a name. */
  readonly channels?: readonly Id[] | undefined;
}

/**
 * Plans an audit of the service and performs the plan.
 *
 * @param begin Returns the context of the plan. Throws the caller's error if the plan can't be performed.
 * @throws NotFoundError if all channels are to be audited and the service doesn't list channels
 */
export async function auditService(
  { account, ...request }: AuditRequest & { readonly account?: string | undefined },
  rules: RuleSet,
  connections: Connections,
  begin: (plan: AuditPlan) => AuditContext,
): Promise<AuditReport> {
  const list = async () =>
    connections.validateAccount(account) === undefined
      ? listTitledChannels(connections.connect(account).reads)
      : undefined;
  const plan = await planAudit(request, rules, connections.alertChannels, list);
  return auditPlanned(plan, begin(plan));
}

/** An audit before its channels are read. */
export type AuditPlan = Awaited<ReturnType<typeof planAudit>>;

/**
 * @param configured Channel IDs by name from the configuration, in addition to the rules.
 * @param list Reads the titles of all channels. Used for names that are in neither the configuration nor the rules.
 */
export async function planAudit(
  { isOfAll, channels = [] }: AuditRequest,
  given: RuleSet,
  configured: Readonly<Record<string, Id>>,
  list: () => ReturnType<typeof listTitledChannels>,
) {
  const rules = given.withNames(configured);
  const findId = (one: Id) => (isId(one) ? Number(one) : rules.channels.get(one.normalize()));
  const isMapped = channels.every((one) => findId(one) !== undefined);
  const listed = isMapped ? undefined : await list().catch(getErrorMessage);
  const [titles, problem] = typeof listed === "string" ? [[], listed] : [listed ?? [], undefined];
  const requested = channels.map((one) => {
    const id = findId(one);
    if (id !== undefined) return { one, ids: [id] };
    return { one, ids: titles.filter(({ title }) => sameText(title, String(one))).map((match) => match.id) };
  });
  const byName = isOfAll ? [] : [...rules.channels.values()];
  const ids = channels.length > 0 ? requested.flatMap((each) => each.ids) : byName;
  const names = [...rules.channels.keys(), ...titles.map(({ title }) => toOneLine(title))];
  const missing = requested.filter((each) => each.ids.length === 0).map(({ one }) => one);
  return {
    /** Rules with the names from the configuration. */
    rules,
    isOfAll,
    /** True if channels are requested. Rules on all channels together then don't report anything as missing. */
    isPartial: channels.length > 0,
    isEmpty: !isOfAll && channels.length === 0 && ids.length === 0,
    /** IDs of the channels to read, without duplicates. */
    ids: [...new Map(ids.map((id) => [String(id), id])).values()],
    /** Requested names that may be titles, if the list of channels can't be read. */
    unread:
      problem === undefined ? [] : missing.map((one) => ({ id: one, name: String(one), reason: problem })),
    /** Requested channels that are neither an ID nor the name of exactly one channel, with the reason as the end of a sentence. */
    unknown: requested.flatMap(({ one, ids: found }) => {
      const reason =
        problem !== undefined && missing.includes(one) ? undefined : findMistake(one, found, names);
      return reason === undefined ? [] : { requested: one, reason };
    }),
  };
}

function getErrorMessage(error: unknown): string {
  if (!isMonitoringError(error)) throw error;
  return error.message;
}

/** @param ids IDs of the channels that the request matches. */
function findMistake(requested: Id, ids: readonly Id[], names: readonly string[]): string | undefined {
  if (ids.length > 1) return formatAmbiguousName(ids);
  return /^\d{1,15}$/.test(String(ids[0]))
    ? undefined
    : `is neither an ID nor a name${formatHint(String(requested), names)}`;
}

const maxNamed = 10;

/** Suggests a similar name, or lists the names. */
function formatHint(wrong: string, names: readonly string[]): string {
  if (names.length === 0) return " (no channel has a name)";
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return formatSuggestion(wrong, names) || ` (names: ${names.slice(0, maxNamed).join(", ")}${more})`;
}

interface Connected extends Pick<Connection, "origin"> {
  readonly client: Pick<Connection["client"], "getAlertChannel">;
}

/** Channels as they arrive, or a list shared by several audits and data sources. */
type ChannelList =
  | AsyncIterable<api.AlertChannel | Mismatch>
  | Promise<Iterable<api.AlertChannel | Mismatch>>;

interface AuditContext {
  readonly connection: Connected;
  /** Starts to read the list of all channels of the account. */
  readonly list: () => ChannelList;
  /** Default: now. */
  readonly now?: Date;
  /** Called after each channel. */
  readonly onRead?: () => void;
}

/**
 * Reads the planned channels and audits them. In an audit of all channels of the account, a channel isn't evaluable if the rules or
 * the configuration name it and it's missing from the list.
 */
export async function auditPlanned(
  { rules, isOfAll, isPartial, ids, unread }: AuditPlan,
  { connection, list, now = new Date(), onRead = () => undefined }: AuditContext,
): Promise<AuditReport> {
  const options = { now, source: formatOrigin(connection.origin) };
  const read = (some: readonly Id[]) => readChannels(some, connection, rules, onRead);
  if (!isOfAll)
    return auditCheckedChannels([...(await read(ids)), ...unread], rules, { ...options, partial: isPartial });
  const { channels, problem, isSparse, unconfigured } = await readList(list(), connection, rules, onRead);
  const named = new Set([...rules.channels.values()].map(String));
  const listed = new Set(channels.map(({ id }) => String(id)));
  const absent = [...named]
    .filter((id) => problem === undefined && !listed.has(id))
    .map((id) => ({ id, name: rules.nameOf(id), reason: notListed }));
  const incomplete = listIncompleteChannels(channels, rules, isSparse, now).map(({ id }) => id);
  const completed = await read([...incomplete, ...unconfigured]);
  const byId = new Map(completed.map((channel) => [String(channel.id), channel]));
  const complete = channels.map((channel) => byId.get(String(channel.id)) ?? channel);
  return auditCheckedChannels(complete, rules, options, { named, absent, problem });
}

const notListed =
  "the service doesn't list the channel, so it may be deleted or belong to a different account. Remove its name, or correct the account";

/** Reads channels by ID. A channel that can't be read doesn't affect the others. */
async function readChannels(
  ids: readonly Id[],
  { client, origin }: Connected,
  names: Pick<RuleSet, "nameOf">,
  onRead: () => void,
): Promise<CheckedChannel[]> {
  /** An error that every request would get. A rejected key stays rejected, and further requests could lock the account. */
  let common: MonitoringError | undefined;
  let hasResponse = false;
  const read = async (id: Id): Promise<api.AlertChannel | string> => {
    if (common) return common.message;
    try {
      const channel = await client.getAlertChannel(id);
      hasResponse = true;
      return channel;
    } catch (error) {
      if (!isMonitoringError(error)) throw error;
      if (error instanceof AuthenticationError || (error instanceof ConnectionError && !hasResponse))
        return (common ??= error).message;
      hasResponse = true;
      return error.message;
    }
  };
  const responses = await readEach(ids, async (id) => {
    const response = await read(id);
    onRead();
    return { id, name: names.nameOf(id), response };
  });
  // Evaluate all responses at the end, because doing it between responses takes several times as long.
  return responses.map(({ id, name, response }) =>
    typeof response === "string"
      ? { id, name, reason: response }
      : checkReadChannel(response, name, origin.accountId),
  );
}

interface List {
  readonly channels: readonly CheckedChannel[];
  /** Reason why the list couldn't be read completely. */
  readonly problem?: string;
  /** True if any webhook setting is missing from all webhooks, because the list may omit that setting. */
  readonly isSparse: boolean;
  /** IDs of the channels that the list returns without settings, as in a list of summaries. */
  readonly unconfigured: readonly Id[];
}

const webhookSettings = ["template", "headers", "queryParameters", "webhookSecret"];

/** Converts each channel of the list as it arrives, so that no channel stays in memory with its credentials. */
async function readList(
  list: ChannelList,
  { origin }: Connected,
  names: Pick<RuleSet, "nameOf">,
  onRead: () => void,
): Promise<List> {
  const channels: CheckedChannel[] = [];
  const unconfigured: Id[] = [];
  const shown = new Set<string>();
  const isSparse = () => !webhookSettings.every((key) => shown.has(key));
  try {
    for await (const entry of await list) {
      const name = entry.id === undefined ? undefined : names.nameOf(entry.id);
      if (!(entry instanceof Mismatch) && entry.type === "WEBHOOK")
        for (const key of Object.keys(entry.config)) shown.add(key);
      const summary = getSummaryId(entry);
      if (summary !== undefined) unconfigured.push(summary);
      channels.push(checkReadChannel(entry, name, origin.accountId));
      onRead();
    }
    return { channels, isSparse: isSparse(), unconfigured };
  } catch (error) {
    if (error instanceof NotFoundError || !isMonitoringError(error)) throw error;
    const read = `the list couldn't be read completely (${formatCount(channels.length, "channel")} read)`;
    return { channels, isSparse: isSparse(), unconfigured, problem: `${read}. ${error.message}` };
  }
}
