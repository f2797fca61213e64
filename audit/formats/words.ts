/** How every format words the same things. */
import type { AuditReport, ChannelReference, Counts, Finding, NotEvaluable } from "../report";

/** `4107 operations-mail`, or what a finding without a channel is about. */
export function channelLabel(channel: ChannelReference | undefined): string {
  if (channel === undefined) return "all channels";
  return oneLine([channel.id, channel.name].filter((part) => part !== undefined).join(" "));
}

/** `sendFailure: false, expected true`. */
export function sentence({
  field,
  actual,
  expected,
}: Pick<Finding, "field" | "actual" | "expected">): string {
  return oneLine(`${field}: ${actual}, expected ${expected}`);
}

/** `config.url: is a reference to a secret`. */
export function openSentence({ field, reason }: Pick<NotEvaluable, "field" | "reason">): string {
  return oneLine(`${field}: ${reason}`);
}

/** `waived by Ana until 2027-01-31: the tool moves in January`. */
export function waiverSentence({
  owner,
  expires,
  reason,
}: {
  owner: string;
  expires: string;
  reason: string;
}): string {
  return oneLine(`waived by ${owner} until ${expires}: ${reason}`);
}

/** `3 errors, 1 warning`. */
export function verdict({ errors, warnings }: Counts): string {
  return errors + warnings === 0
    ? "nothing found"
    : `${amount(errors, "error")}, ${amount(warnings, "warning")}`;
}

/** `12 channels, 17 rules`, and what else there is to say. */
export function scope({ channels, rules, unreadable, waived, notEvaluable }: Counts): string {
  return [
    amount(channels, "channel"),
    amount(rules, "rule"),
    ...(unreadable > 0 ? [`${unreadable} not read`] : []),
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(notEvaluable > 0 ? [`${notEvaluable} not evaluable`] : []),
  ].join(", ");
}

export function amount(count: number, what: string): string {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

const mostNamed = 10;

/** What couldn't be judged; the same for the same reason in several channels is one. */
export interface OpenQuestion {
  readonly rule: string;
  readonly field: string;
  readonly reason: string;
  /** `4103 incidents, 4104 payments`; of very many, the first ten. */
  readonly channels: string;
}

export function openQuestions({ notEvaluable }: AuditReport): OpenQuestion[] {
  const groups = new Map<string, { first: NotEvaluable; labels: string[] }>();
  for (const open of notEvaluable) {
    const key = `${open.rule}\n${open.field}\n${open.reason}`;
    const group = groups.get(key) ?? { first: open, labels: [] };
    group.labels.push(channelLabel(open.channel));
    groups.set(key, group);
  }
  return [...groups.values()].map(({ first: { rule, field, reason }, labels }) => {
    const others = labels.length - mostNamed;
    const channels =
      labels.slice(0, mostNamed).join(", ") + (others > 0 ? ` and ${amount(others, "other")}` : "");
    return { rule, field, reason, channels };
  });
}

/** What to do, once for each rule with findings, in the order of the rules. */
export function fixes({ rules, findings }: AuditReport): { rule: string; fix: string }[] {
  const found = new Set(findings.map(({ rule }) => rule));
  return rules.filter(({ id }) => found.has(id)).map(({ id, fix }) => ({ rule: id, fix }));
}

/** Most texts are, and this is the quicker way to know. */
const plain = /^(?!.*##)[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/**
 * Control characters could rewrite a terminal, a line break would tear a line apart, and `##[…]` or `##vso[…]` is a
 * command to pipelines wherever it stands in a line.
 */
export function oneLine(text: string): string {
  if (plain.test(text)) return text;
  return text
    .replace(/[\p{C}\s]+/gu, " ")
    .replace(/##(?=\w*\[)/g, "# #")
    .trim();
}
