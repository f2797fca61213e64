import * as pulumi from "@pulumi/pulumi";
import type { StatusPage } from "../types";
import { dataSource, type Read } from "./dataSource";

/** The status page to read: exactly one of `id`, `name`, `url` and `customDomain`. */
export interface GetStatusPageArgs {
  /** Id of the page. */
  id?: string;
  /** Name of the page. */
  name?: string;
  /** Slug of the page, such as `acme-status`. */
  url?: string;
  /** Custom host name of the page. */
  customDomain?: string;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The arguments of {@link getStatusPageOutput}. */
export type GetStatusPageOutputArgs = {
  [Name in keyof GetStatusPageArgs]: pulumi.Input<GetStatusPageArgs[Name]>;
};

const read: Read<StatusPage> = dataSource(
  async () => (await import("../../provider/lookups/getStatusPage")).getStatusPage,
);

/**
 * Finds one status page (operation `listStatusPages`).
 *
 * @throws NoMatchError when no status page matches. Lists the existing ones.
 * @throws AmbiguousMatchError when several status pages match. Lists them.
 */
export async function getStatusPage(args: GetStatusPageArgs): Promise<StatusPage> {
  return read(args);
}

/** {@link getStatusPage} with outputs as arguments. */
export function getStatusPageOutput(args: GetStatusPageOutputArgs): pulumi.Output<StatusPage> {
  return pulumi.output(args).apply(read);
}
