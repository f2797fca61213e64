/** What the service stores as a type or a `webhookType`: every integration without a type of its own is a WEBHOOK. */
import { oneLine } from "../provider/texts";
import {
  alertChannel,
  alertChannelSubscription,
  type AlertChannelType,
  alertChannelTypes,
  type KnownWebhookType,
  knownWebhookTypes,
} from "../provider/api";
import {
  documentedConfig,
  isEmpty,
  isShownValue,
  redactedCredential,
  type RedactedCredential,
} from "../provider/credentials";
import { z } from "zod";
import type * as api from "../provider/api";

// How results name an alert channel.

/** An alert channel in a report. */
export interface ChannelReference {
  /** Identifier. */
  readonly id: string | number;
  /** Name; missing when it has none. */
  readonly name?: string;
  /** Account and service; missing unless channels of several accounts or services have the id. */
  readonly origin?: string;
  /** Missing when the channel isn't evaluable. */
  readonly type?: string;
}

/** Identifies the channel in a report. */
export function channelKey({ id, origin }: Pick<ChannelReference, "id" | "origin">): string {
  return origin === undefined ? String(id) : `${origin}/${id}`;
}

/** `4107 operations-mail`, with the type of a channel without a name; `all channels` for a result without one. */
export function channelLabel(channel: ChannelReference | undefined): string {
  if (channel === undefined) return "all channels";
  const { id, name, type, origin } = channel;
  return oneLine([id, name ?? type, origin && `(${origin})`].filter((part) => part !== undefined).join(" "));
}

/** By number, so that 9 is before 10, from whatever source the channels are. */
export function byNumber({ id: a }: ChannelReference, { id: b }: ChannelReference): number {
  return Number(a) - Number(b) || String(a).localeCompare(String(b), "en");
}

// The input of the audit. {@link toAuditedChannel} removes all credentials, so that no report can show one.

/** Facts about a credential that don't reveal it. There are none when the credential was passed as plain text. */
export interface Credential extends Readonly<Partial<RedactedCredential>> {
  /**
   * Whether the URL's host is in a domain, such as `example.com` or `*.example.com`. Only known when the credential was
   * read from the service: a stack's state doesn't contain the host.
   */
  readonly isInDomain?: (domain: string) => boolean;
}

/** A check, or a group of checks, that alerts through a channel. */
export interface Subscription extends Readonly<Omit<api.AlertChannelSubscription, "checkId">> {
  /** Check that is subscribed; null for a group. */
  readonly checkId?: string | number | null;
}

/** The fields of the API's object that the audit has otherwise. */
const changed = {
  id: true,
  type: true,
  config: true,
  subscriptions: true,
  created_at: true,
  updated_at: true,
} as const;

/** The fields that the audit takes and shows as the API has them. */
type Flags = Readonly<Omit<api.AlertChannel, keyof typeof changed>>;

const flags = alertChannel.omit(changed).strip();
const subscription = alertChannelSubscription
  .extend({ checkId: alertChannelSubscription.shape.groupId })
  .strip();

/**
 * An alert channel to audit: from a data source, from a stack, or as the API returns it. Credentials in `config` are
 * expected as {@link Credential}s, as data sources and stacks have them. Plain-text credentials are discarded, and
 * rules on them are reported as not evaluable.
 */
export interface AlertChannel extends Flags {
  /** Identifier. */
  readonly id: string | number;
  /** Name. A name in the rule file takes precedence. */
  readonly name?: string;
  /** Type of target, such as `EMAIL`. */
  readonly type: string;
  /** Account and service. Channels with one id and different origins are different channels. Default: the same for all. */
  readonly origin?: string;
  /** Settings of the target, by type. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Checks subscribed to it. A stack and a data source have an empty list when the service didn't return them. */
  readonly subscriptions?: readonly Subscription[] | null;
  /** When it was created; `created_at` in the API. */
  readonly createdAt?: string | null;
  readonly created_at?: string | null;
  /** When it was last changed; `updated_at` in the API. */
  readonly updatedAt?: string | null;
  readonly updated_at?: string | null;
}

/** An alert channel on which no rule can be evaluated, such as one that couldn't be read. */
export interface NotEvaluableChannel extends Pick<AlertChannel, "id" | "name" | "origin"> {
  /** Why not. */
  readonly reason: string;
}

/** A channel to audit, or the reason why it can't be. */
export type GivenChannel = AlertChannel | NotEvaluableChannel;

/** An alert channel as rules get it. */
export interface AuditedChannel extends Flags {
  readonly id: string | number;
  readonly name?: string;
  /** Account and service; only set when channels of several have the id. */
  readonly origin?: string;
  readonly type: string;
  /** Settings that aren't credentials. */
  readonly config: Readonly<Record<string, unknown>>;
  /** All other settings. */
  readonly credentials: Readonly<Record<string, Credential>>;
  /** Undefined when the service didn't return them. */
  readonly subscriptions?: readonly Subscription[];
  readonly createdAt?: string | null;
  readonly updatedAt?: string | null;
}

/** The only fields that are kept of a credential. */
export const credentialFacts: z.ZodType<Credential> = redactedCredential.extend({
  fingerprint: z.string(),
  isInDomain: z.custom<(domain: string) => boolean>((value) => typeof value === "function").optional(),
});

/** The channel without credentials, undocumented fields and empty settings. It must be as the API documents it. */
export function toAuditedChannel(
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

export function isActive({ activated }: Subscription): boolean {
  return activated !== false;
}

/** A type or `webhookType`; the service may add others. */
export type ChannelTypeName = AlertChannelType | KnownWebhookType | (string & {});

export const knownTypeNames: readonly string[] = [...alertChannelTypes, ...knownWebhookTypes];

/** Values of `webhookType` for a webhook that isn't an integration. */
const genericTypes = ["WEBHOOK", "WEBHOOK_GENERIC"];

type Typed = Pick<AuditedChannel, "type" | "config">;

/** The `webhookType` if the channel is an integration, or else its type. */
export function specificType({ type, config: { webhookType } }: Typed): string {
  const isIntegration =
    type === "WEBHOOK" && typeof webhookType === "string" && !genericTypes.includes(webhookType);
  return isIntegration ? webhookType : type;
}

/** Whether its type or its `webhookType` is one of these. */
export function hasType(channel: Typed, names: readonly string[]): boolean {
  return names.includes(channel.type) || names.includes(specificType(channel));
}

export function isKnownIntegration(name: string): boolean {
  return knownWebhookTypes.some((known) => known === name);
}
