import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { lookups } from "../../provider/lookups";
import type { Lookup } from "../../provider/lookups/lookup";
import { explicitProviderOf } from "../program/explicitProvider";
import { withLogErrors } from "../program/logErrors";
import { allConnections } from "../program/stackConnections";

/** The argument that every data source takes. */
export interface AccountArgs {
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The same arguments, each as a value or an output. */
export type OutputArgs<Args> = { [Name in keyof Args]: pulumi.Input<Listed<Args[Name]>> };
type Listed<Value> = Value extends readonly (infer Item)[] ? pulumi.Input<Item>[] : Value;

/** A data source. The lookup checks the arguments. */
interface DataSource<Result> {
  read(args: object, options: pulumi.InvokeOptions | undefined): Promise<Result>;
  /** @param isSecret Whether the result is a secret. */
  readOutput(
    args: object,
    options: pulumi.InvokeOptions | undefined,
    isSecret?: boolean,
  ): pulumi.Output<Result>;
}

type Lookups = typeof lookups;
type Results = {
  [Name in keyof Lookups]: Awaited<ReturnType<Lookups[Name]["read"]>>;
};

/**
 * Creates a data source from the lookup of this name, which is loaded with zod and axios on first use. An explicit provider,
 * also of the option `parent`, reads in the plugin; otherwise the program reads with the stack's configuration.
 */
export function dataSource<Name extends keyof Lookups>(name: Name): DataSource<Results[Name]> {
  type Result = Results[Name];
  const token = `monitoring:index:${name}`;
  const inProgram = (args: object): Promise<Result> =>
    withLogErrors(async () => {
      const { runLookup } = await import("../../provider/lookups/lookup");
      const all: { readonly [Each in keyof Lookups]: Lookup<z.ZodRawShape, Results[Each]> } = (
        await import("../../provider/lookups")
      ).lookups;
      return runLookup(all[name], args, { connections: await allConnections() });
    });
  return {
    read: (args, options) =>
      explicitProviderOf(options)
        ? // Pulumi doesn't type the result of a function.
          (pulumi.runtime.invoke(token, { ...args }, options) as Promise<Result>)
        : inProgram(args),
    readOutput: (args, options, isSecret = false) =>
      explicitProviderOf(options)
        ? pulumi.runtime.invokeOutput<Result>(token, { ...args }, options)
        : (isSecret ? pulumi.secret(args) : pulumi.output(args)).apply(inProgram),
  };
}
