import { statusPage } from "../api";
import { documented } from "../values/documentedFields";
import { id, text } from "./lookupArguments";
import { readStatusPages } from "./getStatusPages";
import { account, lookup } from "./lookup";
import { onlyMatch } from "./match";

const selectors = ["id", "name", "url", "customDomain"] as const;

export const getStatusPage = lookup({
  name: "getStatusPage",
  takes: {
    id: id.optional(),
    name: text.optional(),
    url: text.optional(),
    customDomain: text.optional(),
    account,
  },
  exactlyOneOf: selectors,
  read: async (args, context) => {
    const pages = await readStatusPages({ account: args.account }, context);
    const [selector = "id"] = selectors.filter((each) => args[each] !== undefined);
    const wanted = String(args[selector] ?? "");
    const matches = pages.filter((page) => page[selector] === wanted);
    return documented(
      statusPage,
      onlyMatch(`getStatusPage with ${selector}`, [selector], wanted, matches, pages),
    );
  },
});
