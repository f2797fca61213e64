/**
 * Converts the channels of a program, the service or a stack to the form that rules receive, without duplicates and credentials. A channel
 * that doesn't match the API isn't evaluable, because a missing field could make a rule pass.
 */
import { z } from "zod";
import type * as api from "../provider/api";
import {
  alertChannel,
  alertChannelSubscription,
  formatOrigin,
  isObject,
  Mismatch,
  originSchema,
} from "../provider/api";
import {
  collectCredentials,
  isMalformedCredential,
  isShown,
  readConfig,
  redactedCredential,
  type ShownSettings,
  maskSettings,
  targetSettings,
} from "../provider/credentials";
import { listInvalidFields, validateValue, string } from "../provider/problems";
import {
  type AlertChannel,
  type AuditedChannel,
  type Credential,
  type GivenChannel,
  type CheckedChannel,
  type NotEvaluableChannel,
} from "./channel";
import { type RuleSet } from "./ruleFile";
import { isInDomain } from "./rules/targets";

/** Validates the channels of a caller and merges duplicates. */
export function checkGivenChannels(channels: Iterable<GivenChannel>, ruleSet: RuleSet): CheckedChannel[] {
  /** Channels by ID, then by origin. */
  const byId = new Map<string, Map<string, CheckedChannel>>();
  for (const given of channels) {
    const channel = checkChannel(given);
    const id = String(channel.id);
    const origins = byId.get(id) ?? new Map<string, CheckedChannel>();
    byId.set(id, origins);
    const first = origins.get(channel.origin ?? "");
    origins.set(channel.origin ?? "", first === undefined ? channel : mergeChannels(first, channel));
  }
  return [...byId].flatMap(([id, origins]) =>
    [...origins.values()].map((channel) => ({
      ...channel,
      name: ruleSet.nameOf(id) ?? channel.name,
      // A reference only contains an origin if several channels share the ID.
      origin: origins.size > 1 ? channel.origin : undefined,
    })),
  );
}

function checkChannel(channel: GivenChannel): CheckedChannel {
  if ("reason" in channel) return channel;
  const { data, error } = contract.safeParse(channel);
  if (error) return toNotEvaluable(channel, formatNotDocumented(listInvalidFields(error, "the channel")));
  const credentials = parseCredentials(
    data,
    // A credential in plain text is replaced with an object that contains no facts.
    (key, value) => parseFacts(value) ?? (isMalformedCredential(key, value) ? undefined : {}),
  );
  if (typeof credentials === "string") return toNotEvaluable(channel, credentials);
  return toAuditedChannel(channel, maskSettings(data), credentials);
}

function toNotEvaluable({ id, name, origin }: GivenChannel, reason: string): NotEvaluableChannel {
  return { id, name, origin, reason };
}

/** Merges two records of the same channel. Not evaluable if they differ in audited fields. */
function mergeChannels(first: CheckedChannel, second: CheckedChannel): CheckedChannel {
  if ("reason" in first) return first;
  if ("reason" in second) return { ...second, name: first.name };
  const serialize = (channel: AuditedChannel) => JSON.stringify({ ...channel, name: "", origin: "" });
  if (serialize(first) === serialize(second)) return first;
  return toNotEvaluable(first, "the channel is recorded twice with different values. Run `pulumi refresh`");
}

/**
 * Converts a channel that the client has read, or rejects a list entry that doesn't match the API.
 *
 * @param accountId Account ID, part of the fingerprints.
 */
export function checkReadChannel(
  channel: api.AlertChannel | Mismatch,
  name: string | undefined,
  accountId: string | undefined,
): CheckedChannel {
  if (channel instanceof Mismatch)
    return { id: channel.id ?? "an unknown channel", name, reason: formatNotDocumented(channel.fields) };
  const { config, shown, hostname } = readConfig(channel, accountId);
  const isHostInDomain = hostname === undefined ? undefined : createDomainCheck(hostname);
  const credentials = parseCredentials(channel, (key) => {
    const facts = parseFacts(config[key]);
    return key === "url" && facts && isHostInDomain ? { isInDomain: isHostInDomain, ...facts } : facts;
  });
  if (typeof credentials === "string") return { id: channel.id, name, reason: credentials };
  // The service may return undocumented fields with the names of our fields.
  const ours = { name, origin: undefined, createdAt: undefined, updatedAt: undefined };
  const title = name === undefined ? shown.title : undefined;
  return toAuditedChannel({ ...channel, ...ours }, shown, credentials, title);
}

/** Creates the function in a scope of its own. In the caller's scope, it would keep the channel's credentials in memory. */
function createDomainCheck(hostname: string): (domain: string) => boolean {
  return (domain) => isInDomain(hostname, domain);
}

/** Returns the channel with its validated settings and without undocumented fields. */
function toAuditedChannel(
  channel: AlertChannel,
  shown: ShownSettings,
  credentials: Credentials,
  title?: string,
): AuditedChannel {
  const { id, name, origin, type } = channel;
  const subscriptions = channel.subscriptions?.map((each) => subscription.parse(each));
  return {
    id,
    name,
    title,
    origin,
    type,
    config: shown.settings,
    credentials,
    subscriptions,
    ...flags.parse(channel),
    createdAt: channel.createdAt ?? channel.created_at,
    updatedAt: channel.updatedAt ?? channel.updated_at,
  };
}

