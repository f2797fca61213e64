/** A finding, from what a rule says of a channel. */
import { type ChannelReference } from "./channels/channelReference";
import type { Location } from "./definition/location";
import type { Problem } from "./definition/rule";
import { isDocumented } from "./documentedRules";
import { fingerprintOf } from "./report/fingerprint";
import { type Finding } from "./report/report";
import type { ActiveRule } from "./ruleFile/ruleSet";

interface FindingDetails {
  readonly channel?: ChannelReference;
  /** Default: where the rule is enabled. */
  readonly location?: Location;
  /** Distinguishes the finding from others of the rule and channel. Default: the field. */
  readonly subject?: string;
}

export function toFinding(
  rule: ActiveRule,
  { field, actual, expected }: Problem,
  details: FindingDetails = {},
): Finding {
  const { channel, location = rule.location, subject = field } = details;
  return {
    rule: rule.id,
    severity: rule.severity,
    channel,
    field,
    actual,
    expected,
    fix: rule.fix,
    docs: rule.docs,
    ...(!isDocumented(rule) && { why: rule.why }),
    fingerprint: fingerprintOf(rule.id, channel, subject),
    location,
  };
}

export function toReference({ id, name, origin, type }: ChannelReference): ChannelReference {
  return { id, name, origin, type };
}
