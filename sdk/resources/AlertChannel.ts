import type * as pulumi from "@pulumi/pulumi";
import type { RedactedCredential } from "../../provider/credentials/redactedCredential";
import type * as types from "../dataSources/returnedObjects";
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
 * Observes an existing alert channel (operation `getAlertChannel`), and never changes it. A preview and `pulumi up` read a
 * channel that is new or changed in the program, and fail when the account has no such channel. A refresh shows drift. Deleting
 * the resource only removes it from the state. The state never contains credentials of the channel. A credential with another
 * fingerprint is drift; other facts about the same credential, as a newer release may derive, are not.
 *
 * @throws InvalidInputError for invalid arguments, with all problems; for a stack that now points to another account
 * or service.
 * @throws MonitoringError when the account has no such channel, or when the channel violates `expect`.
 */
export class AlertChannel extends ObservedResource<AlertChannelExpectations> {
  /** Id of the channel. */
  declare readonly channelId: pulumi.Output<string>;

  constructor(name: string, args: AlertChannelArgs, options?: pulumi.CustomResourceOptions) {
    super("AlertChannel", name, args, options);
  }
}

export interface AlertChannel extends OutputsOf<Shown> {}
