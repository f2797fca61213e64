import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { Lookup } from "../../provider/lookups/lookup";
import { explicitProviderOf } from "../explicitProvider";
import { withLogErrors } from "../logErrors";
import { allConnections } from "../stackConnections";

/** The argument that every data source takes. */
export interface AccountArgs {
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The same arguments, each as a value or an output. */
export type OutputArgs<Args> = { [Name in keyof Args]: pulumi.Input<Args[Name]> };

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

/**
 * Creates a data source from a lookup, which is loaded with zod and axios on first use. An explicit provider, also of the
 * option `parent`, reads in the plugin; otherwise the program reads with the stack's configuration.
 */
export function dataSource<Shape extends z.ZodRawShape, Result>(
  name: string,
  load: () => Promise<Lookup<Shape, Result>>,
): DataSource<Result> {
  const token = `monitoring:index:${name}`;
  const inProgram = (args: object): Promise<Result> =>
    withLogErrors(async () => {
      const { runLookup } = await import("../../provider/lookups/lookup");
      const connections = await allConnections();
      return runLookup(await load(), args, { connections });
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
