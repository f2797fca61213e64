import { knownAlertChannelTypes } from "../../provider/api/enums";
import { defineRule } from "../rule";

const known: readonly string[] = knownAlertChannelTypes;

export const knownType = defineRule({
  id: "known-type",
  title: "The channel's type is one that this audit knows",
  why: "The rules on targets and credentials can't judge settings of a type that they don't know.",
  fix: "Update pulumi-monitoring-service, or check the channel by hand and waive the finding.",
  severity: "error",
  check:
    () =>
    ({ type }) =>
      known.includes(type) ? [] : [{ field: "type", actual: type, expected: known.join(", ") }],
});
