/** How results name an alert channel. */
import { oneLine } from "../../provider/texts/printable";

/** An alert channel in a report. */
export interface ChannelReference {
  /** Identifier. */
  readonly id: string | number;
  /** Name; missing when it has none. */
  readonly name?: string;
  /** Account and service; missing unless channels of several accounts or services have the id. */
  readonly origin?: string;
  /** Missing when the channel isn't evaluable. */
  readonly type?: string;
}

/** Identifies the channel in a report. */
export function channelKey({ id, origin }: Pick<ChannelReference, "id" | "origin">): string {
  return origin === undefined ? String(id) : `${origin}/${id}`;
}

/** `4107 operations-mail`, with the type of a channel without a name; `all channels` for a result without one. */
export function channelLabel(channel: ChannelReference | undefined): string {
  if (channel === undefined) return "all channels";
  const { id, name, type, origin } = channel;
  return oneLine([id, name ?? type, origin && `(${origin})`].filter((part) => part !== undefined).join(" "));
}

/** By number, so that 9 is before 10, from whatever source the channels are. */
export function byNumber({ id: a }: ChannelReference, { id: b }: ChannelReference): number {
  return Number(a) - Number(b) || String(a).localeCompare(String(b), "en");
}
