import { idsByName } from "./alertChannelNames";
import { readAlertChannel, revealCredentials } from "./readAlertChannel";
import { channelId, text } from "./lookupArguments";
import { account, lookup } from "./lookup";

const name = "getAlertChannel";

/** With `revealCredentials`, the caller marks the result as a secret. */
export const getAlertChannel = lookup({
  name,
  takes: { id: channelId.optional(), name: text.optional(), revealCredentials, account },
  exactlyOneOf: ["id", "name"],
  read: async (args, { connections }) => {
    const [wanted = ""] = args.id === undefined ? idsByName(name, [args.name ?? ""], connections) : [args.id];
    return readAlertChannel(wanted, args, connections);
  },
});
