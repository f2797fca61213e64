import { specificType } from "../channels/specificType";
import { defineRule } from "../definition/rule";
import { strict, wholeNumber } from "../definition/schemas";
import { checkDelivering, withoutSilent } from "../checks/delivering";

/** Types that fail together, because they depend on the same network or company. */
const dependsOn: Readonly<Record<string, string>> = {
  SMS: "telephone",
  CALL: "telephone",
  SLACK: "Slack",
  SLACK_APP: "Slack",
};

export const independentTypes = defineRule({
  id: "independent-types",
  title: "Alerts are delivered by independent providers",
  why: "When one provider is down, alerts have to arrive by another one.",
  asCode: "Declare a channel of another type, and add it to `alertChannels` of the checks.",
  offWhen: "It is in no preset: turn it on where an outage of one provider must not silence the alerts.",
  fix: "Add a channel of another provider or network, such as email in addition to Slack.",
  options: strict({
    atLeast: wholeNumber(2, 20)
      .default(2)
      .describe(
        "Number of providers of channels that send failures; SMS and CALL count as one, as do SLACK and SLACK_APP; each webhookType counts. Default: 2.",
      ),
  }),
  checkFleet: ({ atLeast }, audit) => {
    const { channels, partial } = audit;
    if (channels.length === 0) return undefined;
    return checkDelivering(channels, audit, (delivering) => {
      const providers = new Set(delivering.map(specificType).map((type) => dependsOn[type] ?? type));
      if (providers.size >= atLeast) return [];
      if (partial !== undefined) return [{ field: "type", reason: partial }];
      const found = providers.size === 0 ? "none" : `only ${[...providers].sort().join(", ")}`;
      const actual = `${found}${withoutSilent(channels)}`;
      return [{ field: "type", actual, expected: `${atLeast} or more independent providers` }];
    });
  },
});
