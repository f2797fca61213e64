import { hasType } from "../channelTypes";
import { defineRule, type Verdict } from "../rule";
import { strict } from "../schemas";
import { notReturned } from "./flag";
import { onCallTypes } from "./onCallType";

const field = "autoSubscribe";

export const onCallAutoSubscribe = defineRule({
  id: "on-call-auto-subscribe",
  title: "New checks page the person on call",
  why: "With one on-call channel and autoSubscribe off, a new check pages nobody until someone subscribes it.",
  fix: "Turn autoSubscribe on for the channel, or subscribe every new check to it.",
  options: strict({ types: onCallTypes }),
  check: ({ types }, { channels, partial }) => {
    const [only, ...others] = channels.filter((channel) => hasType(channel, types));
    return (channel): Verdict => {
      const { autoSubscribe } = channel;
      if (channel !== only || others.length > 0) return undefined;
      if (autoSubscribe === true) return [];
      if (autoSubscribe !== false) return [{ field, reason: notReturned }];
      if (partial !== undefined) return [{ field, reason: partial }];
      return [{ field, actual: "false on the only on-call channel", expected: "true" }];
    };
  },
});
