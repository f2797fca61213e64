import { hasType, specificType } from "../channels/specificType";
import { defineRule } from "../definition/rule";
import { channelType, nonEmptyListOf, strict } from "../definition/schemas";

export const allowedTypes = defineRule({
  id: "allowed-types",
  title: "The channel's type is allowed",
  why: "People only watch channels of the types that the organization has agreed on.",
  fix: "Move the subscriptions to a channel of an allowed type, and delete this one.",
  asCode: "Declare a channel of an allowed type, move the checks to it, and delete the old one.",
  offWhen: "It is in no preset: turn it on where the organization has agreed on types.",
  options: strict({
    types: nonEmptyListOf(channelType).describe(
      "Types and values of webhookType that are allowed; WEBHOOK allows every webhookType.",
    ),
  }),
  check:
    ({ types }) =>
    (channel) =>
      hasType(channel, types)
        ? []
        : [{ field: "type", actual: specificType(channel), expected: types.join(", ") }],
});
