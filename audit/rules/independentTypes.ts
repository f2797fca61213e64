import { defineRule } from "../rule";
import { strict, wholeNumber } from "../schemas";

/** What fails together: two types that depend on the same network or company. */
const dependsOn: Readonly<Record<string, string>> = {
  SMS: "telephone",
  CALL: "telephone",
  SLACK: "Slack",
  SLACK_APP: "Slack",
};

export const independentTypes = defineRule({
  id: "independent-types",
  title: "Alerts go out over independent ways",
  why: "When the chat is down, the alert that it is down must come another way.",
  fix: "Add a channel that depends on another company or network, such as e-mail beside Slack.",
  options: strict({
    atLeast: wholeNumber(2, 6)
      .default(2)
      .describe("How many ways; SMS and CALL are one, as are both Slacks. Default: 2."),
  }),
  checkFleet: ({ atLeast }, { channels, partial }) => {
    const ways = new Set(channels.map(({ type }) => dependsOn[type] ?? type));
    if (ways.size >= atLeast) return [];
    if (partial !== undefined) return [{ field: "type", reason: partial }];
    const actual = ways.size === 0 ? "none" : [...ways].sort().join(", ");
    return [{ field: "type", actual, expected: `${atLeast} or more independent ones` }];
  },
});
