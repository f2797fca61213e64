/** Asks policies what they say, without an engine. */
import type { PolicyResource, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

export interface Violation {
  readonly policy: string;
  readonly message: string;
  /** What the violation is about; undefined for the whole stack. */
  readonly urn?: string | undefined;
}

interface DeclaredResource {
  readonly kind: "AlertChannel" | "IncidentUpdate";
  readonly name?: string;
  readonly props: Record<string, unknown>;
  /** Default: `shop/test`. */
  readonly stack?: string;
}

export async function stackViolations(
  policies: readonly StackValidationPolicy[],
  declared: readonly DeclaredResource[],
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { name: policy, validateStack } of policies) {
    // New ones for each policy, as the engine's SDK makes them.
    const resources = declared.map(resourceOf);
    const report = (message: string, urn?: string) => violations.push({ policy, message, urn });
    await validateStack({ resources, ...context }, report);
  }
  return violations;
}

export async function resourceViolations(
  policy: ResourceValidationPolicy,
  declared: DeclaredResource,
): Promise<string[]> {
  const messages: string[] = [];
  for (const validate of [policy.validateResource ?? []].flat()) {
    const args = { ...resourceOf(declared), ...context, asType: () => undefined };
    await validate(args, (message) => messages.push(message));
  }
  return messages;
}

const context = {
  stackTags: new Map<string, string>(),
  getConfig: () => {
    throw new Error("There is no configuration.");
  },
  notApplicable: () => {
    throw new Error("Not applicable.");
  },
};

function resourceOf({ kind, name = "it", props, stack = "shop/test" }: DeclaredResource): PolicyResource {
  const [project = "", stackName = ""] = stack.split("/");
  const type = `pulumi-nodejs:dynamic/monitoring:${kind}`;
  return {
    type,
    name,
    props,
    urn: `urn:pulumi:${stackName}::${project}::${type}::${name}`,
    opts: {
      protect: false,
      ignoreChanges: [],
      aliases: [],
      customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
      additionalSecretOutputs: [],
    },
    dependencies: [],
    propertyDependencies: {},
    isType: () => false,
    asType: () => undefined,
  };
}
