import { type Seen } from "./history";

/** An update was sent, and it is unknown whether it exists in the incident. */
export class Unconfirmed extends Error {
  readonly seen: Seen;

  constructor(message: string, seen: Seen) {
    super(message);
    this.seen = seen;
  }
}
