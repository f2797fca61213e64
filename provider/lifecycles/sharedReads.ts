/** Equal reads are one request: a process serves one phase of the engine, so what was read stays good enough for it. */
import { NotFoundError } from "../client";
import { type Connection } from "../connection";

export class SharedReads<T> {
  readonly #reads = new Map<string, WeakMap<Connection, Promise<T | undefined>>>();

  /** The object with this id, read now or before; undefined when it is absent. A read that failed is not kept. */
  async get(connection: Connection, id: string, read: () => Promise<T>): Promise<T | undefined> {
    const known = this.#reads.get(id) ?? new WeakMap<Connection, Promise<T | undefined>>();
    this.#reads.set(id, known);
    const reading = known.get(connection) ?? undefinedIfAbsent(read());
    known.set(connection, reading);
    reading.catch(() => known.delete(connection));
    return reading;
  }

  /** What any connection read of this object is out of date. */
  forget(id: string): void {
    this.#reads.delete(id);
  }
}

export async function undefinedIfAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}
