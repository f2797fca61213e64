import * as pulumi from "@pulumi/pulumi";
import type { AlertChannel } from "../types";
import { dataSource, type Read } from "./dataSource";

/** Which alert channels to read: by `ids` or by `names`. Default: all in `monitoring:alertChannels`. */
export interface GetAlertChannelsArgs {
  /** Ids of the channels. */
  ids?: (string | number)[];
  /** Names of the channels in `monitoring:alertChannels`. */
  names?: string[];
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

/** The same, with values that may not be known yet. */
export interface GetAlertChannelsOutputArgs {
  /** Ids of the channels. */
  ids?: pulumi.Input<pulumi.Input<string | number>[]>;
  /** Names of the channels in `monitoring:alertChannels`. */
  names?: pulumi.Input<pulumi.Input<string>[]>;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: pulumi.Input<string>;
  /** Whether `config` holds the credentials themselves; the result is then a Pulumi secret. Default: false. */
  revealCredentials?: boolean;
}

/** Alert channels, in the order of the ids or names that were given. */
export interface GetAlertChannelsResult {
  /** The channels, with fingerprints for credentials unless these were asked for. */
  alertChannels: AlertChannel[];
}

const load = () => import("../../provider/lookups/getAlertChannels");
const readFingerprinted: Read<GetAlertChannelsResult> = dataSource(
  async () => (await load()).getAlertChannels,
);
const readRevealed: Read<GetAlertChannelsResult> = dataSource(
  async () => (await load()).getRevealedAlertChannels,
);

/**
 * Reads several alert channels at once (operation `getAlertChannel`). Credentials are given as fingerprints.
 *
 * @throws NoMatchError when a name is not configured; it lists those that are.
 * @throws NotFoundError when the account lacks a channel.
 */
export async function getAlertChannels(args: GetAlertChannelsArgs = {}): Promise<GetAlertChannelsResult> {
  return readFingerprinted(args);
}

/** {@link getAlertChannels} with values that may not be known yet, and with credentials where they are asked for. */
export function getAlertChannelsOutput(
  args: GetAlertChannelsOutputArgs = {},
): pulumi.Output<GetAlertChannelsResult> {
  const { revealCredentials, ...wanted } = args;
  return revealCredentials
    ? pulumi.secret(args).apply(readRevealed)
    : pulumi.output(wanted).apply(readFingerprinted);
}
