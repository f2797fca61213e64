import * as pulumi from "@pulumi/pulumi";
import type { ResourceType } from "../../provider/resourceTypes";
import { warnOfSettings } from "../stackConnections";
import { afterGates } from "../gates";
import { registrationOf } from "../registration";
import { wellFormedArgs } from "../wellFormed";
import { declarationError } from "./declarationError";

/** The fields of an object of the service, as outputs of a resource. */
export type OutputsOf<T> = { readonly [Name in keyof T]-?: pulumi.Output<T[Name]> };

/** What every observed resource takes. */
export interface ObservedArgs<Expected> {
  /**
   * What the outputs must be. `pulumi up` fails, with each expected and actual value, when it declares or changes the
   * resource and they aren't so, or when a refresh recorded that they aren't and they still aren't. A refresh only
   * tells. Expected values appear in messages: none may be a secret. Default: nothing is expected.
   */
  expect?: pulumi.Input<Expected>;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: pulumi.Input<string>;
}

/**
 * An object that exists on the service, adopted into the stack to be watched: declaring it reads it, a refresh shows
 * what changed, removing it forgets it. Nothing on the service is ever changed.
 */
export abstract class ObservedResource<Expected> extends pulumi.CustomResource {
  /** @internal */
  static readonly isNative: boolean = false;

  /** What the outputs must be. */
  declare readonly expect: pulumi.Output<Expected | undefined>;
  /** Name of the account in `monitoring:accounts`. */
  declare readonly account: pulumi.Output<string | undefined>;
  /**
   * Whether the last refresh didn't find it. The other outputs are then the last that were seen, and the next
   * `pulumi up` fails unless it's there again.
   */
  declare readonly missing: pulumi.Output<boolean>;

  /** @param outputs Pulumi gives a program only those outputs whose names it was told of. */
  constructor(
    kind: ResourceType,
    name: string,
    outputs: Readonly<Record<string, undefined>>,
    args: ObservedArgs<Expected>,
    options: pulumi.CustomResourceOptions = {},
  ) {
    warnOfSettings();
    const { token, inputs, aliases } = registrationOf(kind, new.target);
    const canImport = new.target.isNative;
    if (options.id !== undefined || (options.import !== undefined && !canImport)) {
      throw declarationError(
        kind,
        name,
        "can't be imported or read by id: declaring it reads the existing object. Remove the option.",
      );
    }
    super(
      token,
      name,
      { ...outputs, ...wellFormedArgs(args), ...inputs },
      pulumi.mergeOptions(afterGates(options), { aliases }),
    );
  }
}
