/** Generates ids, numbers and timestamps that look random and are reproducible for a seed and a time. */
import { createHash } from "node:crypto";

const minute = 60_000;
export const days = (count: number) => count * 24 * 60;

export class SeedValues {
  constructor(
    private readonly seed: number,
    private readonly now: Date,
    readonly accountId: string,
  ) {}

  /** A UUID of version 4. */
  id(label: string): string {
    const bytes = this.#digest(label);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  /** A whole number from `least` to `most`. */
  number(label: string, least: number, most: number): number {
    return least + (this.#digest(label).readUInt32BE() % (most - least + 1));
  }

  /** The time that many minutes ago, as an ISO date-time. */
  ago(minutes: number): string {
    return new Date(this.now.getTime() - minutes * minute).toISOString();
  }

  #digest(label: string): Buffer {
    return createHash("sha256").update(`${this.seed}/${this.accountId}/${label}`).digest();
  }
}
