import { isPlaceholder as isPlaceholderValue } from "../../provider/credentials/isPlaceholder";
import { type AuditedChannel } from "../channels/channel";
import { defineRule } from "../definition/rule";

/** The settings of a channel that nobody has filled in. Other rules report nothing on them. */
export function placeholdersIn({ config, credentials }: AuditedChannel): string[] {
  const shown = ["address"].filter((key) => isPlaceholderValue(key, config[key]));
  const hidden = Object.entries(credentials).filter(([, { isPlaceholder }]) => isPlaceholder);
  return [...shown, ...hidden.map(([key]) => key)];
}

export const placeholder = defineRule({
  id: "placeholder",
  title: "No placeholder is left in the channel",
  why: "A channel with YOUR/WEBHOOK/URL or key1 looks configured, and every alert to it is lost without an error.",
  fix: "Enter the real target or key, send a test alert, or delete the channel.",
  asCode:
    "Replace the value where the channel is declared. If it comes from a variable, make the variable required, so that a deployment without it fails.",
  offWhen: "Don't turn it off; waive the finding for a value that only looks like a placeholder.",
  severity: "error",
  check: () => (channel) => {
    const [first, ...others] = placeholdersIn(channel).map((key) => `config.${key}`);
    if (first === undefined) return [];
    const also = others.length > 0 ? `, also in ${others.join(", ")}` : "";
    return [{ field: first, actual: `a placeholder${also}`, expected: "the real value" }];
  },
});
