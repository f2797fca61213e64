/** Declares the observed resources, which adopt an existing object of the service and never change it. */
import * as pulumi from "@pulumi/pulumi";
import { type Input } from "@pulumi/pulumi";
import { type Without } from "../provider/api";
import { type AccountArgs } from "../provider/connection";
import { type RedactedCredential } from "../provider/credentials";
import { type ResourceType } from "../provider/engine";
import { type OutputArgs, pauseStacks, type ResourceOutputs } from "./program";
import { registrationOf, reportProblemOf } from "./registration";
import type * as types from "./returnedObjects";

/** The common arguments of observed resources. */
interface ObservedArgs<Expected> extends OutputArgs<AccountArgs> {
  /**
   * Expected values of the outputs. `pulumi preview` and `pulumi up` fail and list expected and actual values when the
   * object differs. Both read an object that is new or changed in the program, or that wasn't as expected at the last read;
   * `pulumi up --refresh` reads every one. A refresh only shows a notice. Expected values must not be secrets:
   * messages contain them. Default: no expectations.
   */
  expect?: pulumi.Input<Expected | undefined>;
}

/**
 * An existing object of the service. Creating the resource reads the object, a refresh shows drift, and deleting the
 * resource only removes it from the state. The resource never changes the object.
 */
abstract class ObservedResource<Expected> extends pulumi.CustomResource {
  /** @internal */
  static readonly isNative: boolean = false;

  /** Expected values of the outputs. */
  declare readonly expect: pulumi.Output<Expected | undefined>;
  /** Name of the account in `monitoring:accounts`. */
  declare readonly account: pulumi.Output<string | undefined>;
  /**
   * Whether the last refresh didn't find the object. The other outputs then keep their last values, and the next
   * `pulumi up` fails unless the object exists again.
   */
  declare readonly missing: pulumi.Output<boolean>;

  constructor(
    type: ResourceType,
    name: string,
    args: ObservedArgs<Expected>,
    options: pulumi.CustomResourceOptions = {},
  ) {
    const registration = registrationOf(type, name, { ...args }, options, new.target);
    const resumeStacks = pauseStacks();
    try {
      super(...registration);
    } finally {
      resumeStacks();
    }
    reportProblemOf(this);
  }
}

type ChannelFields = Without<types.AlertChannel, "id">;

/** Expectations for the outputs of an alert channel. */
export interface AlertChannelExpectations extends Expectations<Without<ChannelFields, "config">> {
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
 * The run fails for invalid arguments, with all problems; for a stack that now points to another account or service; and when
 * the channel violates `expect`.
 */
export class AlertChannel extends ObservedResource<AlertChannelExpectations> {
  /** Id of the channel. */
  declare readonly channelId: pulumi.Output<string>;

  constructor(name: string, args: AlertChannelArgs, options?: pulumi.CustomResourceOptions) {
    super("AlertChannel", name, args, options);
  }
}

export interface AlertChannel extends ResourceOutputs<ChannelFields> {}

type PageFields = Without<types.StatusPage, "id">;

/** Expectations for the outputs of a status page. */
export type StatusPageExpectations = Expectations<PageFields>;

/** The status page to observe, and its expectations. */
export interface StatusPageArgs extends ObservedArgs<StatusPageExpectations> {
  /** Id of the page. A change replaces the resource. */
  statusPageId: pulumi.Input<string>;
}

/**
 * Observes an existing status page, with cards (operation `listStatusPages`) or with components (operation `listComponentPages` and
 * operation `listComponents`), and never changes it. A preview and `pulumi up` read a page that is new or changed in the program, and
 * fail when the account has no such page. A refresh shows drift. Deleting the resource only removes it from the state. The lists of
 * status pages are read once for all observed pages.
 *
 * The run fails for invalid arguments, with all problems; for a stack that now points to another account or service; and when
 * the page violates `expect`.
 */
export class StatusPage extends ObservedResource<StatusPageExpectations> {
  /** Id of the page. */
  declare readonly statusPageId: pulumi.Output<string>;

  constructor(name: string, args: StatusPageArgs, options?: pulumi.CustomResourceOptions) {
    super("StatusPage", name, args, options);
  }
}

export interface StatusPage extends ResourceOutputs<PageFields> {}

/**
 * Expectations for an object by field, where an omitted field may have any value; for a list by item; for any other value,
 * the value itself.
 */
export type Expectations<T> = T extends object ? { readonly [Name in keyof T]?: Expectation<T[Name]> } : T;

/**
 * The expectation for a value: {@link Expectations}, {@link Conditions}, or null when it must not be set. Undefined: any value.
 */
export type Expectation<T> = Input<
  Expectations<NonNullable<T>> | ConditionsOn<NonNullable<T>> | null | undefined
>;

/** Conditions on any value. All given conditions must hold. */
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
   * A regular expression of RE2, which has no lookaround and no backreferences, and must match a part of the string. Use
   * `^` and `$` to match the whole string.
   */
  readonly matches?: Input<string | undefined>;
}

/** Conditions on a list. */
export interface ListConditions<Item> {
  /** At least one item must meet this expectation. */
  readonly contains?: Expectation<Item>;
}

/** The conditions for the type of a value. */
export type ConditionsOn<T> = Conditions<T> &
  ([Extract<T, number>] extends [never] ? unknown : NumberConditions) &
  ([Extract<T, string>] extends [never] ? unknown : TextConditions) &
  ([Extract<T, readonly unknown[]>] extends [never]
    ? unknown
    : ListConditions<Extract<T, readonly unknown[]>[number]>);
