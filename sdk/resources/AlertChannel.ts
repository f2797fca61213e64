import type * as pulumi from "@pulumi/pulumi";
import type { RedactedCredential } from "../../provider/credentials/redactedCredential";
import type * as types from "../types";
import type { Expectation, Expectations } from "./expectationTypes";
import { type ObservedArgs, ObservedResource, type OutputsOf } from "./ObservedResource";

type Shown = Omit<types.AlertChannel, "id">;

/** Expectations for the outputs of an alert channel. */
export interface AlertChannelExpectations extends Expectations<Omit<Shown, "config">> {
  /**
   * Settings by key. For a credential, expect the facts that the output shows, such as
   * `{ url: { scheme: "https", isReference: true } }`. The credential itself is rejected.
   */
  readonly config?: Expectation<
    Readonly<Record<string, string | number | boolean | readonly string[] | RedactedCredential>>
  >;
}

/** The alert channel to observe, and its expectations. */
export interface AlertChannelArgs extends ObservedArgs<AlertChannelExpectations> {
  /** Id of the channel. A change replaces the resource. */
  channelId: pulumi.Input<string | number>;
}

/**
 * Observes an existing alert channel (operation `getAlertChannel`). Creating the resource reads the
 * channel and fails when the account has no such channel; a refresh shows drift; deleting the resource only removes
 * it from the state. The resource never changes the channel. The state never contains its credentials. A credential with
 * another fingerprint is drift; other facts about the same credential, as a newer release may derive, are not.
 *
 * @throws InvalidInputError for invalid arguments, with all problems; for a stack that now points to another account
 * or service.
 * @throws MonitoringError when the account has no such channel, or when the channel violates `expect`.
 */
export class AlertChannel extends ObservedResource<AlertChannelExpectations> implements OutputsOf<Shown> {
  /** Id of the channel. */
  declare readonly channelId: pulumi.Output<string>;
  /** Type of the target. */
  declare readonly type: pulumi.Output<Shown["type"]>;
  /** Settings of the target, by type. Each credential is replaced by a `RedactedCredential`. */
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
  /**
   * Days before expiry at which reporting starts: 1 to 30 as documented; some old channels have other values.
   * @integer
   */
  declare readonly sslExpiryThreshold: pulumi.Output<Shown["sslExpiryThreshold"]>;
  /** Whether new checks are subscribed automatically. */
  declare readonly autoSubscribe: pulumi.Output<Shown["autoSubscribe"]>;
  /** The project that manages it as code, or none. Missing where the service doesn't say. */
  declare readonly projectBindings: pulumi.Output<Shown["projectBindings"]>;
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
  projectBindings: undefined,
  sendDegraded: undefined,
  sendFailure: undefined,
  sendRecovery: undefined,
  sslExpiry: undefined,
  sslExpiryThreshold: undefined,
  subscriptions: undefined,
  type: undefined,
  updatedAt: undefined,
} satisfies Record<Exclude<keyof AlertChannel, keyof pulumi.CustomResource>, undefined>;
