import PQueue from "p-queue";
import { concurrentReads } from "../client/requestLimiter";
import { idsByName, readAlertChannel, revealCredentials } from "./readAlertChannel";
import { type ArgumentsOf, channelId, listOf, text } from "./arguments";
import { account, lookup, type LookupContext } from "./lookup";

const name = "getAlertChannels";
const takes = { ids: listOf(channelId).optional(), names: listOf(text).optional(), account };
const atMostOneOf = ["ids", "names"] as const;

type Arguments = ArgumentsOf<typeof takes> & { readonly revealCredentials?: true };

async function read(args: Arguments, { connections }: LookupContext) {
  const wanted = args.ids ?? idsByName(name, args.names, connections);
  const queue = new PQueue({ concurrency: concurrentReads });
  const alertChannels = await queue.addAll(
    wanted.map((one) => () => readAlertChannel(one, args, connections)),
  );
  return { alertChannels };
}

export const getAlertChannels = lookup({ name, takes, atMostOneOf, read });

/** Returns credentials in plain text: the caller marks the result as a secret. */
export const getRevealedAlertChannels = lookup({
  name,
  takes: { ...takes, revealCredentials },
  atMostOneOf,
  read,
});
