/** Runs policies without an engine and returns their violations. */
import type { PolicyResource, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

export interface Declared {
  readonly kind: "AlertChannel" | "Incident" | "IncidentUpdate";
  readonly name?: string;
  readonly props: Record<string, unknown>;
  /** Default: `shop/test`. */
  readonly stack?: string | undefined;
}

const isNotThere = () => {
  throw new Error("There is no engine.");
};
const context = {
  stackTags: new Map<string, string>(),
  getConfig: isNotThere,
  notApplicable: isNotThere,
  isType: () => false,
  asType: () => undefined,
};
export const buildUrn = (kind: string, name: string, [project = "", stack = ""]: readonly string[]) =>
  `urn:pulumi:${stack}::${project}::pulumi-nodejs:dynamic/monitoring:${kind}::${name}`;

function toResource({ kind, name = "it", props, stack = "shop/test" }: Declared): PolicyResource {
  return {
    type: `pulumi-nodejs:dynamic/monitoring:${kind}`,
    name,
    props,
    urn: buildUrn(kind, name, stack.split("/")),
    opts: {
      protect: false,
      ignoreChanges: [],
      aliases: [],
      customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
      additionalSecretOutputs: [],
    },
    dependencies: [],
    propertyDependencies: {},
    ...context,
  };
}

export async function stackViolations(
  policies: readonly StackValidationPolicy[],
  declared: readonly Declared[],
) {
  const violations: { policy: string; message: string; urn?: string | undefined }[] = [];
  for (const { name: policy, validateStack } of policies) {
    // The engine's SDK also creates new resources for each policy.
    const resources = declared.map(toResource);
    const report = (message: string, urn?: string) => violations.push({ policy, message, urn });
    await validateStack({ ...context, resources }, report);
  }
  return violations;
}

export async function resourceViolations(
  { validateResource = [] }: ResourceValidationPolicy,
  declared: Declared,
) {
  const messages: string[] = [];
  for (const validate of [validateResource].flat())
    await validate({ ...toResource(declared), ...context }, (message) => messages.push(message));
  return messages;
}
