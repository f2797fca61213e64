/** Writes the sentences that the formats of a report, the command line and the policy pack share. */
import { amount, oneLine } from "../../provider/texts";
import { channelLabel } from "../channel";
import type { AuditReport, Counts, Finding, NotEvaluableResult, WaivedFinding } from "../report";

/** Returns a text such as `sendFailure: false, expected true`. */
export function findingText({
  field,
  actual,
  expected,
}: Pick<Finding, "field" | "actual" | "expected">): string {
  return oneLine(`${field}: ${actual}, expected ${expected}`);
}

/** Returns the fix, after the reason of a custom rule. */
export function fixOf({ why, fix }: Pick<Finding, "why" | "fix">): string {
  return oneLine(why === undefined ? fix : `${why} ${fix}`);
}

/** Returns a text such as `sendFailure: false, expected true. Turn failure alerts on in the channel's settings.` */
export function findingMessage(finding: Finding): string {
  return `${findingText(finding)}. ${fixOf(finding)}`;
}

/** Returns a text such as `4107 ops: sendFailure: false, expected true. Turn failure alerts on in the channel's settings.` */
export function findingLine(finding: Finding): string {
  return `${channelLabel(finding.channel)}: ${findingMessage(finding)}`;
}

/** Returns a text such as `4107 ops: https-hook: config.url: is a reference to a secret.` */
export function notEvaluableLine(result: NotEvaluableResult): string {
  return `${channelLabel(result.channel)}: ${result.rule}: ${notEvaluableText(result)}.`;
}

/** Returns a text such as `config.url: is a reference to a secret`. */
export function notEvaluableText({ field, reason }: Pick<NotEvaluableResult, "field" | "reason">): string {
  return oneLine(`${field}: ${reason}`);
}

/** Returns a text such as `waived by Ana until 2027-01-31: the tool moves in January`. */
export function waiverText({ owner, expires, reason }: WaivedFinding["waiver"]): string {
  return oneLine(`waived by ${owner} until ${expires}: ${reason}`);
}

/** Returns a text such as `3 errors, 1 warning (12 channels, 17 rules)`. */
export function summaryOf(counts: Counts): string {
  return `${verdict(counts)} (${scope(counts)})`;
}

/** Returns a text such as `3 errors, 1 warning`. */
export function verdict({ errors, warnings, blocking }: Counts): string {
  const parts = [
    ...(errors + warnings > 0 ? [amount(errors, "error"), amount(warnings, "warning")] : []),
    ...(blocking > 0 ? ["not fully evaluable"] : []),
  ];
  return parts.join(", ") || "no findings";
}

/** Returns a text such as `228 channels, 2 excluded, 17 rules`, and the other counts that aren't 0. */
export function scope(counts: Counts, ruleFile?: string): string {
  return `${amount(counts.channels, "channel")}, ${scopeOfRules(counts, ruleFile)}`;
}

/** Returns the same text without the number of channels. */
export function scopeOfRules(
  { excluded, rules, waived, baselined, notEvaluable, blocking }: Counts,
  ruleFile?: string,
): string {
  return [
    ...(excluded > 0 ? [`${excluded} excluded`] : []),
    `${amount(rules, "rule")}${ruleFile === undefined ? "" : ` of ${oneLine(ruleFile)}`}`,
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(baselined > 0 ? [`${baselined} known`] : []),
    ...(notEvaluable > 0 ? [`${notEvaluable} not evaluable`] : []),
    ...(blocking > 0 ? [`${blocking} of them blocking`] : []),
  ].join(", ");
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const maxNamed = 10;

/** Rules and channels that couldn't be evaluated for the same reason. */
interface NotEvaluableGroup extends Pick<NotEvaluableResult, "field" | "reason"> {
  readonly rules: readonly string[];
  /** Up to ten channels, such as `4103 incidents, 4104 payments`. */
  readonly channels: string;
}

/** @param blocks True for the reasons that fail the audit, false for the others. */
export function notEvaluableGroups({ notEvaluable }: AuditReport, blocks: boolean): NotEvaluableGroup[] {
  const results = notEvaluable.filter((result) => result.blocks === blocks);
  const ofRules = grouped(results, ({ rule, field, reason }) => [rule, field, reason]).map((group) => ({
    ...group[0],
    channels: channelList(group.map(({ channel }) => channelLabel(channel))),
  }));
  return grouped(ofRules, ({ field, reason, channels }) => [field, reason, channels]).map((groups) => {
    const [{ field, reason, channels }] = groups;
    return { rules: groups.map(({ rule }) => rule), field, reason, channels };
  });
}

function channelList(labels: readonly string[]): string {
  const others = labels.length - maxNamed;
  return labels.slice(0, maxNamed).join(", ") + (others > 0 ? ` and ${amount(others, "other")}` : "");
}

type NonEmpty<Item> = [Item, ...Item[]];

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => readonly string[]): NonEmpty<Item>[] {
  const groups = new Map<string, NonEmpty<Item>>();
  for (const item of items) {
    const key = keyOf(item).join("\n");
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
