import type * as pulumi from "@pulumi/pulumi";
import type { StatusPage } from "./returnedObjects";
import { type AccountArgs, dataSource, type OutputArgs } from "./dataSource";

/** The status page to read: exactly one of `id`, `name`, `url` and `customDomain`. */
export interface GetStatusPageArgs extends AccountArgs {
  /** Id of the page. */
  id?: string;
  /** Name of the page. */
  name?: string;
  /** Slug of the page, such as `acme-status`. */
  url?: string;
  /** Custom host name of the page. */
  customDomain?: string;
}

/** The arguments of {@link getStatusPageOutput}. */
export type GetStatusPageOutputArgs = OutputArgs<GetStatusPageArgs>;

const source = dataSource("getStatusPage");

/**
 * Finds one status page (operation `listStatusPages`).
 *
 * @throws NoMatchError when no status page matches. Lists the existing ones.
 * @throws AmbiguousMatchError when several status pages match. Lists them.
 */
export async function getStatusPage(
  args: GetStatusPageArgs,
  options?: pulumi.InvokeOptions,
): Promise<StatusPage> {
  return source.read(args, options);
}

/** {@link getStatusPage} with outputs as arguments. */
export function getStatusPageOutput(
  args: GetStatusPageOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<StatusPage> {
  return source.readOutput(args, options);
}
