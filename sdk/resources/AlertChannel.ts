import type * as pulumi from "@pulumi/pulumi";
import type { RedactedCredential } from "../../provider/api/credentials";
import type * as types from "../types";
import type { Expectation, Expectations } from "./expectationTypes";
import { type ObservedArgs, ObservedResource, type OutputsOf } from "./ObservedResource";

type Shown = Omit<types.AlertChannel, "id">;

/** What may be expected of an alert channel's outputs. */
export interface AlertChannelExpectations extends Expectations<Omit<Shown, "config">> {
  /**
   * Settings by key. Of a credential only what the output shows can be expected, such as
   * `{ url: { scheme: "https", isReference: true } }`; the credential itself is refused.
   */
  readonly config?: Expectation<
    Readonly<Record<string, string | number | boolean | readonly string[] | RedactedCredential>>
  >;
}

/** Which alert channel to observe, and what to expect of it. */
export interface AlertChannelArgs extends ObservedArgs<AlertChannelExpectations> {
  /** Id of the channel. Another id is another resource. */
  channelId: pulumi.Input<string | number>;
}

/**
 * Observes an alert channel that exists (operation `getAlertChannel`). Declaring it reads it, and fails
 * when the account has no such channel; a refresh shows what changed; removing it forgets it. Nothing on the service
 * is ever changed, and no credential is ever kept.
 *
 * @throws InvalidInputError for arguments that can't be right, all mistakes at once; for a stack that is pointed at
 * another account or service.
 * @throws MonitoringError when the account has no such channel, or it isn't as `expect` says.
 */
export class AlertChannel extends ObservedResource<AlertChannelExpectations> implements OutputsOf<Shown> {
  /** Id of the channel. */
  declare readonly channelId: pulumi.Output<string>;
  /** Kind of target. */
  declare readonly type: pulumi.Output<Shown["type"]>;
  /** Settings of the target, by type. Each credential among them is a fingerprint with a few facts about it. */
  declare readonly config: pulumi.Output<Shown["config"]>;
  /** Checks subscribed to this channel. */
  declare readonly subscriptions: pulumi.Output<Shown["subscriptions"]>;
  /** Whether recoveries are sent. */
  declare readonly sendRecovery: pulumi.Output<Shown["sendRecovery"]>;
  /** Whether failures are sent. */
  declare readonly sendFailure: pulumi.Output<Shown["sendFailure"]>;
  /** Whether degradations are sent. */
  declare readonly sendDegraded: pulumi.Output<Shown["sendDegraded"]>;
  /** Whether expiring certificates are reported. */
  declare readonly sslExpiry: pulumi.Output<Shown["sslExpiry"]>;
  /** Days before expiry at which reporting starts: 1 to 30 by contract, out of bounds on some old channels. */
  declare readonly sslExpiryThreshold: pulumi.Output<Shown["sslExpiryThreshold"]>;
  /** Whether new checks are subscribed by themselves. */
  declare readonly autoSubscribe: pulumi.Output<Shown["autoSubscribe"]>;
  /** When it was created. */
  declare readonly createdAt: pulumi.Output<Shown["createdAt"]>;
  /** When it was last changed; null when never. */
  declare readonly updatedAt: pulumi.Output<Shown["updatedAt"]>;

  constructor(name: string, args: AlertChannelArgs, options?: pulumi.CustomResourceOptions) {
    super("AlertChannel", name, outputs, args, options);
  }
}

const outputs = {
  account: undefined,
  autoSubscribe: undefined,
  channelId: undefined,
  config: undefined,
  createdAt: undefined,
  expect: undefined,
  missing: undefined,
  sendDegraded: undefined,
  sendFailure: undefined,
  sendRecovery: undefined,
  sslExpiry: undefined,
  sslExpiryThreshold: undefined,
  subscriptions: undefined,
  type: undefined,
  updatedAt: undefined,
} satisfies Record<Exclude<keyof AlertChannel, keyof pulumi.CustomResource>, undefined>;
