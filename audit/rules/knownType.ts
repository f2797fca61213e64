import { alertChannelTypes } from "../../provider/api/enums";
import { defineRule } from "../definition/rule";

const known: readonly string[] = alertChannelTypes;

/** Values of `webhookType` that the vendor replaces by a type of its own. */
const replaced: Readonly<Record<string, string>> = { SLACK: "SLACK_APP", WEBHOOK_SLACK: "SLACK_APP" };

export const knownType = defineRule({
  id: "known-type",
  title: "The channel's type is a current one",
  why: "The rules on targets and credentials can't evaluate the settings of an unknown type, and a type that the service replaces stops to deliver one day.",
  fix: "For an unknown type, update pulumi-monitoring-service, or check the channel manually and waive the finding. Move a replaced type to its successor.",
  asCode:
    "Declare a channel of the successor, such as `SLACK_APP`, subscribe the checks to it, and delete the old one.",
  offWhen:
    "Turn it off if your deployment of the service has types of its own, and use `allowed-types` to list them.",
  severity: "error",
  check:
    () =>
    ({ type, config: { webhookType } }) => {
      if (!known.includes(type)) return [{ field: "type", actual: type, expected: known.join(", ") }];
      const successor =
        type === "WEBHOOK" && typeof webhookType === "string" ? replaced[webhookType] : undefined;
      if (successor === undefined) return [];
      return [{ field: "config.webhookType", actual: String(webhookType), expected: successor }];
    },
});
