import * as pulumi from "@pulumi/pulumi";
import { InvalidInputError } from "../../provider/client/errors";
import type { StatusPage } from "../types";
import { readStatusPages } from "./getStatusPages";
import { id, text } from "./arguments";
import { dataSource } from "./dataSource";

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
const mostCandidates = 10;

const read = dataSource(
  {
    title: "getStatusPage",
    takes: { id, name: text, url: text, customDomain: text, account: text },
    justOneOf: selectors,
  },
  async (args: GetStatusPageArgs): Promise<StatusPage> => {
    const { account } = args;
    const { statusPages } = await readStatusPages({ account });
    const given = selectors.filter((selector) => args[selector] !== undefined);
    const matches = statusPages.filter((page) =>
      given.every((selector) => page[selector] === args[selector]),
    );
    const [match] = matches;
    if (match && matches.length === 1) return match;
    throw noSingleMatch(given.join(), args, matches, statusPages);
  },
);

function noSingleMatch(
  selector: string,
  args: GetStatusPageArgs,
  matches: readonly StatusPage[],
  all: readonly StatusPage[],
): InvalidInputError {
  const value = Object.entries(args).find(([name]) => name === selector)?.[1];
  const candidates = (matches.length > 0 ? matches : all).map(
    ({ id, name, url }) => `${name} (id ${id}, url ${url})`,
  );
  const rest = candidates.length - mostCandidates;
  const list = candidates.slice(0, mostCandidates).join(", ") + (rest > 0 ? `, and ${rest} more` : "");
  const found =
    matches.length === 0
      ? "not found: no status page has it"
      : `ambiguous: ${matches.length} status pages have it`;
  return new InvalidInputError("getStatusPage", [
    { property: selector, reason: `"${value}" is ${found}. Candidates: ${list || "none"}` },
  ]);
}

/**
 * Finds one status page (section 4.6 of the service's API).
 *
 * @throws InvalidInputError when none, or several, match; it lists up to ten candidates in the service's order.
 */
export async function getStatusPage(args: GetStatusPageArgs): Promise<StatusPage> {
  return read(args);
}

/** {@link getStatusPage} with values that may not be known yet. */
export function getStatusPageOutput(args: GetStatusPageOutputArgs): pulumi.Output<StatusPage> {
  return pulumi.output(args).apply(read);
}
