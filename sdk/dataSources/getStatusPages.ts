import type * as pulumi from "@pulumi/pulumi";
import type { StatusPage } from "./returnedObjects";
import { type AccountArgs, dataSource, type OutputArgs } from "./dataSource";

/** How to read the status pages of an account. */
export interface GetStatusPagesArgs extends AccountArgs {
  /**
   * Status pages per request, 1 to 100. Default: 100.
   *
   * @integer
   */
  limit?: number;
}

/** The arguments of {@link getStatusPagesOutput}. */
export type GetStatusPagesOutputArgs = OutputArgs<GetStatusPagesArgs>;

/** All status pages of the account, in the service's order. */
export interface GetStatusPagesResult {
  /** The status pages; empty when the account has none. */
  statusPages: StatusPage[];
}

const source = dataSource("getStatusPages");

/** Reads all status pages of the account, across all pages of the list (operation `listStatusPages`). */
export async function getStatusPages(
  args: GetStatusPagesArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetStatusPagesResult> {
  return source.read(args, options);
}

/** {@link getStatusPages} with outputs as arguments. */
export function getStatusPagesOutput(
  args: GetStatusPagesOutputArgs = {},
  options?: pulumi.InvokeOptions,
): pulumi.Output<GetStatusPagesResult> {
  return source.readOutput(args, options);
}
