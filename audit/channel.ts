/** Defines the forms of an alert channel: as a caller passes it, as rules receive it, and as a report refers to it. */
import type * as api from "../provider/api";
import type { RedactedCredential } from "../provider/credentials";
import { toOneLine } from "../provider/texts";

/** Facts about a credential that don't reveal it. Empty if the credential was passed as plain text. */
export interface Credential extends Readonly<Partial<RedactedCredential>> {
  /**
   * Returns true if the URL's host is in a domain such as `example.com` or `*.example.com`. Only set if the channel was read from the
   * service, because a stack's state doesn't contain the host.
   */
  readonly isInDomain?: (domain: string) => boolean;
}

/** A check, or a group of checks, that alerts through a channel. */
export interface Subscription extends Readonly<Omit<api.AlertChannelSubscription, "checkId">> {
  /** ID of the subscribed check; null for a group. */
  readonly checkId?: string | number | null;
}

/** Fields that rules receive unchanged. */
type Flags = Readonly<
  Omit<api.AlertChannel, "id" | "type" | "config" | "subscriptions" | "created_at" | "updated_at">
>;

/**
 * An alert channel to audit, from a data source, a stack or the API. Credentials in `config` must be {@link Credential}s, as in data
 * sources and stacks. Plain-text credentials are discarded, and rules on them are reported as not evaluable.
 */
export interface AlertChannel extends Flags {
  /** Identifier. */
  readonly id: string | number;
  /** Name. A name in the rule file takes precedence. */
  readonly name?: string;
  /** Type of target, such as `EMAIL`. */
  readonly type: string;
  /** Account and service. Channels with the same ID and different origins are different channels. Default: one origin for all channels. */
  readonly origin?: string;
  /** Settings of the target, by type. */
  readonly config: Readonly<Record<string, unknown>>;
  /**
   * Checks that are subscribed to the channel. In stacks and data sources, the list is empty if the service didn't return subscriptions.
   */
  readonly subscriptions?: readonly Subscription[] | null;
  /** Creation time; `created_at` in the API. */
  readonly createdAt?: string | null;
  readonly created_at?: string | null;
  /** Time of the last change; `updated_at` in the API. */
  readonly updatedAt?: string | null;
  readonly updated_at?: string | null;
}

/** An alert channel that can't be audited, for example because it couldn't be read. */
export interface NotEvaluableChannel extends Pick<AlertChannel, "id" | "name" | "origin"> {
  /** Reason why the channel can't be audited. */
  readonly reason: string;
}

/** A channel as a caller passes it, or the reason why it can't be audited. */
export type GivenChannel = AlertChannel | NotEvaluableChannel;

/** A channel that was checked against the API, or the reason why it can't be audited, which by default fails the audit (`blocks`). */
export type CheckedChannel = AuditedChannel | (NotEvaluableChannel & { readonly blocks?: boolean });

/** An alert channel as rules receive it. */
export interface AuditedChannel extends Flags {
  readonly id: string | number;
  readonly name?: string;
  /** Label from the channel's settings, such as a service name or an email address. */
  readonly title?: string;
  /** Account and service if channels of several origins share the ID, or the address of a resource in a plan. */
  readonly origin?: string;
  readonly type: string;
  /** Settings that aren't credentials. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Facts about all other settings. */
  readonly credentials: Readonly<Record<string, Credential>>;
  /** Undefined if the service didn't return subscriptions. */
  readonly subscriptions?: readonly Subscription[];
  readonly createdAt?: string | null;
  readonly updatedAt?: string | null;
  /** The fields whose values a plan doesn't contain, such as `config.url`, with the reasons. */
  readonly unknown?: Readonly<Record<string, string>>;
  /** The fields whose values a plan marks as sensitive, such as `config.address`. Rules evaluate the values, but reports don't show them. */
  readonly sensitive?: readonly string[];
}

/** A `type` or `webhookType`. The service may add others. */
export type ChannelTypeName = api.AlertChannelType | api.KnownWebhookType | (string & {});

type Typed = Pick<AuditedChannel, "type" | "config">;

/** Returns true if the channel's type or `webhookType` is in `names`. */
export function hasType(channel: Typed, names: readonly string[]): boolean {
  return names.includes(channel.type) || names.includes(getSpecificType(channel));
}

/** Returns the `webhookType` if the channel is an integration, otherwise its type. */
export function getSpecificType({ type, config: { webhookType } }: Typed): string {
  const isIntegration =
    type === "WEBHOOK" && typeof webhookType === "string" && !genericTypes.includes(webhookType);
  return isIntegration ? webhookType : type;
}

/** Values of `webhookType` for a webhook that isn't an integration. */
const genericTypes = ["WEBHOOK", "WEBHOOK_GENERIC"];

/** Returns the subscriptions that aren't paused; undefined if the service didn't return any. */
export function listActiveSubscriptions({ subscriptions }: AuditedChannel): Subscription[] | undefined {
  return subscriptions?.filter(({ activated }) => activated !== false);
}

/** An alert channel in a report. */
export interface ChannelReference {
  /** Identifier. */
  readonly id: string | number;
  /** Name; missing if the channel has no name. */
  readonly name?: string;
  /** Label from the channel's settings. Missing if the channel has a name, or if the label might be a credential. */
  readonly title?: string;
  /** Account and service if channels of several accounts or services share the ID, or the address of a resource in a plan. */
  readonly origin?: string;
  /** Missing if the channel couldn't be read or doesn't match the API. */
  readonly type?: string;
}

/** Identifies the channel in a report. */
export function getChannelKey({ id, origin }: Pick<ChannelReference, "id" | "origin">): string {
  return origin === undefined ? String(id) : `${origin}/${id}`;
}

/** Returns a label such as `4107 operations-mail`, with the title if there is no name. For undefined, returns `all channels`. */
export function formatChannelLabel(channel: ChannelReference | undefined): string {
  if (channel === undefined) return "all channels";
  const { id, name, title, origin } = channel;
  const parts = new Set([id, name ?? title, origin && `(${origin})`]);
  return toOneLine([...parts].filter((part) => part !== undefined).join(" "));
}

/** Compares IDs as numbers, so that 9 comes before 10 even if the IDs are strings. */
export function compareById({ id: a }: ChannelReference, { id: b }: ChannelReference): number {
  return Number(a) - Number(b) || String(a).localeCompare(String(b), "en");
}

/** Returns true for a channel ID and false for a name. A string of digits is always treated as an ID, even if a channel has that name. */
export function isId(idOrName: string | number): idOrName is number | `${number}` {
  return typeof idOrName === "number" || /^\d+$/.test(idOrName);
}
