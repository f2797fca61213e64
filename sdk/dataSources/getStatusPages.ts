import * as pulumi from "@pulumi/pulumi";
import type { StatusPage } from "../types";
import { dataSource, type Read } from "./dataSource";

/** Which status pages to read: always all of the account. */
export interface GetStatusPagesArgs {
  /** How many to ask for at a time, 1 to 100. Default: 100. */
  limit?: number;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The same, with values that may not be known yet. */
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

/** Reads all status pages, however many pages of the list they take (operation `listStatusPages`). */
export async function getStatusPages(args: GetStatusPagesArgs = {}): Promise<GetStatusPagesResult> {
  return read(args);
}

/** {@link getStatusPages} with values that may not be known yet. */
export function getStatusPagesOutput(
  args: GetStatusPagesOutputArgs = {},
): pulumi.Output<GetStatusPagesResult> {
  return pulumi.output(args).apply(read);
}
