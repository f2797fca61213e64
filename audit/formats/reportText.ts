/** Contains the text that the report formats, the command line and the policy pack share. */
import { formatCount, toOneLine } from "../../provider/texts";
import { formatChannelLabel, type ChannelReference } from "../channel";
import { type AuditReport, type Counts, type Finding } from "../report";
import { type Severity } from "../rule";

/** Returns a string such as `3 errors, 1 warning (12 channels, 17 rules)`. */
export function formatSummary(counts: Counts): string {
  return `${formatVerdict(counts)} (${formatScope(counts)})`;
}

/** Returns a string such as `3 errors, 1 warning`. */
export function formatVerdict({ errors, warnings, blocking }: Counts): string {
  const parts = [
    ...(errors + warnings > 0 ? [formatCount(errors, "error"), formatCount(warnings, "warning")] : []),
    ...(blocking > 0 ? ["not fully evaluable"] : []),
  ];
  return parts.join(", ") || "no findings";
}

/** Returns a string such as `228 channels, 2 excluded, 17 rules`, with the other counts that aren't 0. */
export function formatScope(counts: Counts, ruleFile?: string): string {
  const { channels, excluded, rules, waived, notEvaluable, blocking } = counts;
  return [
    formatCount(channels, "channel"),
    ...(excluded > 0 ? [`${excluded} excluded`] : []),
    `${formatCount(rules, "rule")}${ruleFile === undefined ? "" : ` of ${toOneLine(ruleFile)}`}`,
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(notEvaluable > 0 ? [`${notEvaluable} not evaluable`] : []),
    ...(blocking > 0 ? [`${blocking} of them blocking`] : []),
  ].join(", ");
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One result of a report, as the report formats, the policy pack and the log show it. */
export interface Result {
  readonly status: Severity | "waived" | "not evaluable";
  /** True if the result can't be evaluated and therefore fails the audit. */
  readonly blocks: boolean;
  readonly rule: string;
  /** Undefined for results on all channels together and on the rules. */
  readonly channel: ChannelReference | undefined;
  readonly field: string;
  /** Message about the field, such as `false, expected true`. */
  readonly message: string;
  /** Fix of a finding. For a custom rule, the rule's reason comes before it. */
  readonly fix?: string;
  /** The exception that accepts a finding, such as `waived until 2027-01-31: the tool moves in January`. */
  readonly waiver?: string;
  readonly docs?: string;
  /** The finding; undefined if the result can't be evaluated. */
  readonly finding?: Finding;
}

/** Sections of a report, with the most severe results first. */
const sections = ["failing", "waived", "open"] as const;
type Section = (typeof sections)[number];

export function listResults(report: AuditReport): Result[] {
  return sections.flatMap((section) => [
    ...listNotEvaluable(report, section),
    ...listFindings(report, section),
  ]);
}

function listNotEvaluable({ notEvaluable }: AuditReport, section: Section): Result[] {
  return notEvaluable
    .filter(({ blocks }) => section === (blocks ? "failing" : "open"))
    .map(({ blocks, rule, channel, field, reason }) => {
      const text = { field: toOneLine(field), message: toOneLine(reason) };
      return { status: "not evaluable", blocks, rule, channel, ...text };
    });
}

function* listFindings({ findings, waived }: AuditReport, section: Section): Generator<Result> {
  if (section === "failing") for (const one of findings) yield toResult(one, one.severity);
  if (section !== "waived") return;
  for (const one of waived) {
    const { until, reason } = one.waiver;
    const waived = until === undefined ? "waived" : `waived until ${until}`;
    yield { ...toResult(one, "waived"), waiver: toOneLine(`${waived}: ${reason}`) };
  }
}

function toResult(finding: Finding, status: Result["status"]): Result {
  const { rule, channel, field, actual, expected, why, fix, docs } = finding;
  return {
    status,
    blocks: false,
    rule,
    channel,
    docs,
    finding,
    field: toOneLine(field),
    message: toOneLine(`${actual}, expected ${expected}`),
    fix: toOneLine(why === undefined ? fix : `${why} ${fix}`),
  };
}

/** Returns a string such as `sendFailure: false, expected true`. */
export function formatResult({ field, message }: Result): string {
  return `${field}: ${message}`;
}

/**
 * Returns a string such as `4107 ops: sendFailure: false, expected true. Turn failure alerts on in the channel's settings.`, or
 * `4107 ops: https-hook: config.url: is a reference to a secret.`
 */
export function formatResultLine(result: Result): string {
  const { channel, rule, fix } = result;
  const text = formatResult(result);
  return `${formatChannelLabel(channel)}: ${fix === undefined ? `${rule}: ${text}.` : `${text}. ${fix}`}`;
}

const maxNamed = 10;

/** One line of a report: a finding, or all rules and channels that can't be evaluated for the same reason. */
export interface Line extends Pick<Result, "status" | "blocks" | "docs"> {
  readonly rules: readonly string[];
  /** Up to ten channels, such as `4103 incidents, 4104 payments`. */
  readonly channels: string;
  /** Type of the channel. Empty if there are several channels. */
  readonly type: string;
  readonly text: string;
  /** The exception or the fix of a finding. */
  readonly more?: string;
}

/** Yields the lines of a section one by one, because the lines of a large account would need more memory than its report. */
export function* buildLines(report: AuditReport, section: Section): Generator<Line> {
  yield* groupResults(listNotEvaluable(report, section));
  for (const result of listFindings(report, section)) yield toLine(result);
}

function toLine(result: Result): Line {
  const { status, blocks, docs, rule, channel, fix, waiver = fix } = result;
  const label = { channels: formatChannelLabel(channel), type: toOneLine(channel?.type ?? "") };
  return { status, blocks, docs, rules: [rule], ...label, text: formatResult(result), more: waiver };
}

/** Merges results whose reasons only differ in IDs: first the channels of each rule, then the rules with the same channels and reason. */
function groupResults(results: readonly Result[]): Line[] {
  const getKey = ({ rule, field, message, channel }: Result) =>
    [rule, field, message.replace(` ${channel?.id}: `, ": ").replace(/ Request ID: \S+$/, "")].join("\n");
  const byRule = groupBy(results, getKey).map(([first, group]) => ({
    ...toLine(first),
    ...(group.length > 1 && { type: "" }),
    channels: formatChannelList(group.map(({ channel }) => formatChannelLabel(channel))),
  }));
  return groupBy(byRule, ({ text, channels }) => `${text}\n${channels}`).map(([first, group]) => ({
    ...first,
    rules: group.flatMap(({ rules }) => rules),
  }));
}

function groupBy<Item>(items: readonly Item[], getKey: (item: Item) => string): [first: Item, all: Item[]][] {
  const groups = new Map<string, [Item, Item[]]>();
  for (const item of items) {
    const group = groups.get(getKey(item));
    if (group) group[1].push(item);
    else groups.set(getKey(item), [item, [item]]);
  }
  return [...groups.values()];
}

/** Lists up to ten channels, such as `4103 incidents, 4104 payments and 1 other`. */
function formatChannelList(labels: readonly string[]): string {
  const others = labels.length - maxNamed;
  return labels.slice(0, maxNamed).join(", ") + (others > 0 ? ` and ${formatCount(others, "other")}` : "");
}

/** Writes a report as one document that ends with a line break. */
export interface ReportFormat<Options = object> {
  (report: AuditReport, options?: Options): string;
  /** File extension. */
  readonly extension: `.${string}`;
  /** Returns the document in parts that can be written one by one. */
  readonly listParts: (report: AuditReport, options?: Options) => Iterable<string>;
}

export function createReportFormat<Options = object>(
  extension: ReportFormat["extension"],
  listParts: ReportFormat<Options>["listParts"],
): ReportFormat<Options> {
  const write = (report: AuditReport, options?: Options) => [...listParts(report, options)].join("");
  return Object.assign(write, { extension, listParts });
}
