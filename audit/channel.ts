/** Describes an alert channel in each of its forms: as a caller passes it, as rules get it, and as a report names it. */
import type * as api from "../provider/api";
import type { RedactedCredential } from "../provider/credentials";
import { oneLine } from "../provider/texts";

/** Facts about a credential that don't reveal it. There are none when the credential was passed as plain text. */
export interface Credential extends Readonly<Partial<RedactedCredential>> {
  /**
   * Returns true if the URL's host is in a domain, such as `example.com` or `*.example.com`. Only known when the credential was
   * read from the service: a stack's state doesn't contain the host.
   */
  readonly isInDomain?: (domain: string) => boolean;
}

/** A check, or a group of checks, that alerts through a channel. */
export interface Subscription extends Readonly<Omit<api.AlertChannelSubscription, "checkId">> {
  /** Check that is subscribed; null for a group. */
  readonly checkId?: string | number | null;
}

/** The fields that the audit takes and shows unchanged. */
type Flags = Readonly<
  Omit<api.AlertChannel, "id" | "type" | "config" | "subscriptions" | "created_at" | "updated_at">
>;

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
  /** Time of its creation; `created_at` in the API. */
  readonly createdAt?: string | null;
  readonly created_at?: string | null;
  /** Time of its last change; `updated_at` in the API. */
  readonly updatedAt?: string | null;
  readonly updated_at?: string | null;
}

/** An alert channel on which no rule can be evaluated, such as one that couldn't be read. */
export interface NotEvaluableChannel extends Pick<AlertChannel, "id" | "name" | "origin"> {
  /** The reason why it couldn't be read. */
  readonly reason: string;
}

/** A channel as a caller passes it, or the reason why it can't be audited. */
export type GivenChannel = AlertChannel | NotEvaluableChannel;

/** A channel that was checked against the API, or the reason why it can't be audited. */
export type JudgedChannel = AuditedChannel | NotEvaluableChannel;

/** An alert channel as rules get it. */
export interface AuditedChannel extends Flags {
  readonly id: string | number;
  readonly name?: string;
  /** What its settings call it. */
  readonly title?: string;
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

/** A type or `webhookType`; the service may add others. */
export type ChannelTypeName = api.AlertChannelType | api.KnownWebhookType | (string & {});

type Typed = Pick<AuditedChannel, "type" | "config">;

/** Returns true if its type or its `webhookType` is one of these. */
export function hasType(channel: Typed, names: readonly string[]): boolean {
  return names.includes(channel.type) || names.includes(specificType(channel));
}

/** Returns the `webhookType` if the channel is an integration, or else its type. */
export function specificType({ type, config: { webhookType } }: Typed): string {
  const isIntegration =
    type === "WEBHOOK" && typeof webhookType === "string" && !genericTypes.includes(webhookType);
  return isIntegration ? webhookType : type;
}

/** Values of `webhookType` for a webhook that isn't an integration. */
const genericTypes = ["WEBHOOK", "WEBHOOK_GENERIC"];

/** Returns the subscriptions that aren't paused; undefined if the service didn't return any. */
export function activeSubscriptions({ subscriptions }: AuditedChannel): Subscription[] | undefined {
  return subscriptions?.filter(({ activated }) => activated !== false);
}

/** An alert channel in a report. */
export interface ChannelReference {
  /** Identifier. */
  readonly id: string | number;
  /** Name; missing when it has none. */
  readonly name?: string;
  /** What its settings call it; missing when it has a name, and when that might be a credential. */
  readonly title?: string;
  /** Account and service; missing unless channels of several accounts or services have the id. */
  readonly origin?: string;
  /** Missing when the channel isn't evaluable. */
  readonly type?: string;
}

/** Identifies the channel in a report. */
export function channelKey({ id, origin }: Pick<ChannelReference, "id" | "origin">): string {
  return origin === undefined ? String(id) : `${origin}/${id}`;
}

/** Returns a label such as `4107 operations-mail`. Its title or type replaces a missing name; no channel means `all channels`. */
export function channelLabel(channel: ChannelReference | undefined): string {
  if (channel === undefined) return "all channels";
  const { id, name, title, type, origin } = channel;
  return oneLine(
    [id, name ?? title ?? type, origin && `(${origin})`].filter((part) => part !== undefined).join(" "),
  );
}

/** Compares ids as numbers, so that 9 comes before 10, even if they are strings. */
export function byNumber({ id: a }: ChannelReference, { id: b }: ChannelReference): number {
  return Number(a) - Number(b) || String(a).localeCompare(String(b), "en");
}

/** Returns true for the id of a channel, and false for a name. Digits are always an id, even if a channel has them as its name. */
export function isId(idOrName: string | number): idOrName is number | `${number}` {
  return typeof idOrName === "number" || /^\d+$/.test(idOrName);
}
