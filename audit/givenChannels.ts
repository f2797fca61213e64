/**
 * Turns the channels that a program, the service or a stack gives into those that rules get: each once, without credentials.
 * A channel that isn't as the API documents it isn't evaluable, because rules would pass over what they don't find in it.
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
  /** By id, then by origin. */
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
      // Only where it distinguishes channels.
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

/** Of two records of one channel, the first one, unless they differ in what is audited. */
function merged(first: GivenChannel, second: GivenChannel): GivenChannel {
  if ("reason" in first) return first;
  if ("reason" in second) return { ...second, name: first.name };
  const content = (channel: AlertChannel) => JSON.stringify(toAuditedChannel(channel, {}));
  if (content(first) === content(second)) return first;
  return withReason(first, "it is recorded twice, and the records differ; run `pulumi refresh`");
}

/** The channel without credentials, undocumented fields and empty settings. It must be as the API documents it. */
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
  const subscriptions = channel.subscriptions?.map((each) => subscription.parse(each));
  return {
    ...{ id, name, origin, type, config, credentials, subscriptions },
    ...flags.parse(channel),
    createdAt: channel.createdAt ?? channel.created_at,
    updatedAt: channel.updatedAt ?? channel.updated_at,
  };
}

/** The only fields that are kept of a credential. */
const credentialFacts: z.ZodType<Credential> = redactedCredential.extend({
  fingerprint: z.string(),
  isInDomain: z.custom<(domain: string) => boolean>((value) => typeof value === "function").optional(),
});

const subscription = alertChannelSubscription
  .extend({ checkId: alertChannelSubscription.shape.groupId })
  .strip();

/** The fields that rules get as the API has them. */
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
 * The channel in the outputs of a resource `AlertChannel`; not evaluable when they aren't what this package stores.
 *
 * @param name Name of the resource.
 * @param fallbackId Id for outputs without one. Default: the name.
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

/** As the service returns it, or with the names of outputs. */
const contract = alertChannel.extend({
  id: anyId,
  subscriptions: z
    .array(alertChannelSubscription.extend({ id: optionalId, checkId: optionalId, groupId: optionalId }))
    .nullish(),
  createdAt: nullableText,
  updatedAt: nullableText,
});

/**
 * The fields of a channel whose value isn't of the documented type, as the reason why it can't be audited.
 *
 * @param allowsPlain Whether credentials may be in plain text, of which no facts are known.
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
