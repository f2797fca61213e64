import * as pulumi from "@pulumi/pulumi";
import type { StatusPage } from "../types";
import { dataSource, type Read } from "./dataSource";

/** Which status page to read: by just one of `id`, `name`, `url` and `customDomain`. */
export interface GetStatusPageArgs {
  /** Id of the page. */
  id?: string;
  /** Name of the page. */
  name?: string;
  /** Slug of the page, such as `acme-status`. */
  url?: string;
  /** Host name of the page's own. */
  customDomain?: string;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The same, with values that may not be known yet. */
export type GetStatusPageOutputArgs = {
  [Name in keyof GetStatusPageArgs]: pulumi.Input<GetStatusPageArgs[Name]>;
};

const read: Read<StatusPage> = dataSource(
  async () => (await import("../../provider/lookups/getStatusPage")).getStatusPage,
);

/**
 * Finds one status page (operation `listStatusPages`).
 *
 * @throws NoMatchError when none matches; it lists the status pages that there are.
 * @throws AmbiguousMatchError when several match; it lists them.
 */
export async function getStatusPage(args: GetStatusPageArgs): Promise<StatusPage> {
  return read(args);
}

/** {@link getStatusPage} with values that may not be known yet. */
export function getStatusPageOutput(args: GetStatusPageOutputArgs): pulumi.Output<StatusPage> {
  return pulumi.output(args).apply(read);
}
