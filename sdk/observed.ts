/** Declares the observed resources. They adopt an existing object of the service and never change it. */
import * as pulumi from "@pulumi/pulumi";
import { type Input } from "@pulumi/pulumi";
import { type Without } from "../provider/api";
import { type AccountArgs } from "../provider/connection";
import { type RedactedCredential } from "../provider/credentials";
import { type ResourceType } from "../provider/engine";
import { type OutputArgs, pauseStackTraces, type ResourceOutputs } from "./program";
import { createRegistration, reportProblem } from "./registration";
import type * as types from "./returnedObjects";

/** The common arguments of observed resources. */
interface ObservedArgs<Expected> extends OutputArgs<AccountArgs> {
  /**
   * Expected values of the outputs. If the object differs, `pulumi preview` and `pulumi up` fail and list the expected and actual values. A
   * refresh only prints a notice. An unchanged object is read again only if it failed its last check, or with `pulumi up --refresh`.
   * Expected values must not be secrets, because messages contain them. Default: no expectations.
   */
  expect?: pulumi.Input<Expected | undefined>;
}

/**
 * Observes an existing object of the service and never changes it. Creating the resource reads the object, a refresh shows drift, and
 * deleting the resource only removes it from the state.
 */
abstract class ObservedResource<Expected> extends pulumi.CustomResource {
  /** @internal */
  static readonly isNative: boolean = false;

  /** Expected values of the outputs. */
  declare readonly expect: pulumi.Output<Expected | undefined>;
  /** Name of the account in `monitoring:accounts`. */
  declare readonly account: pulumi.Output<string | undefined>;
  /**
   * Whether the object was missing at the last refresh. The other outputs then keep their last values, and the next `pulumi up` fails
   * unless the object exists again.
   */
  declare readonly missing: pulumi.Output<boolean>;

  constructor(
    type: ResourceType,
    name: string,
    args: ObservedArgs<Expected>,
    options: pulumi.CustomResourceOptions = {},
  ) {
    const registration = createRegistration(type, name, { ...args }, options, new.target);
    const resumeStacks = pauseStackTraces();
    try {
      super(...registration);
    } finally {
      resumeStacks();
    }
    reportProblem(this);
  }
}

type ChannelFields = Without<types.AlertChannel, "id">;

/** Expected values of an alert channel's outputs. */
export interface AlertChannelExpectations extends Expectations<Without<ChannelFields, "config">> {
  /**
   * Settings by key. For a credential, expect the facts that the output contains, such as
   * `{ url: { scheme: "https", isReference: true } }`. The credential itself is rejected.
   */
  readonly config?: Expectation<
    Readonly<Record<string, string | number | boolean | readonly string[] | RedactedCredential>>
  >;
}

/** The arguments of {@link AlertChannel}. */
export interface AlertChannelArgs extends ObservedArgs<AlertChannelExpectations> {
  /** ID of the channel. A change replaces the resource. */
  channelId: pulumi.Input<string | number>;
}

/**
 * Observes an existing alert channel, to check its settings and to detect drift. The channel is never changed, and deleting the resource
 * only removes it from the state.
 *
 * The state never contains the channel's credentials, only fingerprints and other facts about them. A different fingerprint is drift. A
 * different fact about the same credential isn't, because a newer release may derive other facts.
 *
 * The run fails if:
 * - an argument is invalid (the error lists all problems)
 * - the channel doesn't exist, or the stack now uses another account or service
 * - the channel doesn't meet `expect`
 *
 * @remarks Calls operation `getAlertChannel`.
 *
 * `pulumi preview` and `pulumi up` read a resource that is new or changed, or that failed its last check. `pulumi refresh` reads every
 * resource, and `pulumi import` reads the imported resource. No other command sends requests.
 */
export class AlertChannel extends ObservedResource<AlertChannelExpectations> {
  /** ID of the channel. */
  declare readonly channelId: pulumi.Output<string>;

  constructor(name: string, args: AlertChannelArgs, options?: pulumi.CustomResourceOptions) {
    super("AlertChannel", name, args, options);
  }
}

export interface AlertChannel extends ResourceOutputs<ChannelFields> {}

type PageFields = Without<types.StatusPage, "id">;

/** Expected values of a status page's outputs. */
export type StatusPageExpectations = Expectations<PageFields>;

/** The arguments of {@link StatusPage}. */
export interface StatusPageArgs extends ObservedArgs<StatusPageExpectations> {
  /** ID of the page. A change replaces the resource. */
  statusPageId: pulumi.Input<string>;
}

/**
 * Observes an existing status page, to check its settings and to detect drift. The page is never changed, and deleting the resource only
 * removes it from the state.
 *
 * The run fails if:
 * - an argument is invalid (the error lists all problems)
 * - the page doesn't exist, or the stack now uses another account or service
 * - the page doesn't meet `expect`
 *
 * @remarks Calls operation `listStatusPages` and operation `listComponentPages`; for a page with components, also operation
 * `listComponents`.
 *
 * `pulumi preview` and `pulumi up` read a resource that is new or changed, or that failed its last check. `pulumi refresh` reads every
 * resource, and `pulumi import` reads the imported resource. No other command sends requests.
 */
export class StatusPage extends ObservedResource<StatusPageExpectations> {
  /** ID of the page. */
  declare readonly statusPageId: pulumi.Output<string>;

  constructor(name: string, args: StatusPageArgs, options?: pulumi.CustomResourceOptions) {
    super("StatusPage", name, args, options);
  }
}

export interface StatusPage extends ResourceOutputs<PageFields> {}

/**
 * Expectations for a value: for an object, the expectations for its fields (an omitted field may have any value); for a list, the
 * expectations for its items; for any other value, the value itself.
 */
export type Expectations<T> = T extends object ? { readonly [Name in keyof T]?: Expectation<T[Name]> } : T;

/**
 * Expectation for a value: {@link Expectations}, {@link Conditions}, or null if the value must not be set. Undefined allows any value.
 */
export type Expectation<T> = Input<
  Expectations<NonNullable<T>> | ConditionsOn<NonNullable<T>> | null | undefined
>;

/** Conditions on any value. All of them must hold. */
export interface Conditions<T> {
  /** The value must meet one of these expectations. */
  readonly oneOf?: readonly Input<Expectations<NonNullable<T>> | ConditionsOn<NonNullable<T>> | null>[];
  /** The value must not meet this expectation. `{ not: null }` requires a value. */
  readonly not?: Expectation<T>;
}

/** Conditions on a number. */
export interface NumberConditions {
  /** Minimum. */
  readonly atLeast?: Input<number | undefined>;
  /** Maximum. */
  readonly atMost?: Input<number | undefined>;
}

/** Conditions on a string. */
export interface TextConditions {
  /**
   * RE2 regular expression that must match a part of the string. RE2 supports neither lookaround nor backreferences. Use `^` and `$` to
   * match the whole string.
   */
  readonly matches?: Input<string | undefined>;
}

/** Conditions on a list. */
export interface ListConditions<Item> {
  /** At least one item must meet this expectation. */
  readonly contains?: Expectation<Item>;
}

/** The conditions that apply to a type of value. */
export type ConditionsOn<T> = Conditions<T> &
  ([Extract<T, number>] extends [never] ? unknown : NumberConditions) &
  ([Extract<T, string>] extends [never] ? unknown : TextConditions) &
  ([Extract<T, readonly unknown[]>] extends [never]
    ? unknown
    : ListConditions<Extract<T, readonly unknown[]>[number]>);
