/** Writes that reads don't return yet, as with replication lag. */
import type { StoredIncidentUpdate } from "../store/data";

/** How long reads don't return a write: for a time, for a number of reads, or whichever ends first. */
export interface Delay {
  ms?: number | undefined;
  reads?: number | undefined;
}

export class LateWrites {
  readonly #hidden = new Map<string, { until: number; readsLeft: number }>();

  hide(updateId: string, { ms = Infinity, reads = Infinity }: Delay): void {
    this.#hidden.set(updateId, { until: performance.now() + ms, readsLeft: reads });
  }

  /** The updates that a read returns now. Each call counts as one read. */
  visible(updates: StoredIncidentUpdate[]): StoredIncidentUpdate[] {
    return this.#hidden.size === 0 ? updates : updates.filter(({ id }) => !this.#hides(id));
  }

  showAll(): void {
    this.#hidden.clear();
  }

  #hides(updateId: string): boolean {
    const hidden = this.#hidden.get(updateId);
    if (hidden === undefined) return false;
    if (performance.now() < hidden.until && hidden.readsLeft-- > 0) return true;
    this.#hidden.delete(updateId);
    return false;
  }
}
