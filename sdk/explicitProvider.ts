import type * as pulumi from "@pulumi/pulumi";

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
