import { targetSettings } from "../../provider/credentials/documentedConfig";
import { defineRule } from "../definition/rule";

export const emptyTarget = defineRule({
  id: "empty-target",
  title: "The channel has a target",
  why: "A channel without an address, a URL, a number or a key accepts every alert and delivers none.",
  fix: "Enter the target, or delete the channel.",
  asCode:
    "An empty value usually comes from a variable that isn't set where the program runs. Make the variable required, so that a deployment without it fails.",
  offWhen: "Don't turn it off; delete channels that aren't in use.",
  severity: "error",
  check:
    () =>
    ({ type, config, credentials }) => {
      const target = targetSettings.get(type);
      if (target === undefined) return undefined;
      if (Object.hasOwn(credentials, target) || hasText(config[target])) return [];
      return [{ field: `config.${target}`, actual: "empty", expected: "a value" }];
    },
});

function hasText(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasText) : typeof value === "string" && value.trim() !== "";
}
