import type * as pulumi from "@pulumi/pulumi";
import type { AlertChannel } from "./returnedObjects";
import { type AccountArgs, dataSource, type OutputArgs } from "./dataSource";

/** The alert channels to read: `ids` or `names`. Default: all with a name. */
export interface GetAlertChannelsArgs extends AccountArgs {
  /** Ids of the channels. */
  ids?: (string | number)[];
  /** Names of the channels in `monitoring:alertChannels`, or in `alertChannels` of an explicit provider. */
  names?: string[];
}

/** The arguments of {@link getAlertChannelsOutput}. */
export type GetAlertChannelsOutputArgs = OutputArgs<GetAlertChannelsArgs> & {
  /**
   * Whether `config` contains credentials in plain text. The result is then a Pulumi secret; in Python, only the
   * result of `get_alert_channels_output` is. Default: false.
   */
  revealCredentials?: boolean;
};

/** Alert channels, in the order of `ids` or `names`. */
export interface GetAlertChannelsResult {
  /** The channels. Credentials are fingerprints unless `revealCredentials` is set. */
  alertChannels: AlertChannel[];
}

const source = dataSource("getAlertChannels");

/**
 * Reads several alert channels at once (operation `getAlertChannel`). Credentials are returned as fingerprints.
 *
 * @throws NoMatchError when a name is not configured. Lists the configured names.
 * @throws NotFoundError when the account has no channel with one of these ids.
 */
export async function getAlertChannels(
  args: GetAlertChannelsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetAlertChannelsResult> {
  // A program in JavaScript may pass more.
  return source.read({ ...args, revealCredentials: false }, options);
}

/** {@link getAlertChannels} with outputs as arguments, and with credentials on request. */
export function getAlertChannelsOutput(
  args: GetAlertChannelsOutputArgs = {},
  options?: pulumi.InvokeOptions,
): pulumi.Output<GetAlertChannelsResult> {
  return source.readOutput(args, options, args.revealCredentials);
}
