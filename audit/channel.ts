/** An alert channel on its way into the audit. Past {@link toAuditedChannel} there is no credential left to print. */
import { z } from "zod";
import { hostClasses, isShownValue, type RedactedCredential } from "../provider/api/credentials";

/** What is known of a credential without knowing it. Nothing is known of one that was given in clear text. */
export interface Credential extends Readonly<Partial<RedactedCredential>> {
  /**
   * Whether the URL's host is in a domain, such as `example.com` or `*.example.com`. Only who has the credential at
   * hand can tell, so a stack's state doesn't; the host itself stays there.
   */
  readonly isInDomain?: (domain: string) => boolean;
}

/** A check, or a group of checks, that alerts through a channel. */
export interface Subscription {
  /** Identifier. */
  readonly id?: string | number | null;
  /** Check that is subscribed; null for a group. */
  readonly checkId?: string | number | null;
  /** Group that is subscribed; null for a check. */
  readonly groupId?: string | number | null;
  /** Whether alerts flow. What isn't said counts as yes. */
  readonly activated?: boolean | null;
}

interface Flags {
  /** Whether failures are sent. */
  readonly sendFailure?: boolean | null;
  /** Whether recoveries are sent. */
  readonly sendRecovery?: boolean | null;
  /** Whether degradations are sent. */
  readonly sendDegraded?: boolean | null;
  /** Whether expiring certificates are reported. */
  readonly sslExpiry?: boolean | null;
  /** Days before expiry at which reporting starts. */
  readonly sslExpiryThreshold?: number | null;
  /** Whether new checks are subscribed by themselves. */
  readonly autoSubscribe?: boolean | null;
}

/**
 * An alert channel as a caller gives it: as data sources and stacks hold it, or as the API sends it. Credentials in
 * `config` are expected as {@link Credential}s, which data sources and stacks have; those in clear text are dropped
 * at the door, and rules on them say that they can't tell.
 */
export interface AlertChannel extends Flags {
  /** Identifier. */
  readonly id: string | number;
  /** What people call it. A name in the rule file goes before. */
  readonly name?: string;
  /** Kind of target, such as `EMAIL`. */
  readonly type: string;
  /** Settings of the target, by type. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Checks subscribed to it. */
  readonly subscriptions?: readonly Subscription[] | null;
  /** When it was created. The API says `created_at`. */
  readonly createdAt?: string | null;
  readonly created_at?: string | null;
  /** When it was last changed. The API says `updated_at`. */
  readonly updatedAt?: string | null;
  readonly updated_at?: string | null;
}

/** An alert channel that couldn't be read. */
export interface UnreadableChannel {
  readonly id: string | number;
  readonly name?: string;
  /** Why not. */
  readonly reason: string;
}

/** An alert channel as rules see it. */
export interface AuditedChannel extends Flags {
  readonly id: string | number;
  readonly name?: string;
  readonly type: string;
  /** Settings that are no credentials. */
  readonly config: Readonly<Record<string, unknown>>;
  /** All other settings. */
  readonly credentials: Readonly<Record<string, Credential>>;
  readonly subscriptions: readonly Subscription[];
  readonly createdAt?: string | null;
  readonly updatedAt?: string | null;
}

/** Why a {@link Credential} has no facts. */
export const plaintextDiscarded = "was given in clear text, so it was dropped";

/** All that is taken of a credential, whatever else stands beside it. */
const facts: z.ZodType<Credential> = z.object({
  fingerprint: z.string(),
  isReference: z.boolean(),
  scheme: z.string().optional(),
  hostClass: z.enum(hostClasses).optional(),
  isInDomain: z.custom<(domain: string) => boolean>((value) => typeof value === "function").optional(),
});

/** The channel without what a report must not show. */
export function toAuditedChannel(channel: AlertChannel, name: string | undefined): AuditedChannel {
  const config: Record<string, unknown> = {};
  const credentials: Record<string, Credential> = {};
  for (const [key, value] of Object.entries(channel.config)) {
    if (value === null || value === undefined) continue;
    if (isShownValue(key, value)) config[key] = value;
    else credentials[key] = facts.safeParse(value).data ?? {};
  }
  return {
    id: channel.id,
    name,
    type: channel.type,
    config,
    credentials,
    subscriptions: (channel.subscriptions ?? []).map(documentedSubscription),
    sendFailure: channel.sendFailure,
    sendRecovery: channel.sendRecovery,
    sendDegraded: channel.sendDegraded,
    sslExpiry: channel.sslExpiry,
    sslExpiryThreshold: channel.sslExpiryThreshold,
    autoSubscribe: channel.autoSubscribe,
    createdAt: channel.createdAt ?? channel.created_at,
    updatedAt: channel.updatedAt ?? channel.updated_at,
  };
}

/** Without what a service may add to it. */
function documentedSubscription({ id, checkId, groupId, activated }: Subscription): Subscription {
  return { id, checkId, groupId, activated };
}

export function isActive({ activated }: Subscription): boolean {
  return activated !== false;
}
