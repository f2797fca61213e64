/** The names of alert channels in the configuration. */
import type { Id } from "../api/path";
import { InvalidInputError } from "../client/errors";
import type { ReadConnections } from "../connection/connections";
import { didYouMean } from "../texts/didYouMean";
import { NoMatchError } from "./match";

/** The ids of the channels with these names; without names, of all named channels. */
export function idsByName(
  lookupName: string,
  names: readonly string[] | undefined,
  { alertChannels, alertChannelsSetting, howToSetAlertChannels }: ReadConnections,
): Id[] {
  const existing = Object.keys(alertChannels);
  if (existing.length === 0) {
    const notSet = `because ${alertChannelsSetting} is not set: ${howToSetAlertChannels}`;
    const problem =
      names === undefined
        ? { property: "ids or names", reason: `must be given, ${notSet}` }
        : {
            property: lookupName === "getAlertChannels" ? "names" : "name",
            reason: `can't be found, ${notSet}`,
          };
    throw new InvalidInputError(lookupName, [problem]);
  }
  const missing = names?.filter((name) => !existing.includes(name)) ?? [];
  if (missing.length > 0) {
    const named = missing.map((name) => `"${name}"`).join(", ");
    const near = missing.map((name) => didYouMean(name, existing)).find((each) => each !== "");
    throw new NoMatchError(`${lookupName} with name ${named} in ${alertChannelsSetting}`, existing, near);
  }
  return (names ?? existing).flatMap((name) => alertChannels[name] ?? []);
}
