/** Types of the expectations of observed resources. */
import type { Input } from "@pulumi/pulumi";

/**
 * Expectations for an object by field, where an omitted field may have any value; for a list by item; for any other value,
 * the value itself.
 */
export type Expectations<T> = T extends object ? { readonly [Name in keyof T]?: Expectation<T[Name]> } : T;

/** The expectation for a value: {@link Expectations}, {@link Conditions}, or null when it must not be set. */
export type Expectation<T> = Input<Expectations<NonNullable<T>> | ConditionsOn<NonNullable<T>> | null>;

/** Conditions on any value. All given conditions must hold. */
export interface Conditions<T> {
  /** The value must meet one of these expectations. */
  readonly oneOf?: readonly Expectation<T>[];
  /** The value must not meet this expectation. `{ not: null }` requires a value. */
  readonly not?: Expectation<T>;
}

/** Conditions on a number. */
export interface NumberConditions {
  /** Minimum. */
  readonly atLeast?: Input<number>;
  /** Maximum. */
  readonly atMost?: Input<number>;
}

/** Conditions on a string. */
export interface TextConditions {
  /**
   * A regular expression of RE2, which has no lookaround and no backreferences, and must match a part of the string. Use
   * `^` and `$` to match the whole string.
   */
  readonly matches?: Input<string>;
}

/** Conditions on a list. */
export interface ListConditions<Item> {
  /** At least one item must meet this expectation. */
  readonly contains?: Expectation<Item>;
}

/** The conditions for the type of a value. */
type ConditionsOn<T> = Conditions<T> &
  ([Extract<T, number>] extends [never] ? unknown : NumberConditions) &
  ([Extract<T, string>] extends [never] ? unknown : TextConditions) &
  ([Extract<T, readonly unknown[]>] extends [never]
    ? unknown
    : ListConditions<Extract<T, readonly unknown[]>[number]>);
