/** Arranges a report as a matrix of channels by rules. */
import { channelKey, type ChannelReference } from "../channel";
import type { AuditReport } from "../report";
import { type Result, resultsOf, resultText } from "./reportText";

export interface Cell extends Pick<Result, "blocks"> {
  readonly status: Result["status"] | "passed";
  /** One for each finding or field that isn't evaluable. */
  readonly messages: readonly string[];
}

/** A channel, or all of them together. */
export class Row {
  readonly results: Result[] = [];

  constructor(
    /** Undefined for the row of all channels, and of the rules. */
    readonly channel: ChannelReference | undefined,
    readonly passed: readonly string[] = [],
  ) {}

  /** Undefined when the rule doesn't apply. Its worst result decides the status. */
  cell(rule: string): Cell | undefined {
    const results = this.results.filter((result) => result.rule === rule);
    const [worst] = results;
    if (worst === undefined)
      return this.passed.includes(rule) ? { status: "passed", blocks: false, messages: [] } : undefined;
    const messages = results.map(
      (one) => resultText(one) + (one.waiver === undefined ? "" : ` (${one.waiver})`),
    );
    return { status: worst.status, blocks: worst.blocks, messages };
  }
}

/** Returns the channels in the order of the report, then those that aren't evaluable, and all channels together if needed. */
export function rowsOf(report: AuditReport): Row[] {
  const keyOf = (channel: ChannelReference | undefined) => (channel ? channelKey(channel) : "");
  const { channels, fleet } = report;
  const rows = new Map(channels.map((channel) => [keyOf(channel), new Row(channel, channel.passed)]));
  if (fleet.passed.length > 0) rows.set("", new Row(undefined, fleet.passed));
  for (const result of resultsOf(report)) {
    const key = keyOf(result.channel);
    const row = rows.get(key) ?? new Row(result.channel);
    rows.set(key, row);
    row.results.push(result);
  }
  return [...rows.values()];
}
