/**
 * What Pulumi's engine asks of a provider, and what it is told, as plain data. The adapters convert their messages to it and back, and know
 * no rule; a {@link Run} answers.
 */
import { type ResourceType } from "../engine";
import { type Properties, type ResourceState } from "../lifecycles";
import { type FromProgram } from "../programInput";
import { type Problem } from "../texts";

export interface Call {
  readonly verb: "check" | "diff" | "create" | "read" | "update" | "delete" | "import";
  /** True to say what a `create` or an `update` would do. What only reads is read, if it is known. */
  readonly isPreview?: boolean;
  readonly type: ResourceType;
  /** Empty where a dynamic provider isn't told it: what a program only reads, and a state that the native plugin wrote. */
  readonly urn: string;
  /** Empty for what has none yet. */
  readonly id?: string;
  /** The inputs of the state for a `check`, and its outputs otherwise. Missing for what is new. */
  readonly olds?: Properties;
  /** The inputs, in which the engine marks what isn't known yet. */
  readonly news?: Properties;
  /** Names of the new values that are secrets. Default: what the last `check` of the resource was told, and else all that may be. */
  readonly secrets?: ReadonlySet<string> | undefined;
  readonly oldSecrets?: ReadonlySet<string> | undefined;
  /** What only the program knows: of a `check`, whose answer every later verb depends on. */
  readonly program?: Partial<FromProgram> | undefined;
  /** True if the other adapter wrote the state, so that it must be written again. */
  readonly moves?: boolean;
  /** The user's limit of the operation, in milliseconds. */
  readonly limitMs?: number | undefined;
}

/** An answer has what its verb is asked for, or a failure. */
export interface Answer {
  readonly id?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  /** Names of the outputs that are secrets. */
  readonly secrets?: ReadonlySet<string>;
  readonly changes?: boolean;
  readonly replaces?: string[];
  /** What is wrong with the inputs. The reasons name the properties. */
  readonly problems?: Problem[];
  /** What a program that collects the problems of a preview is told instead of a failure. */
  readonly problem?: string;
  readonly failure?: Failure;
}

export interface Failure {
  /** A message for the user. */
  readonly text: string;
  /** What the state records all the same, because the operation may have taken effect. */
  readonly keeps?: ResourceState;
}
