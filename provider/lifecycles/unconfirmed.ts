import { type HistorySnapshot } from "./history";

/** An update was sent, and it is unknown whether it exists in the incident. */
export class Unconfirmed extends Error {
  readonly seen: HistorySnapshot;

  constructor(message: string, seen: HistorySnapshot) {
    super(message);
    this.seen = seen;
  }
}
