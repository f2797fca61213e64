import * as pulumi from "@pulumi/pulumi";
import type { AlertChannel } from "../types";
import { type Credentials, idsByName, readAlertChannel, signatureFor } from "./alertChannels";
import { id, text } from "./arguments";
import { dataSource } from "./dataSource";

/** Which alert channel to read: by `id` or by `name`, just one of them. */
export interface GetAlertChannelArgs {
  /** Id of the channel. */
  id?: string | number;
  /** Name of the channel in `monitoring:alertChannels`. */
  name?: string;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The same, with values that may not be known yet. */
export interface GetAlertChannelOutputArgs {
  /** Id of the channel. */
  id?: pulumi.Input<string | number>;
  /** Name of the channel in `monitoring:alertChannels`. */
  name?: pulumi.Input<string>;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: pulumi.Input<string>;
  /** Whether `config` holds the credentials themselves; the result is then a Pulumi secret. Default: false. */
  revealCredentials?: boolean;
}

const signature = {
  title: "getAlertChannel",
  takes: { id, name: text, account: text },
  justOneOf: ["id", "name"],
};

const readWith = (credentials: Credentials) =>
  dataSource(
    signatureFor(credentials, signature),
    async (args: GetAlertChannelArgs): Promise<AlertChannel> => {
      const [wanted = ""] =
        args.id === undefined ? await idsByName(signature.title, [args.name ?? ""]) : [args.id];
      return readAlertChannel(wanted, args.account, credentials);
    },
  );

const readFingerprinted = readWith("fingerprinted");
const readRevealed = readWith("revealed");

/**
 * Reads an alert channel (operation `getAlertChannel`). Its credentials are given as fingerprints.
 *
 * @throws NoMatchError when the name is not configured; it lists those that are.
 * @throws NotFoundError when the account has no channel with this id.
 */
export async function getAlertChannel(args: GetAlertChannelArgs): Promise<AlertChannel> {
  return readFingerprinted(args);
}

/** {@link getAlertChannel} with values that may not be known yet, and with credentials where they are asked for. */
export function getAlertChannelOutput(args: GetAlertChannelOutputArgs): pulumi.Output<AlertChannel> {
  const { revealCredentials, ...wanted } = args;
  return revealCredentials
    ? pulumi.secret(args).apply(readRevealed)
    : pulumi.output(wanted).apply(readFingerprinted);
}
