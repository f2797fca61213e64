import { type AuditedChannel, idAndOrigin } from "../channel";
import { defineRule } from "../rule";
import { checkDelivering } from "./delivery";
import { normalizePhoneNumber } from "./targets";

export const singleRecipient = defineRule({
  id: "single-recipient",
  title: "Failures aren't all sent to one mailbox or one phone",
  why: "When its owner is away or the device is off, nobody learns of an outage.",
  fix: "Add a channel for another person, or for a service that escalates, and subscribe the checks to it.",
  checkFleet: (_, { channels, partial }) =>
    checkDelivering(channels, (delivering) => {
      if (delivering.length === 0) return undefined;
      const [first, ...others] = delivering.map(recipientOf);
      if (first === undefined || others.some((one) => one?.key !== first.key)) return [];
      const { field, what } = first;
      if (partial !== undefined) return [{ field, reason: partial }];
      const actual = `one ${what}, in ${delivering.map(idAndOrigin).join(", ")}`;
      return [{ field, actual, expected: "another recipient of failures" }];
    }),
});

interface Recipient {
  readonly key: string;
  readonly field: string;
  readonly what: "mailbox" | "phone";
}

/** Undefined for services and chats, which more than one person reads. */
function recipientOf({ config: { address, number } }: AuditedChannel): Recipient | undefined {
  if (typeof address === "string")
    return { key: address.trim().toLowerCase(), field: "config.address", what: "mailbox" };
  if (typeof number === "string")
    return { key: normalizePhoneNumber(number), field: "config.number", what: "phone" };
  return undefined;
}
