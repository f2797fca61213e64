import * as pulumi from "@pulumi/pulumi";
import { connect } from "../connection";
import type { StatusPage } from "../types";
import { text, wholeNumber } from "./arguments";
import { sharedRead } from "./dataSource";

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

/** Often enough to see that it goes on, seldom enough not to fill a log. */
const progressEvery = 500;

/** What a walk through the list found. */
interface StatusPagesRead extends GetStatusPagesResult {
  /** Ids of the incidents of which the service didn't say which services they affect. */
  withoutServices: ReadonlySet<string>;
}

export const readStatusPages = sharedRead(
  { title: "getStatusPages", takes: { limit: wholeNumber(1, 100), account: text } },
  async ({ limit = 100, account }: GetStatusPagesArgs): Promise<StatusPagesRead> => {
    const { client } = await connect(account);
    const { statusPage } = await import("../documented");
    const statusPages: StatusPage[] = [];
    const withoutServices = new Set<string>();
    for await (const page of client.listStatusPages({ limit })) {
      statusPages.push(statusPage(page));
      for (const { id, services } of page.incidents ?? []) if (!services) withoutServices.add(id);
      if (statusPages.length % progressEvery === 0) {
        await pulumi.log.info(
          `getStatusPages: ${statusPages.length} status pages so far`,
          undefined,
          undefined,
          true,
        );
      }
    }
    return { statusPages, withoutServices };
  },
);

/** Reads all status pages, however many pages of the list they take (operation `listStatusPages`). */
export async function getStatusPages(args: GetStatusPagesArgs = {}): Promise<GetStatusPagesResult> {
  return readStatusPages(args).then(({ statusPages }) => structuredClone({ statusPages }));
}

/** {@link getStatusPages} with values that may not be known yet. */
export function getStatusPagesOutput(
  args: GetStatusPagesOutputArgs = {},
): pulumi.Output<GetStatusPagesResult> {
  return pulumi.output(args).apply(getStatusPages);
}
