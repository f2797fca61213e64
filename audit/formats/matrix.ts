/** A report as channels by rules. */
import type { AuditReport, ChannelReference } from "../report";
import { openSentence, sentence, waiverSentence } from "./words";

export type Status = "error" | "warning" | "waived" | "not evaluable" | "passed";

/** What is found in a channel; waived things and open questions are no findings. */
export type Tone = "error" | "warning" | "clean";

/** What a rule says of a channel. */
export interface Cell {
  readonly status: Status;
  /** One for each thing that is said. */
  readonly sentences: string[];
}

/** A channel, or all of them together. */
export class Row {
  readonly #cells = new Map<string, Cell>();
  #tone: Tone = "clean";

  constructor(
    /** Undefined for what is about all channels, or about the rules. */
    readonly channel: ChannelReference | undefined,
    private readonly passed: readonly string[] = [],
  ) {}

  /** Undefined when the rule doesn't apply. */
  cell(rule: string): Cell | undefined {
    const cell = this.#cells.get(rule);
    return cell ?? (this.passed.includes(rule) ? { status: "passed", sentences: [] } : undefined);
  }

  /** The worst that is found in it. */
  get tone(): Tone {
    return this.#tone;
  }

  /** What is said first decides the status: say the worst first. */
  say(rule: string, status: Status, text: string): void {
    if (status === "error" || (status === "warning" && this.#tone === "clean")) this.#tone = status;
    const cell = this.#cells.get(rule);
    if (cell) cell.sentences.push(text);
    else this.#cells.set(rule, { status, sentences: [text] });
  }
}

/** The channels in the order of the report, those that couldn't be read, and all together if there is something. */
export function rowsOf({ channels, fleet, findings, waived, notEvaluable }: AuditReport): Row[] {
  const rows = new Map<string, Row>();
  for (const channel of channels) rows.set(keyOf(channel), new Row(channel, channel.passed));
  if (fleet.passed.length > 0) rows.set(keyOf(undefined), new Row(undefined, fleet.passed));
  const rowOf = (channel: ChannelReference | undefined): Row => {
    const row = rows.get(keyOf(channel)) ?? new Row(channel);
    rows.set(keyOf(channel), row);
    return row;
  };
  for (const finding of findings)
    rowOf(finding.channel).say(finding.rule, finding.severity, sentence(finding));
  for (const finding of waived) {
    const text = `${sentence(finding)} (${waiverSentence(finding.waiver)})`;
    rowOf(finding.channel).say(finding.rule, "waived", text);
  }
  for (const open of notEvaluable) rowOf(open.channel).say(open.rule, "not evaluable", openSentence(open));
  return [...rows.values()];
}

function keyOf(channel: ChannelReference | undefined): string {
  return channel === undefined ? "" : String(channel.id);
}
