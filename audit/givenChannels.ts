/**
 * Converts the channels of a program, the service or a stack to the form that rules receive, without duplicates and credentials. A channel
 * that doesn't match the API isn't evaluable, because a rule could pass only because a field is missing.
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
  credentialsOf,
  isMalformedCredential,
  isShown,
  readConfig,
  redactedCredential,
  type Shown,
  shownIn,
  targetSettings,
} from "../provider/credentials";
import { fieldsIn, problemsOf, string } from "../provider/problems";
import {
  type AlertChannel,
  type AuditedChannel,
  type Credential,
  type GivenChannel,
  type JudgedChannel,
  type NotEvaluableChannel,
} from "./channel";
import { type RuleSet } from "./ruleFile";
import { isInDomain } from "./rules/targets";

/** Validates the channels of a caller and merges duplicates. */
export function judgeGiven(channels: Iterable<GivenChannel>, ruleSet: RuleSet): JudgedChannel[] {
  /** Channels by ID, then by origin. */
  const byId = new Map<string, Map<string, JudgedChannel>>();
  for (const given of channels) {
    const channel = judged(given);
    const id = String(channel.id);
    const origins = byId.get(id) ?? new Map<string, JudgedChannel>();
    byId.set(id, origins);
    const first = origins.get(channel.origin ?? "");
    origins.set(channel.origin ?? "", first === undefined ? channel : merged(first, channel));
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

function judged(channel: GivenChannel): JudgedChannel {
  if ("reason" in channel) return channel;
  const { data, error } = contract.safeParse(channel);
  // A credential in plain text is replaced with an object that contains no facts.
  const plainText = (key: string, value: unknown) => (isMalformedCredential(key, value) ? undefined : {});
  if (error) return withReason(channel, notDocumented(fieldsIn(error, "the channel")));
  const credentials = credentialsIn(data, (key, value) => documentedFacts(value) ?? plainText(key, value));
  if (typeof credentials === "string") return withReason(channel, credentials);
  return auditedChannel(channel, shownIn(data), credentials);
}

function withReason({ id, name, origin }: GivenChannel, reason: string): NotEvaluableChannel {
  return { id, name, origin, reason };
}

/** Merges two records of the same channel. Not evaluable if they differ in audited fields. */
function merged(first: JudgedChannel, second: JudgedChannel): JudgedChannel {
  if ("reason" in first) return first;
  if ("reason" in second) return { ...second, name: first.name };
  const content = (channel: AuditedChannel) => JSON.stringify({ ...channel, name: "", origin: "" });
  if (content(first) === content(second)) return first;
  return withReason(first, "the channel is recorded twice with different values. Run `pulumi refresh`");
}

/**
 * Converts a channel that the client has read, or rejects a list entry that doesn't match the API.
 *
 * @param accountId Account ID, part of the fingerprints.
 */
export function judgeRead(
  channel: api.AlertChannel | Mismatch,
  name: string | undefined,
  accountId: string | undefined,
): JudgedChannel {
  if (channel instanceof Mismatch)
    return { id: channel.id ?? "an unknown channel", name, reason: notDocumented(channel.fields) };
  const { config, shown, hostname } = readConfig(channel, accountId);
  const host = hostname !== undefined && { isInDomain: (domain: string) => isInDomain(hostname, domain) };
  const credentials = credentialsIn(channel, (key) => {
    const facts = documentedFacts(config[key]);
    return key === "url" && facts ? { ...facts, ...host } : facts;
  });
  if (typeof credentials === "string") return { id: channel.id, name, reason: credentials };
  // The service may return undocumented fields with the names of our fields.
  const ours = { name, origin: undefined, createdAt: undefined, updatedAt: undefined };
  const title = name === undefined ? shown.title : undefined;
  return { ...auditedChannel({ ...channel, ...ours }, shown, credentials), title };
}

/** Returns the channel with its validated settings and without undocumented fields. */
function auditedChannel(channel: AlertChannel, shown: Shown, credentials: Credentials): AuditedChannel {
  const { id, name, origin, type } = channel;
  const subscriptions = channel.subscriptions?.map((each) => subscription.parse(each));
  return {
    id,
    name,
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
  const [problem] = problemsOf(labels, { name, fallbackId });
  if (problem) throw new TypeError(`observedChannel: ${problem.property} ${problem.reason}.`);
  const { data, error } = stored.safeParse(value);
  if (error) {
    const id = outputs.shape.channelId.catch(fallbackId).parse(isObject(value) ? value.channelId : undefined);
    const unusable = fieldsIn(error, "all outputs").join(", ");
    return {
      id,
      name,
      reason: `its outputs in the stack are unusable (${unusable}). Run \`pulumi refresh\``,
    };
  }
  const { channelId, missing, origin, ...rest } = data;
  const reference = { id: channelId, name, ...(origin && { origin: formatOrigin(origin) }) };
  if (missing === true) return { ...reference, reason: absent };
  const reason = credentialsIn(rest, (_, value) => documentedFacts(value));
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
function documentedFacts(value: unknown): Credential | undefined {
  const { data } = credentialFacts.safeParse(value);
  return data?.isMalformed === true ? undefined : data;
}

/**
 * Returns the credentials, or the reason why the channel can't be audited: its settings don't have the documented type or aren't
 * documented.
 *
 * @param factsOf Returns the facts about a credential. Undefined if the value doesn't have the documented type.
 */
function credentialsIn(
  channel: Pick<AlertChannel, "type" | "config">,
  factsOf: (key: string, value: unknown) => Credential | undefined,
): Credentials | string {
  const { credentials, wrong, others } = credentialsOf(channel, factsOf);
  const fieldsOf = (keys: readonly string[]) => keys.map((key) => `config.${key}`);
  if (wrong.length > 0) return notDocumented(fieldsOf(wrong));
  if (others.length > 0)
    return `the API doesn't document these fields, and they may contain the target: ${listed(fieldsOf(others))}. ${update}`;
  const target = targetSettings.get(channel.type) ?? "";
  if (!isShown(target) && !Object.hasOwn(channel.config, target))
    return { ...credentials, [target]: { secretPart: "hidden" } };
  return credentials;
}

const update = "Save the channel with documented fields, or update pulumi-monitoring-service";

function notDocumented(fields: readonly string[]): string {
  return `these fields don't match the API: ${listed(fields)}. ${update}`;
}

function listed(fields: readonly string[]): string {
  return [...new Set(fields)].slice(0, 10).join(", ");
}
