/** Which of the given channels can be audited, each once; of the others, why not. */
import { z } from "zod";
import { alertChannel, alertChannelSubscription, text, formatOrigin, originSchema } from "../provider/api";
import { isEmpty, isMalformedCredential, isShown, undocumentedTargets } from "../provider/credentials";
import {
  type AlertChannel,
  type AuditedChannel,
  byNumber,
  credentialFacts,
  type GivenChannel,
  type NotEvaluableChannel,
  toAuditedChannel,
} from "./channel";
import { type RuleSet } from "./ruleFile";

// Why a channel can't be audited: what isn't as the API documents it would pass rules that don't find it.

const anyId = z.union([z.string().min(1), z.number()]);
const optionalId = anyId.nullish().or(z.literal(""));

/** As the service returns it, or with the names of outputs. */
const contract = alertChannel.extend({
  id: anyId,
  subscriptions: z
    .array(alertChannelSubscription.extend({ id: optionalId, checkId: optionalId, groupId: optionalId }))
    .nullish(),
  createdAt: text,
  updatedAt: text,
});

/**
 * The fields of a channel whose value isn't of the documented type, as the reason why it can't be audited.
 *
 * @param allowsPlain Whether credentials may be in plain text, of which no facts are known.
 */
function contractProblem(channel: unknown, allowsPlain = false): string | undefined {
  const { data, error } = contract.safeParse(channel);
  if (error) return notDocumented(error.issues.map(({ path }) => path.join(".") || "the channel"));
  const { type, config } = data;
  const given = Object.entries(config).filter(([, value]) => !isEmpty(value));
  const wrong = given.filter(([key, value]) => !isDocumented(key, value, allowsPlain));
  if (wrong.length > 0) return notDocumented(wrong.map(([key]) => configKey(key)));
  const others = undocumentedTargets({ type, config });
  if (others.length === 0) return undefined;
  return `the API doesn't document these fields, which may be its target: ${listed(others.map(configKey))}; ${update}`;
}

function isDocumented(key: string, value: unknown, allowsPlain: boolean): boolean {
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

// The alert channels in a stack's state.

const absent =
  "it didn't exist on the service at the last refresh; remove its resource, or run `pulumi refresh` if it is back";

const { id, created_at, updated_at, ...fields } = alertChannel.shape;

const outputs = z.object({
  channelId: z.union([z.string(), id]),
  ...fields,
  missing: z.boolean().nullish(),
  createdAt: created_at,
  updatedAt: updated_at,
});

const stored = outputs.extend({ origin: originSchema.optional().catch(undefined) });

/** The outputs of a resource `AlertChannel` that the audit uses. */
export const observedOutputs = Object.keys(outputs.shape);

/**
 * The channel in the outputs of a resource `AlertChannel`; not evaluable when they aren't what this package stores.
 *
 * @param name Name of the resource.
 * @param fallbackId Id for outputs without one. Default: the name.
 */
export function observedChannel(name: string, value: unknown, fallbackId: string = name): GivenChannel {
  const { data, error } = stored.safeParse(value);
  if (error) {
    const fields = [...new Set(error.issues.map(({ path }) => path.join(".") || "all of them"))].join(", ");
    const { channelId } = z
      .object({ channelId: outputs.shape.channelId.catch(fallbackId) })
      .catch({ channelId: fallbackId })
      .parse(value);
    return {
      id: channelId,
      name,
      reason: `its outputs in the stack are unusable (${fields}); run \`pulumi refresh\``,
    };
  }
  const { channelId, missing, origin, ...channel } = data;
  const reference = { id: channelId, name, ...(origin && { origin: formatOrigin(origin) }) };
  if (missing === true) return { ...reference, reason: absent };
  const found = { ...channel, ...reference };
  const reason = contractProblem(found);
  return reason === undefined ? found : { ...reference, reason };
}

// The channels to audit, each once. What isn't as the API documents isn't evaluable: no rule may pass over it.

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
    const known = origins.get(channel.origin ?? "");
    origins.set(channel.origin ?? "", known === undefined ? channel : merged(known, channel));
  }
  const audited: AuditedChannel[] = [];
  const notEvaluable: NotEvaluableChannel[] = [];
  for (const [id, origins] of byId) {
    for (const channel of origins.values()) {
      const name = ruleSet.nameOf(id) ?? channel.name;
      // Only where it distinguishes channels.
      const shown = { name, origin: origins.size > 1 ? channel.origin : undefined };
      if ("reason" in channel) notEvaluable.push({ ...channel, ...shown });
      else audited.push(toAuditedChannel(channel, shown));
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
