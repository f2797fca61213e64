import { didYouMean } from "../../texts/didYouMean";
import { oneLine } from "../../texts/printable";
import type { StatusPage } from "../../client";
import { AmbiguousMatchError, NoMatchError } from "./lookupErrors";

type Selector = "id" | "name" | "url" | "customDomain";

/**
 * @param lookup What was looked for, for errors.
 * @param by The fields that were compared with the value.
 * @throws NoMatchError when no status page matches, AmbiguousMatchError when several do.
 */
export function onlyMatch(
  lookup: string,
  by: readonly Selector[],
  value: string | number,
  matches: readonly StatusPage[],
  all: readonly StatusPage[],
): StatusPage {
  const [match] = matches;
  const wanted = `${lookup} "${value}"`;
  if (!match) {
    const similar = all.flatMap((page) => by.map((field) => oneLine(page[field] ?? "")));
    throw new NoMatchError(wanted, all.map(asCandidate), didYouMean(String(value), similar));
  }
  if (matches.length > 1) throw new AmbiguousMatchError(wanted, matches.map(asCandidate));
  return match;
}

function asCandidate({ id, name, url }: StatusPage): string {
  return oneLine(`${name} (id ${id}, url ${url})`);
}
