import * as pulumi from "@pulumi/pulumi";
import type { ResourceType } from "../../provider/engine/resourceTypes";
import { warnOfSettings } from "../program/stackSettings";
import { afterGates } from "../program/gates";
import { MonitoringError } from "../../provider/client/errors";
import { withoutStack } from "../../provider/engine/withoutStack";
import { registrationOf } from "../program/registration";
import { perRun } from "../program/run";
import { wellFormedArgs } from "../program/wellFormed";
import { pauseStacks } from "../program/debugStacks";
import { assertObservedImportable } from "./importRefusal";

/** The fields of an API object, as outputs of a resource. */
export type OutputsOf<T> = { readonly [Name in keyof T]-?: pulumi.Output<T[Name]> };

/** The common arguments of observed resources. */
export interface ObservedArgs<Expected> {
  /**
   * Expected values of the outputs. `pulumi preview` and `pulumi up` fail and list expected and actual values when the
   * object differs. Both read an object that is new or changed in the program; of any other they compare what the last read
   * stored, and `pulumi up --refresh` reads it again. A refresh only shows a notice. Expected values must not be secrets:
   * messages contain them. Default: no expectations.
   */
  expect?: pulumi.Input<Expected>;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: pulumi.Input<string>;
}

/**
 * An existing object of the service. Creating the resource reads the object, a refresh shows drift, and deleting the
 * resource only removes it from the state. The resource never changes the object.
 */
export abstract class ObservedResource<Expected> extends pulumi.CustomResource {
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
    warnOfSettings();
    const { token, outputs, inputs, aliases } = registrationOf(type, new.target);
    assertObservedImportable(type, name, options, new.target);
    const resumeStacks = pauseStacks();
    try {
      super(
        token,
        name,
        { ...outputs, ...wellFormedArgs(args), ...inputs, ...(pulumi.runtime.isDryRun() && collecting) },
        pulumi.mergeOptions(afterGates(options), { aliases }),
      );
    } finally {
      resumeStacks();
    }
    if (pulumi.runtime.isDryRun()) failWithProblemOf(this);
  }
}

/** In a preview, a provider returns what is wrong as an output. Its error would stop the preview before the next resource. */
const collecting = { __preview: {}, __problem: undefined };

/** The run continues to its end, and then fails: the rejection is handled by nobody but Pulumi. */
const failAtEnd = perRun(() => {
  const text = "The preview fails, because objects aren't as declared: see the errors of their resources.";
  void Promise.reject(withoutStack(new MonitoringError(text)));
});

function failWithProblemOf(resource: pulumi.CustomResource): void {
  const problem: unknown = Reflect.get(resource, "__problem");
  if (!pulumi.Output.isInstance(problem)) return;
  problem.apply((text) => {
    if (typeof text !== "string") return;
    void pulumi.log.error(text, resource);
    failAtEnd();
  });
}
