import { idsByName, readAlertChannel, revealCredentials } from "./readAlertChannel";
import { type ArgumentsOf, channelId, text } from "./lookupArguments";
import { account, lookup, type LookupContext } from "./lookup";

const name = "getAlertChannel";
const takes = { id: channelId.optional(), name: text.optional(), account };
const exactlyOneOf = ["id", "name"] as const;

type Arguments = ArgumentsOf<typeof takes> & { readonly revealCredentials?: true };

async function read(args: Arguments, { connections }: LookupContext) {
  const [wanted = ""] = args.id === undefined ? idsByName(name, [args.name ?? ""], connections) : [args.id];
  return readAlertChannel(wanted, args, connections);
}

export const getAlertChannel = lookup({ name, takes, exactlyOneOf, read });

/** Returns credentials in plain text: the caller marks the result as a secret. */
export const getRevealedAlertChannel = lookup({
  name,
  takes: { ...takes, revealCredentials },
  exactlyOneOf,
  read,
});
