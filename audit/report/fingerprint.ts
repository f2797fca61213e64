/** What makes a result the same in two runs, so that a baseline knows it. */
import { type ChannelReference, channelKey } from "../channels/channelReference";

/** @param subject What of the channel the result is about, such as a field; may be empty. */
export function fingerprintOf(rule: string, channel: ChannelReference | undefined, subject: string): string {
  return `${rule}/${channel ? channelKey(channel) : "all"}/${subject}`;
}
