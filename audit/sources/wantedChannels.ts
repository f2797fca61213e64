/** Which channels an audit reads: by id, or by a name from the configuration or the rule file. */
import type { Id } from "../../provider/client";
import type { RuleSet } from "..";
import { didYouMean } from "../suggest";
import type { WantedChannel } from "./readChannels";

/** Ids by name. */
export type Names = ReadonlyMap<string, Id>;

/** The names that there are; a name in the rules goes before one in the configuration. */
export function namesIn({ channels }: RuleSet, configured: Readonly<Record<string, Id>>): Names {
  return new Map([...Object.entries(configured), ...channels]);
}

/** The channels that are asked for, each once; all that have a name when none are asked for. */
export function wantedChannels(asked: readonly Id[], names: Names): WantedChannel[] {
  const ids = asked.length > 0 ? asked.map((one) => names.get(String(one)) ?? Number(one)) : names.values();
  const nameOf = new Map([...names].map(([name, id]) => [String(id), name]));
  const byId = new Map([...ids].map((id) => [String(id), id]));
  return [...byId].map(([key, id]) => ({ id, name: nameOf.get(key) }));
}

/** Those that are asked for and can't be channels, each with why not, as the end of a sentence. */
export function unknownChannels(asked: readonly Id[], names: Names): { asked: Id; reason: string }[] {
  return asked
    .filter((one) => !names.has(String(one)) && !/^\d{1,15}$/.test(String(one)))
    .map((one) => ({
      asked: one,
      reason: `is neither an id nor a name${hint(String(one), [...names.keys()])}`,
    }));
}

const mostNamed = 10;

function hint(wrong: string, names: readonly string[]): string {
  if (names.length === 0) return "; no channel has a name";
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return didYouMean(wrong, names) || `; names are ${names.slice(0, mostNamed).join(", ")}${more}`;
}
