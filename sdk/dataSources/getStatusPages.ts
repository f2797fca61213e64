import * as pulumi from "@pulumi/pulumi";
import type { StatusPage } from "../types";
import { dataSource, type Read } from "./dataSource";

/** How to read the status pages of an account. */
export interface GetStatusPagesArgs {
  /**
   * Status pages per request, 1 to 100. Default: 100.
   *
   * @integer
   */
  limit?: number;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The arguments of {@link getStatusPagesOutput}. */
export type GetStatusPagesOutputArgs = {
  [Name in keyof GetStatusPagesArgs]: pulumi.Input<GetStatusPagesArgs[Name]>;
};

/** All status pages of the account, in the service's order. */
export interface GetStatusPagesResult {
  /** The status pages; empty when the account has none. */
  statusPages: StatusPage[];
}

const read: Read<GetStatusPagesResult> = dataSource(
  async () => (await import("../../provider/lookups/getStatusPages")).getStatusPages,
);

/** Reads all status pages of the account, across all pages of the list (operation `listStatusPages`). */
export async function getStatusPages(args: GetStatusPagesArgs = {}): Promise<GetStatusPagesResult> {
  return read(args);
}

/** {@link getStatusPages} with outputs as arguments. */
export function getStatusPagesOutput(
  args: GetStatusPagesOutputArgs = {},
): pulumi.Output<GetStatusPagesResult> {
  return pulumi.output(args).apply(read);
}
