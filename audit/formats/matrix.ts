/** Arranges a report as a matrix of channels by rules. */
import { channelKey, type ChannelReference } from "../channel";
import type { AuditReport, NotEvaluableResult } from "../report";
import { findingText, notEvaluableText, waiverText } from "./reportText";

type Status = "error" | "warning" | "waived" | "known" | "not evaluable" | "passed";

/** The result of a rule for a channel. */
export interface Cell {
  readonly status: Status;
  /** True if it isn't evaluable and fails the audit. */
  readonly blocks: boolean;
  /** One for each finding or field that isn't evaluable. */
  readonly messages: string[];
}

/** A channel, or all of them together. */
export class Row {
  readonly #cells = new Map<string, Cell>();
  /** The worst severity of its findings; what blocks is an error. Waived findings don't count. */
  tone: "error" | "warning" | "clean" = "clean";

  constructor(
    /** Undefined for the row of all channels, and of the rules. */
    readonly channel: ChannelReference | undefined,
    private readonly passed: readonly string[] = [],
  ) {}

  /** Undefined when the rule doesn't apply. */
  cell(rule: string): Cell | undefined {
    const cell = this.#cells.get(rule);
    return (
      cell ?? (this.passed.includes(rule) ? { status: "passed", blocks: false, messages: [] } : undefined)
    );
  }

  /** The first message decides the status: add the worst first. */
  add(rule: string, status: Status, text: string, blocks = false): void {
    if (status === "error" || blocks) this.tone = "error";
    else if (status === "warning" && this.tone === "clean") this.tone = status;
    const cell = this.#cells.get(rule);
    if (cell) cell.messages.push(text);
    else this.#cells.set(rule, { status, blocks, messages: [text] });
  }
}

/** Returns the channels in the order of the report, then those that aren't evaluable, and all channels together if needed. */
export function rowsOf({ channels, fleet, findings, waived, baselined, notEvaluable }: AuditReport): Row[] {
  const rows = new Map<string, Row>();
  for (const channel of channels) rows.set(keyOf(channel), new Row(channel, channel.passed));
  if (fleet.passed.length > 0) rows.set(keyOf(undefined), new Row(undefined, fleet.passed));
  const rowOf = (channel: ChannelReference | undefined): Row => {
    const row = rows.get(keyOf(channel)) ?? new Row(channel);
    rows.set(keyOf(channel), row);
    return row;
  };
  const addNotEvaluable = (result: NotEvaluableResult): void =>
    rowOf(result.channel).add(result.rule, "not evaluable", notEvaluableText(result), result.blocks);
  notEvaluable.filter(({ blocks }) => blocks).forEach(addNotEvaluable);
  for (const finding of findings)
    rowOf(finding.channel).add(finding.rule, finding.severity, findingText(finding));
  for (const finding of waived) {
    const text = `${findingText(finding)} (${waiverText(finding.waiver)})`;
    rowOf(finding.channel).add(finding.rule, "waived", text);
  }
  for (const finding of baselined) rowOf(finding.channel).add(finding.rule, "known", findingText(finding));
  notEvaluable.filter(({ blocks }) => !blocks).forEach(addNotEvaluable);
  return [...rows.values()];
}

/** Returns the key of the channel's row. */
export function keyOf(channel: ChannelReference | undefined): string {
  return channel === undefined ? "" : channelKey(channel);
}
