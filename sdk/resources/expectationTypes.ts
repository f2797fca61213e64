/** What a program may expect of the outputs of an observed resource. */
import type { Input } from "@pulumi/pulumi";

/**
 * What is expected of an object, by the names of its fields, where a field that is not named may be anything; of a
 * list, item by item; any other value stands for itself.
 */
export type Expectations<T> = T extends object ? { readonly [Name in keyof T]?: Expectation<T[Name]> } : T;

/** What is expected of a value: {@link Expectations}, or {@link Conditions}, or null when it must not be set. */
export type Expectation<T> = Input<Expectations<NonNullable<T>> | ConditionsOn<NonNullable<T>> | null>;

/** Conditions on any value. All that are given must hold. */
export interface Conditions<T> {
  /** It must be as one of these. */
  readonly oneOf?: readonly Expectation<T>[];
  /** It must not be so; `{ not: null }` says that it must be set. */
  readonly not?: Expectation<T>;
}

/** Conditions on a number. */
export interface NumberConditions {
  /** The least that it may be. */
  readonly atLeast?: Input<number>;
  /** The most that it may be. */
  readonly atMost?: Input<number>;
}

/** Conditions on a text. */
export interface TextConditions {
  /** A regular expression of JavaScript that must match somewhere in it: `^` and `$` bind it to the ends. */
  readonly matches?: Input<string>;
}

/** Conditions on a list. */
export interface ListConditions<Item> {
  /** At least one item must be so. */
  readonly contains?: Expectation<Item>;
}

type ConditionsOn<T> = Conditions<T> &
  ([Extract<T, number>] extends [never] ? unknown : NumberConditions) &
  ([Extract<T, string>] extends [never] ? unknown : TextConditions) &
  ([Extract<T, readonly unknown[]>] extends [never]
    ? unknown
    : ListConditions<Extract<T, readonly unknown[]>[number]>);
