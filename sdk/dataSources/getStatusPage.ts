import * as pulumi from "@pulumi/pulumi";
import type { StatusPage } from "../types";
import { readStatusPages } from "./getStatusPages";
import { id, text } from "./arguments";
import { dataSource } from "./dataSource";
import { onlyMatch } from "./statusPageMatch";

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

const selectors = ["id", "name", "url", "customDomain"] as const;

const read = dataSource(
  {
    title: "getStatusPage",
    takes: { id, name: text, url: text, customDomain: text, account: text },
    justOneOf: selectors,
  },
  async (args: GetStatusPageArgs): Promise<StatusPage> => {
    const { account } = args;
    const { statusPages } = await readStatusPages({ account });
    const [selector = "id"] = selectors.filter((each) => args[each] !== undefined);
    const matches = statusPages.filter((page) => page[selector] === args[selector]);
    return onlyMatch(`getStatusPage with ${selector} "${args[selector]}"`, matches, statusPages);
  },
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
