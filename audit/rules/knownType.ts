import { alertChannelTypes } from "../../provider/api/enums";
import { defineRule } from "../rule";

const known: readonly string[] = alertChannelTypes;

export const knownType = defineRule({
  id: "known-type",
  title: "The channel's type is known to this audit",
  why: "The rules on targets and credentials can't evaluate the settings of an unknown type.",
  fix: "Update pulumi-monitoring-service, or check the channel manually and waive the finding.",
  severity: "error",
  check:
    () =>
    ({ type }) =>
      known.includes(type) ? [] : [{ field: "type", actual: type, expected: known.join(", ") }],
});
