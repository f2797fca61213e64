import { idsByName } from "./alertChannelNames";
import { readAlertChannel, revealCredentials } from "./readAlertChannel";
import { channelId, anyListOf, text } from "./lookupArguments";
import { account, lookup } from "./lookup";
import { readEach } from "./readEach";

const name = "getAlertChannels";

/** With `revealCredentials`, the caller marks the result as a secret. */
export const getAlertChannels = lookup({
  name,
  takes: {
    ids: anyListOf(channelId).optional(),
    names: anyListOf(text).optional(),
    revealCredentials,
    account,
  },
  atMostOneOf: ["ids", "names"],
  read: async (args, { connections }) => {
    const wanted = args.ids ?? idsByName(name, args.names, connections);
    return { alertChannels: await readEach(wanted, (one) => readAlertChannel(one, args, connections)) };
  },
});
