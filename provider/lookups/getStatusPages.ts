import { type StatusPage, statusPage } from "../api";
import { operations } from "../api/operations";
import { documented } from "../values/documentedFields";
import { account, lookup, type LookupContext } from "./lookup";

const { limit } = operations.listStatusPages.query.shape;

export const getStatusPages = lookup({
  name: "getStatusPages",
  takes: { limit, account },
  read: async (args, context) => {
    const pages = await readStatusPages(args, context);
    return { statusPages: pages.map((page) => documented(statusPage, page)) };
  },
});

/** All status pages of the account, in the format of the API. */
export function readStatusPages(
  args: { readonly account?: string | undefined; readonly limit?: number | undefined },
  { connections }: LookupContext,
): Promise<readonly StatusPage[]> {
  return connections.connect(args.account).reads.statusPages.all(args.limit);
}
