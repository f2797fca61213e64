import { idsByName, readAlertChannel, revealCredentials } from "./readAlertChannel";
import { type ArgumentsOf, channelId, listOf, text } from "./lookupArguments";
import { account, lookup, type LookupContext } from "./lookup";
import { readEach } from "./readEach";

const name = "getAlertChannels";
const takes = { ids: listOf(channelId).optional(), names: listOf(text).optional(), account };
const atMostOneOf = ["ids", "names"] as const;

type Arguments = ArgumentsOf<typeof takes> & { readonly revealCredentials?: true };

async function read(args: Arguments, { connections }: LookupContext) {
  const wanted = args.ids ?? idsByName(name, args.names, connections);
  return { alertChannels: await readEach(wanted, (one) => readAlertChannel(one, args, connections)) };
}

export const getAlertChannels = lookup({ name, takes, atMostOneOf, read });

/** Returns credentials in plain text: the caller marks the result as a secret. */
export const getRevealedAlertChannels = lookup({
  name,
  takes: { ...takes, revealCredentials },
  atMostOneOf,
  read,
});
