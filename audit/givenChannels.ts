/**
 * Converts the channels of a program, the service or a stack to those that rules get: each once, without credentials. A channel
 * that doesn't match the API isn't evaluable, because rules would pass if they don't find a field.
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

/** Judges the channels of a caller, each once. */
export function judgeGiven(channels: Iterable<GivenChannel>, ruleSet: RuleSet): JudgedChannel[] {
  /** Channels by id, then by origin. */
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
      // A reference has an origin only if several channels share the id.
      origin: origins.size > 1 ? channel.origin : undefined,
    })),
  );
}

function judged(channel: GivenChannel): JudgedChannel {
  if ("reason" in channel) return channel;
  const { data, error } = contract.safeParse(channel);
  // A credential in plain text is discarded, so that nothing is known about it.
  const plainText = (key: string, value: unknown) => (isMalformedCredential(key, value) ? undefined : {});
  if (error) return withReason(channel, notDocumented(fieldsIn(error, "the channel")));
  const credentials = credentialsIn(data, (key, value) => documentedFacts(value) ?? plainText(key, value));
  if (typeof credentials === "string") return withReason(channel, credentials);
  return auditedChannel(channel, shownIn(data), credentials);
}

function withReason({ id, name, origin }: GivenChannel, reason: string): NotEvaluableChannel {
  return { id, name, origin, reason };
}

/** Merges two records of one channel to the first; not evaluable if they differ in what is audited. */
function merged(first: JudgedChannel, second: JudgedChannel): JudgedChannel {
  if ("reason" in first) return first;
  if ("reason" in second) return { ...second, name: first.name };
  const content = (channel: AuditedChannel) => JSON.stringify({ ...channel, name: "", origin: "" });
  if (content(first) === content(second)) return first;
  return withReason(first, "the channel is recorded twice with different values. Run `pulumi refresh`");
}

/** Judges what the client has read: a channel, or an entry of a list that doesn't match the API. @param accountId Account of the fingerprints. */
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
  // An undocumented field of the service isn't one of ours with its name.
  const ours = { name, origin: undefined, createdAt: undefined, updatedAt: undefined };
  const title = name === undefined ? shown.title : undefined;
  return { ...auditedChannel({ ...channel, ...ours }, shown, credentials), title };
}

/** Returns the channel with what was judged of its settings, without undocumented fields. */
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

/** The facts about a credential; other fields are dropped. */
const credentialFacts: z.ZodType<Credential> = redactedCredential.extend({
  fingerprint: z.string(),
  isInDomain: z.custom<(domain: string) => boolean>((value) => typeof value === "function").optional(),
});

const subscription = alertChannelSubscription
  .extend({ checkId: alertChannelSubscription.shape.groupId })
  .strip();

/** The fields that rules get unchanged. */
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

/** The outputs of a resource `AlertChannel` that the audit uses. */
export const observedOutputs = Object.keys(outputs.shape);

const stored = outputs.extend({ origin: originSchema.optional().catch(undefined) });

const labels = z.object({ name: string, fallbackId: string });

const absent =
  "the channel didn't exist on the service at the last refresh. Remove its resource or, if the channel exists again, run `pulumi refresh`";

/**
 * Returns the channel in the outputs of a resource `AlertChannel`; not evaluable if they don't have the form that this package
 * stores.
 *
 * @param name Name of the resource.
 * @param fallbackId Id of the channel if the outputs have none. Default: the name.
 * @throws TypeError if the name isn't a string: what stands in its place, such as a channel, would be printed in reports.
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

/** The schema of a channel as the service returns it, or with the names of outputs. */
const contract = alertChannel.extend({
  id: anyId,
  subscriptions: z
    .array(alertChannelSubscription.extend({ id: optionalId, checkId: optionalId, groupId: optionalId }))
    .nullish(),
  createdAt: created_at,
  updatedAt: updated_at,
});

type Credentials = AuditedChannel["credentials"];

/** Returns the facts of a credential that a data source or a stack has; undefined if it isn't one, or isn't as documented. */
function documentedFacts(value: unknown): Credential | undefined {
  const { data } = credentialFacts.safeParse(value);
  return data?.isMalformed === true ? undefined : data;
}

/**
 * Returns the documented credentials, or else why a channel can't be audited: fields whose value doesn't have the documented type.
 *
 * @param factsOf Returns the facts about a credential; undefined if the value doesn't have the documented type.
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
