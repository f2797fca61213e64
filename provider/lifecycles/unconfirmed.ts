import { type HistorySnapshot } from "./history";

/** An update was sent and its result is unknown. */
export class Unconfirmed extends Error {
  readonly seen: HistorySnapshot;

  constructor(message: string, seen: HistorySnapshot) {
    super(message);
    this.seen = seen;
  }
}
