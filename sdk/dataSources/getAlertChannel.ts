import * as pulumi from "@pulumi/pulumi";
import type { AlertChannel } from "../types";
import { dataSource, type Read } from "./dataSource";

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

const load = () => import("../../provider/lookups/getAlertChannel");
const readFingerprinted: Read<AlertChannel> = dataSource(async () => (await load()).getAlertChannel);
const readRevealed: Read<AlertChannel> = dataSource(async () => (await load()).getRevealedAlertChannel);

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
