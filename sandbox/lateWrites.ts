/** Writes that readers don't see yet, as on a service with replicas that lag behind. */
import type { StatusPageIncidentUpdate } from "./contract";

/** How long a write stays unseen: for a time, for a number of reads, or until the first of both is over. */
export interface Delay {
  ms?: number | undefined;
  reads?: number | undefined;
}

export class LateWrites {
  readonly #hidden = new Map<string, { until: number; readsLeft: number }>();

  hide(updateId: string, { ms = Infinity, reads = Infinity }: Delay): void {
    this.#hidden.set(updateId, { until: performance.now() + ms, readsLeft: reads });
  }

  /** The updates that a reader sees now. Each call counts as one read. */
  visible(updates: StatusPageIncidentUpdate[]): StatusPageIncidentUpdate[] {
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
