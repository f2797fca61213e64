import { z } from "zod";
import { type AlertChannelType } from "./enums";
import { type ProjectBindings, projectBindings } from "./projectBindings";
import { type Dated, dates, flag, type Open, type Shape, text } from "./shared";

/** Days before expiry at which certificates may be reported. */
export const sslExpiryThresholdBounds = { least: 1, most: 30 } as const;

/** A check, or a group of checks, that alerts through a channel. */
export interface AlertChannelSubscription {
  /** Identifier. */
  id?: string | number | null;
  /** Check that is subscribed; null for a group. */
  checkId?: string | null;
  /** Group that is subscribed; null for a check. */
  groupId?: string | number | null;
  /** Whether the subscription is active. */
  activated?: boolean | null;
}

export const alertChannelSubscription = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  checkId: text,
  groupId: z.union([z.string(), z.number()]).nullish(),
  activated: flag,
} satisfies Shape<AlertChannelSubscription>);

/** A target that check alerts are delivered to. Its `config` contains credentials in plain text. */
export interface AlertChannel extends Dated {
  /**
   * Identifier.
   * @integer
   */
  id: number;
  /** Kind of target. */
  type: Open<AlertChannelType>;
  /** Settings of the target, by type. Contains credentials in plain text: never print it. */
  config: Record<string, unknown>;
  /** Checks subscribed to this channel. */
  subscriptions?: AlertChannelSubscription[] | null;
  /** Whether recoveries are sent. */
  sendRecovery?: boolean | null;
  /** Whether failures are sent. */
  sendFailure?: boolean | null;
  /** Whether degradations are sent. */
  sendDegraded?: boolean | null;
  /** Whether expiring certificates are reported. */
  sslExpiry?: boolean | null;
  /**
   * Days before expiry at which reporting starts: 1 to 30 as documented; some old channels have other values.
   * @integer
   */
  sslExpiryThreshold?: number | null;
  /** Whether new checks are subscribed automatically. */
  autoSubscribe?: boolean | null;
  /** The project that manages it as code, or none. Missing where the service doesn't say. */
  projectBindings?: ProjectBindings | null;
}

/** Deeper values overflow the stack of whatever walks through them. */
const maxDepth = 50;

function isShallow(value: unknown, depth = maxDepth): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}

export const alertChannel = z.looseObject({
  id: z.number(),
  type: z.string().min(1),
  config: z
    .record(z.string(), z.unknown())
    .refine((config) => isShallow(config), { error: `must be nested at most ${maxDepth} levels deep` }),
  subscriptions: z.array(alertChannelSubscription).nullish(),
  sendRecovery: flag,
  sendFailure: flag,
  sendDegraded: flag,
  sslExpiry: flag,
  sslExpiryThreshold: z.number().nullish(),
  autoSubscribe: flag,
  projectBindings: projectBindings.nullish(),
  ...dates,
} satisfies Shape<AlertChannel>);
