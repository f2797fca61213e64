/** A report as a matrix of channels by rules. */
import { type AuditReport, channelKey, type ChannelReference } from "../report";
import { channelRead } from "../metaRules";
import { unevaluatedText, findingText, waiverText } from "./reportText";

export type Status = "error" | "warning" | "waived" | "known" | "not evaluable" | "passed";

/** The worst severity of a channel's findings. Waived findings don't count. */
export type Tone = "error" | "warning" | "clean";

/** The result of a rule for a channel. */
export interface Cell {
  readonly status: Status;
  /** One for each finding or field that isn't evaluable. */
  readonly messages: string[];
}

/** A channel, or all of them together. */
export class Row {
  readonly #cells = new Map<string, Cell>();
  #tone: Tone = "clean";

  constructor(
    /** Undefined for what applies to all channels, or to the rules. */
    readonly channel: ChannelReference | undefined,
    private readonly passed: readonly string[] = [],
  ) {}

  /** Undefined when the rule doesn't apply. */
  cell(rule: string): Cell | undefined {
    const cell = this.#cells.get(rule);
    return cell ?? (this.passed.includes(rule) ? { status: "passed", messages: [] } : undefined);
  }

  /** The worst severity of its findings. */
  get tone(): Tone {
    return this.#tone;
  }

  /** The first message decides the status: add the worst first. */
  add(rule: string, status: Status, text: string): void {
    if (status === "error" || (status === "warning" && this.#tone === "clean")) this.#tone = status;
    const cell = this.#cells.get(rule);
    if (cell) cell.messages.push(text);
    else this.#cells.set(rule, { status, messages: [text] });
  }
}

/** The channels in the order of the report, then those that couldn't be read, and all channels together if needed. */
export function rowsOf({
  channels,
  unreadable,
  fleet,
  findings,
  waived,
  baselined,
  notEvaluable,
}: AuditReport): Row[] {
  const rows = new Map<string, Row>();
  for (const channel of channels) rows.set(keyOf(channel), new Row(channel, channel.passed));
  for (const { reason, ...channel } of unreadable) {
    const row = new Row(channel);
    row.add(channelRead.id, "error", `not read: ${reason}`);
    rows.set(keyOf(channel), row);
  }
  if (fleet.passed.length > 0) rows.set(keyOf(undefined), new Row(undefined, fleet.passed));
  const rowOf = (channel: ChannelReference | undefined): Row => {
    const row = rows.get(keyOf(channel)) ?? new Row(channel);
    rows.set(keyOf(channel), row);
    return row;
  };
  for (const finding of findings) {
    if (finding.rule !== channelRead.id)
      rowOf(finding.channel).add(finding.rule, finding.severity, findingText(finding));
  }
  for (const finding of waived) {
    const text = `${findingText(finding)} (${waiverText(finding.waiver)})`;
    rowOf(finding.channel).add(finding.rule, "waived", text);
  }
  for (const finding of baselined) rowOf(finding.channel).add(finding.rule, "known", findingText(finding));
  for (const unknown of notEvaluable)
    rowOf(unknown.channel).add(unknown.rule, "not evaluable", unevaluatedText(unknown));
  return [...rows.values()];
}

/** The key of the channel's row. */
export function keyOf(channel: ChannelReference | undefined): string {
  return channel === undefined ? "" : channelKey(channel);
}
