import { channelLabel } from "../channels/channelReference";
import { defineRule } from "../definition/rule";
import { checkDelivering } from "../checks/delivering";
import { personOf } from "../checks/recipients";

export const singleRecipient = defineRule({
  id: "single-recipient",
  title: "Failures aren't all sent to one person",
  why: "When that person is away or the device is off, nobody learns of an outage.",
  fix: "Add a channel for another person, for a group, or for a service that escalates, and subscribe the checks to it.",
  asCode: "Declare a second channel, and add it to `alertChannels` of the checks.",
  offWhen: "Turn it off if one person runs the service, and nobody would react in their place.",
  checkFleet: (_, audit) =>
    checkDelivering(audit.channels, audit, (delivering) => {
      if (delivering.length === 0) return undefined;
      const [first, ...others] = delivering.map(personOf);
      if (first === undefined || others.some((one) => one?.key !== first.key)) return [];
      const { field, what } = first;
      // The one mailbox is in that finding.
      if (what === "mailbox" && audit.isReported(["on-call-type"])) return [];
      if (audit.partial !== undefined) return [{ field, reason: audit.partial }];
      const actual = `one ${what}, of ${delivering.map(channelLabel).join(", ")}`;
      return [{ field, actual, expected: "another recipient of failures" }];
    }),
});
