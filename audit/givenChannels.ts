/**
 * Converts the channels of a program, the service or a stack to those that rules get: each once, without credentials. A channel
 * that doesn't match the API isn't evaluable, because rules would pass if they don't find a field.
 */
import { z } from "zod";
import {
  alertChannel,
  alertChannelSubscription,
  formatOrigin,
  nullableText,
  originSchema,
} from "../provider/api";
import {
  documentedConfig,
  isEmpty,
  isMalformedCredential,
  isShown,
  isShownValue,
  redactedCredential,
  targetSettings,
  undocumentedTargets,
} from "../provider/credentials";
import { fieldsIn } from "../provider/problems";
import {
  type AlertChannel,
  type AuditedChannel,
  byNumber,
  type Credential,
  type GivenChannel,
  type NotEvaluableChannel,
} from "./channel";
import { type RuleSet } from "./ruleFile";

interface AuditedChannels {
  readonly audited: AuditedChannel[];
  readonly notEvaluable: NotEvaluableChannel[];
}

export function toAuditedChannels(channels: Iterable<GivenChannel>, ruleSet: RuleSet): AuditedChannels {
  /** Channels by id, then by origin. */
  const byId = new Map<string, Map<string, GivenChannel>>();
  for (const given of channels) {
    const channel = checked(given);
    const id = String(channel.id);
    const origins = byId.get(id) ?? new Map<string, GivenChannel>();
    byId.set(id, origins);
    const first = origins.get(channel.origin ?? "");
    origins.set(channel.origin ?? "", first === undefined ? channel : merged(first, channel));
  }
  const audited: AuditedChannel[] = [];
  const notEvaluable: NotEvaluableChannel[] = [];
  for (const [id, origins] of byId) {
    for (const channel of origins.values()) {
      const name = ruleSet.nameOf(id) ?? channel.name;
      // A reference has an origin only if several channels share the id.
      const reference = { name, origin: origins.size > 1 ? channel.origin : undefined };
      if ("reason" in channel) notEvaluable.push({ ...channel, ...reference });
      else audited.push(toAuditedChannel(channel, reference));
    }
  }
  return { audited: audited.sort(byNumber), notEvaluable: notEvaluable.sort(byNumber) };
}

function checked(channel: GivenChannel): GivenChannel {
  if ("reason" in channel) return channel;
  const reason = contractProblem(channel, true);
  return reason === undefined ? channel : withReason(channel, reason);
}

function withReason({ id, name, origin }: GivenChannel, reason: string): NotEvaluableChannel {
  return { id, name, origin, reason };
}

/** Merges two records of one channel to the first; not evaluable if they differ in what is audited. */
function merged(first: GivenChannel, second: GivenChannel): GivenChannel {
  if ("reason" in first) return first;
  if ("reason" in second) return { ...second, name: first.name };
  const content = (channel: AlertChannel) => JSON.stringify(toAuditedChannel(channel, {}));
  if (content(first) === content(second)) return first;
  return withReason(first, "it is recorded twice, and the records differ; run `pulumi refresh`");
}

/** Returns the channel without credentials, undocumented fields and empty settings. Expects a channel that matches the API. */
function toAuditedChannel(
  channel: AlertChannel,
  { name, origin }: Pick<AuditedChannel, "name" | "origin">,
): AuditedChannel {
  const { id, type } = channel;
  const config: Record<string, unknown> = {};
  const credentials: Record<string, Credential> = {};
  for (const [key, value] of Object.entries(documentedConfig(channel))) {
    if (isEmpty(value)) continue;
    if (isShownValue(key, value)) config[key] = value;
    else credentials[key] = credentialFacts.safeParse(value).data ?? {};
  }
  const target = targetSettings.get(type) ?? "";
  if (!isShown(target) && !Object.hasOwn(channel.config, target))
    credentials[target] = { secretPart: "hidden" };
  const subscriptions = channel.subscriptions?.map((each) => subscription.parse(each));
  return {
    ...{ id, name, origin, type, config, credentials, subscriptions },
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

const absent =
  "it didn't exist on the service at the last refresh; remove its resource, or run `pulumi refresh` if it is back";

/**
 * Returns the channel in the outputs of a resource `AlertChannel`; not evaluable if they don't have the form that this package
 * stores.
 *
 * @param name Name of the resource.
 * @param fallbackId Id of the channel if the outputs have none. Default: the name.
 */
export function observedChannel(name: string, value: unknown, fallbackId: string = name): GivenChannel {
  const { data, error } = stored.safeParse(value);
  if (error) {
    const unusable = fieldsIn(error, "all of them").join(", ");
    const { channelId } = z
      .object({ channelId: outputs.shape.channelId.catch(fallbackId) })
      .catch({ channelId: fallbackId })
      .parse(value);
    return {
      id: channelId,
      name,
      reason: `its outputs in the stack are unusable (${unusable}); run \`pulumi refresh\``,
    };
  }
  const { channelId, missing, origin, ...rest } = data;
  const reference = { id: channelId, name, ...(origin && { origin: formatOrigin(origin) }) };
  if (missing === true) return { ...reference, reason: absent };
  const channel = { ...rest, ...reference };
  const reason = contractProblem(channel);
  return reason === undefined ? channel : { ...reference, reason };
}

const anyId = z.union([z.string().min(1), z.number()]);
const optionalId = anyId.nullish().or(z.literal(""));

/** The schema of a channel as the service returns it, or with the names of outputs. */
const contract = alertChannel.extend({
  id: anyId,
  subscriptions: z
    .array(alertChannelSubscription.extend({ id: optionalId, checkId: optionalId, groupId: optionalId }))
    .nullish(),
  createdAt: nullableText,
  updatedAt: nullableText,
});

/**
 * Returns why a channel can't be audited: fields whose value doesn't have the documented type; undefined if there are none.
 *
 * @param allowsPlain True if credentials may be in plain text, without facts.
 */
function contractProblem(channel: unknown, allowsPlain = false): string | undefined {
  const { data, error } = contract.safeParse(channel);
  if (error) return notDocumented(fieldsIn(error, "the channel"));
  const { type, config } = data;
  const settings = Object.entries(config).filter(([, value]) => !isEmpty(value));
  const wrong = settings.filter(([key, value]) => !hasDocumentedType(key, value, allowsPlain));
  if (wrong.length > 0) return notDocumented(wrong.map(([key]) => configKey(key)));
  const others = undocumentedTargets({ type, config });
  if (others.length === 0) return undefined;
  return `the API doesn't document these fields, which may be its target: ${listed(others.map(configKey))}; ${update}`;
}

function hasDocumentedType(key: string, value: unknown, allowsPlain: boolean): boolean {
  if (key === "slackChannels") return z.array(z.string()).safeParse(value).success;
  if (isShown(key)) return typeof value === "string";
  const { data } = credentialFacts.safeParse(value);
  return data ? data.isMalformed !== true : allowsPlain && !isMalformedCredential(key, value);
}

const update = "save the channel with documented fields, or update pulumi-monitoring-service";

function notDocumented(fields: readonly string[]): string {
  return `these fields don't match the API: ${listed(fields)}; ${update}`;
}

function configKey(key: string): string {
  return `config.${key}`;
}

function listed(fields: readonly string[]): string {
  return [...new Set(fields)].slice(0, 10).join(", ");
}