/** Schema of the facts about a credential. Removes other fields. */
const credentialFacts: z.ZodType<Credential> = redactedCredential.extend({
  fingerprint: z.string(),
  isInDomain: z.custom<(domain: string) => boolean>((value) => typeof value === "function").optional(),
});

const subscription = alertChannelSubscription
  .extend({ checkId: alertChannelSubscription.shape.groupId })
  .strip();

/** Schema of the fields that rules receive unchanged. */
const flags = alertChannel
  .omit({ id: true, type: true, config: true, subscriptions: true, created_at: true, updated_at: true })
  .strip();

const { id, created_at, updated_at, ...fields } = alertChannel.shape;

const outputs = z.object({
  channelId: z.union([z.string(), id]),
  ...fields,
  missing: z.boolean().nullish(),
  createdAt: created_at,
  updatedAt: updated_at,
});

/** Outputs of an `AlertChannel` resource that the audit uses. */
export const observedOutputs = Object.keys(outputs.shape);

const stored = outputs.extend({ origin: originSchema.optional().catch(undefined) });

const labels = z.object({ name: string, fallbackId: string });

const absent =
  "the channel didn't exist on the service at the last refresh. Remove its resource or, if the channel exists again, run `pulumi refresh`";

/**
 * Returns the channel from the outputs of an `AlertChannel` resource. Not evaluable if this package doesn't store outputs in that form.
 *
 * @param name Name of the resource.
 * @param fallbackId ID of the channel if the outputs don't contain one. Default: the name.
 * @throws TypeError if the name isn't a string, because reports would print the value, which could be a whole channel.
 */
export function observedChannel(name: string, value: unknown, fallbackId: string = name): GivenChannel {
  const [problem] = validateValue(labels, { name, fallbackId });
  if (problem) throw new TypeError(`observedChannel: ${problem.property} ${problem.reason}.`);
  const { data, error } = stored.safeParse(value);
  if (error) {
    const id = outputs.shape.channelId.catch(fallbackId).parse(isObject(value) ? value.channelId : undefined);
    const unusable = listInvalidFields(error, "all outputs").join(", ");
    return {
      id,
      name,
      reason: `its outputs in the stack are unusable (${unusable}). Run \`pulumi refresh\``,
    };
  }
  const { channelId, missing, origin, ...rest } = data;
  const reference = { id: channelId, name, ...(origin && { origin: formatOrigin(origin) }) };
  if (missing === true) return { ...reference, reason: absent };
  const reason = parseCredentials(rest, (_, value) => parseFacts(value));
  return typeof reason === "string" ? { ...reference, reason } : { ...rest, ...reference };
}

const anyId = z.union([z.string().min(1), z.number()]);
const optionalId = anyId.nullish().or(z.literal(""));

/** Schema of a channel with the field names of the service or of outputs. */
const contract = alertChannel.extend({
  id: anyId,
  subscriptions: z
    .array(alertChannelSubscription.extend({ id: optionalId, checkId: optionalId, groupId: optionalId }))
    .nullish(),
  createdAt: created_at,
  updatedAt: updated_at,
});

type Credentials = AuditedChannel["credentials"];

/**
 * Returns the facts about a credential in a data source or a stack. Undefined for any other value, and for a credential whose value doesn't
 * have the documented type.
 */
function parseFacts(value: unknown): Credential | undefined {
  const { data } = credentialFacts.safeParse(value);
  return data?.isMalformed === true ? undefined : data;
}

/**
 * Returns the credentials, or the reason why the channel can't be audited: its settings don't have the documented type or aren't
 * documented.
 *
 * @param getFacts Returns the facts about a credential. Undefined if the value doesn't have the documented type.
 */
function parseCredentials(
  channel: Pick<AlertChannel, "type" | "config">,
  getFacts: (key: string, value: unknown) => Credential | undefined,
): Credentials | string {
  const { credentials, wrong, others } = collectCredentials(channel, getFacts);
  const toFields = (keys: readonly string[]) => keys.map((key) => `config.${key}`);
  if (wrong.length > 0) return formatNotDocumented(toFields(wrong));
  if (others.length > 0)
    return `the API doesn't document these fields, and they may contain the target: ${joinDistinct(toFields(others))}. ${update}`;
  const target = targetSettings.get(channel.type) ?? "";
  if (!isShown(target) && !Object.hasOwn(channel.config, target))
    return { ...credentials, [target]: { secretPart: "hidden" } };
  return credentials;
}

const update = "Save the channel with documented fields, or update pulumi-monitoring-service";

function formatNotDocumented(fields: readonly string[]): string {
  return `these fields don't match the API: ${joinDistinct(fields)}. ${update}`;
}

function joinDistinct(fields: readonly string[]): string {
  return [...new Set(fields)].slice(0, 10).join(", ");
}
