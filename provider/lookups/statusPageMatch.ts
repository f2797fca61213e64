import { oneLine } from "../api/printable";
import type { StatusPage } from "../client";
import { AmbiguousMatchError, NoMatchError } from "./lookupErrors";

/** @throws NoMatchError when no status page matches, AmbiguousMatchError when several do. */
export function onlyMatch(
  wanted: string,
  matches: readonly StatusPage[],
  all: readonly StatusPage[],
): StatusPage {
  const [match] = matches;
  if (!match) throw new NoMatchError(wanted, all.map(asCandidate));
  if (matches.length > 1) throw new AmbiguousMatchError(wanted, matches.map(asCandidate));
  return match;
}

function asCandidate({ id, name, url }: StatusPage): string {
  return oneLine(`${name} (id ${id}, url ${url})`);
}
