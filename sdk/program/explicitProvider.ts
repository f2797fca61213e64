import type * as pulumi from "@pulumi/pulumi";
import { declarationError } from "./declarationError";

type Options = Pick<pulumi.ComponentResourceOptions, "provider" | "providers" | "parent">;

/** The explicit provider of this package that Pulumi selects by the options of a resource or of a call. */
export function explicitProviderOf({ provider, providers, parent }: Options = {}): object | undefined {
  const listed = Object.values(providers ?? {}).find(isOfThisPackage);
  return provider ?? listed ?? parent?.getProvider("monitoring:index:Provider");
}

/** Not by the class: a program may contain several copies of this package. */
function isOfThisPackage(provider: pulumi.ProviderResource): boolean {
  return Reflect.get(provider, "pkg") === "monitoring";
}

/**
 * Gates and audits read in the program, with the stack's configuration.
 *
 * @throws RunError for an explicit provider, which would be ignored.
 */
export function assertNoProvider(
  type: string,
  name: string,
  options?: pulumi.ComponentResourceOptions,
): void {
  if (explicitProviderOf(options) === undefined) return;
  throw declarationError(
    type,
    name,
    "reads with the stack's configuration, and would ignore the explicit provider of its options or of its parent. " +
      "Declare it without them, and name the account by the argument `account`.",
  );
}
