/** Reads alert channels by id or by their name in the configuration. */
import { z } from "zod";
import { type AlertChannel, alertChannel } from "../api";
import { didYouMean } from "../texts/didYouMean";
import type { Id } from "../api/path";
import { InvalidInputError } from "../client/errors";
import type { ReadConnections } from "../connection/connections";
import { documentedConfig } from "../credentials/channelConfig";
import { redactConfig } from "../credentials/redact";
import type { RedactedConfig } from "../credentials/redactedCredential";
import { documented, type Documented } from "../values/outputs";
import { NoMatchError } from "./match";

type FoundAlertChannel = Omit<Documented<AlertChannel>, "config"> & {
  config: RedactedConfig;
};

/** The argument that requests credentials. */
export const revealCredentials = z.boolean({ error: "must be true or false" }).optional();

export async function readAlertChannel(
  id: Id,
  args: { readonly account?: string | undefined; readonly revealCredentials?: boolean | undefined },
  connections: ReadConnections,
): Promise<FoundAlertChannel> {
  const { reads, origin } = connections.connect(args.account);
  const found = await reads.alertChannel(id);
  const config = args.revealCredentials
    ? structuredClone(found.config)
    : documentedConfig({ ...found, config: redactConfig(found, origin.accountId) });
  return documented(alertChannel, { ...found, config });
}

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
