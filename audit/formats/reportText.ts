/** Text that all formats share. */
import { oneLine } from "../../provider/api/printable";
import type {
  AuditReport,
  ChannelReference,
  Counts,
  Finding,
  NotEvaluableResult,
  WaivedFinding,
} from "../report";

/** `4107 operations-mail`, or `all channels` for a finding without a channel. */
export function channelLabel(channel: ChannelReference | undefined): string {
  if (channel === undefined) return "all channels";
  const { id, name, origin } = channel;
  return oneLine([id, name, origin && `(${origin})`].filter((part) => part !== undefined).join(" "));
}

/** `sendFailure: false, expected true`. */
export function findingText({
  field,
  actual,
  expected,
}: Pick<Finding, "field" | "actual" | "expected">): string {
  return oneLine(`${field}: ${actual}, expected ${expected}`);
}

/** `config.url: is a reference to a secret`. */
export function notEvaluableText({ field, reason }: Pick<NotEvaluableResult, "field" | "reason">): string {
  return oneLine(`${field}: ${reason}`);
}

/** `waived by Ana until 2027-01-31: the tool moves in January`. */
export function waiverText({ owner, expires, reason }: WaivedFinding["waiver"]): string {
  return oneLine(`waived by ${owner} until ${expires}: ${reason}`);
}

/** `3 errors, 1 warning`. */
export function verdict({ errors, warnings, blocking }: Counts): string {
  const parts = [
    ...(errors + warnings > 0 ? [amount(errors, "error"), amount(warnings, "warning")] : []),
    ...(blocking > 0 ? ["not fully evaluable"] : []),
  ];
  return parts.join(", ") || "no findings";
}

/** `12 channels, 17 rules`, and the counts that aren't 0. */
export function scope(counts: Counts): string {
  return `${amount(counts.channels, "channel")}, ${scopeOfRules(counts)}`;
}

/** The same without the number of channels. */
export function scopeOfRules({ rules, waived, baselined, notEvaluable, blocking }: Counts): string {
  return [
    amount(rules, "rule"),
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(baselined > 0 ? [`${baselined} known`] : []),
    ...(notEvaluable > 0 ? [`${notEvaluable} not evaluable`] : []),
    ...(blocking > 0 ? [`${blocking} of them blocking`] : []),
  ].join(", ");
}

export function amount(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const maxNamed = 10;

/** What a rule couldn't evaluate, for all channels with the same reason. */
export interface NotEvaluableGroup extends Omit<NotEvaluableResult, "channel"> {
  /** `4103 incidents, 4104 payments`: at most ten channels. */
  readonly channels: string;
}

/** @param blocks Of what fails the audit, or of the rest. */
export function notEvaluableGroups({ notEvaluable }: AuditReport, blocks: boolean): NotEvaluableGroup[] {
  const groups = new Map<string, { first: NotEvaluableResult; labels: string[] }>();
  for (const result of notEvaluable.filter((one) => one.blocks === blocks)) {
    const key = `${result.rule}\n${result.field}\n${result.reason}`;
    const group = groups.get(key) ?? { first: result, labels: [] };
    group.labels.push(channelLabel(result.channel));
    groups.set(key, group);
  }
  return [...groups.values()].map(({ first: { channel: _, ...first }, labels }) => {
    const others = labels.length - maxNamed;
    const channels =
      labels.slice(0, maxNamed).join(", ") + (others > 0 ? ` and ${amount(others, "other")}` : "");
    return { ...first, channels };
  });
}

/** How to fix findings, once for each rule with findings, in the order of the rules. */
export interface Fix {
  readonly rule: string;
  /** With the reason for the rule where no page has it. */
  readonly text: string;
  /** Where the rule file enables the rule, such as `audit.yaml:3`; empty when the rules are an object. */
  readonly place: string;
}

export function fixes({ rules, findings }: AuditReport): Fix[] {
  return rules.flatMap(({ id, fix, why, docs }) => {
    const ofRule = findings.filter(({ rule }) => rule === id);
    if (ofRule.length === 0) return [];
    const places = new Set(
      ofRule.flatMap(({ location }) => (location ? [`${location.file}:${location.line}`] : [])),
    );
    const text = oneLine(docs === undefined ? `${why} ${fix}` : fix);
    return [{ rule: id, text, place: oneLine([...places].join(", ")) }];
  });
}
