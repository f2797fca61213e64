import { defineRule } from "../rule";
import { channelType, listOf, strict } from "../schemas";

export const allowedTypes = defineRule({
  id: "allowed-types",
  title: "The channel's type is allowed",
  why: "People only watch channels of the types that the organization has agreed on.",
  fix: "Move the subscriptions to a channel of an allowed type, and delete this one.",
  options: strict({ types: listOf(channelType).describe("The types that are allowed.") }),
  check: ({ types }) => {
    const allowed: readonly string[] = types;
    return ({ type }) =>
      allowed.includes(type) ? [] : [{ field: "type", actual: type, expected: allowed.join(", ") }];
  },
});
