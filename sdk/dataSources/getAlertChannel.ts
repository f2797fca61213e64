import type * as pulumi from "@pulumi/pulumi";
import type { AlertChannel } from "./returnedObjects";
import { type AccountArgs, dataSource, type OutputArgs } from "./dataSource";

/** The alert channel to read: exactly one of `id` and `name`. */
export interface GetAlertChannelArgs extends AccountArgs {
  /** Id of the channel. */
  id?: string | number;
  /** Name of the channel in `monitoring:alertChannels`, or in `alertChannels` of an explicit provider. */
  name?: string;
}

/** The arguments of {@link getAlertChannelOutput}. */
export type GetAlertChannelOutputArgs = OutputArgs<GetAlertChannelArgs> & {
  /**
   * Whether `config` contains credentials in plain text. The result is then a Pulumi secret; in Python, only the
   * result of `get_alert_channel_output` is. Default: false.
   */
  revealCredentials?: boolean;
};

const source = dataSource("getAlertChannel");

/**
 * Reads an alert channel (operation `getAlertChannel`). Credentials are returned as fingerprints.
 *
 * @throws NoMatchError when the name is not configured. Lists the configured names.
 * @throws NotFoundError when the account has no channel with this id.
 */
export async function getAlertChannel(
  args: GetAlertChannelArgs,
  options?: pulumi.InvokeOptions,
): Promise<AlertChannel> {
  // A program in JavaScript may pass more.
  return source.read({ ...args, revealCredentials: false }, options);
}

/** {@link getAlertChannel} with outputs as arguments, and with credentials on request. */
export function getAlertChannelOutput(
  args: GetAlertChannelOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<AlertChannel> {
  return source.readOutput(args, options, args.revealCredentials);
}
