/** The monitoring service on this machine: its six operations on real HTTP, data to play with, faults on demand. */
import { setMaxListeners } from "node:events";
import { z } from "zod";
import { ByHand, incidentOf } from "./byHand";
import type { StatusPageIncident } from "./contract";
import { apiKey, type SandboxData, sandboxData } from "./data";
import { openDataFile, writeDataFile } from "./dataFile";
import { checked } from "./errors";
import { fault, type FaultInput } from "./faultKinds";
import { Faults } from "./faults";
import { Journal, type JournalEntry } from "./journal";
import { seedData } from "./seed";
import { listen } from "./server";
import { shownIncident, Store } from "./store";

export type { ByHand } from "./byHand";
export type { SandboxAccount, SandboxData } from "./data";
export { SandboxError } from "./errors";
export type { Fault, FaultInput } from "./faultKinds";
export type { FaultReport, Faults } from "./faults";
export type { JournalEntry } from "./journal";
export { seedData, type SeedOptions } from "./seed";
export { wellKnown } from "./seed/wellKnown";

export interface SandboxOptions {
  /** Port of 127.0.0.1 to listen on; 0 takes a free one. Default: 0. */
  port?: number;
  /** JSON file that keeps the data: made from the seed when it is missing. Default: kept in memory alone. */
  data?: string;
  /** Takes the place of the first API key as long as this sandbox runs. Default: `wellKnown.apiKeys.quillmarket`. */
  apiKey?: string;
  /** Faults that are on from the start. Default: none. */
  faults?: FaultInput[];
  /**
   * The data to begin with: a number varies what `seedData` generates, an object is taken as it is. Not looked at when
   * the data file exists. Default: 0.
   */
  seed?: number | SandboxData;
}

/** A running service. Close it, or the process goes on. */
export interface Sandbox {
  /** Base address, such as `http://127.0.0.1:4010`. The public status page is at its root. */
  readonly url: string;
  /** The first API key. */
  readonly apiKey: string;
  /** The account that this key means when a request names none. */
  readonly accountId: string;
  /** The journal: every request to the API, oldest first, the latest 10,000. */
  readonly requests: readonly JournalEntry[];
  /** Turns faults on and off. */
  readonly faults: Pick<Faults, "add" | "clear" | "list">;
  /** Changes what the service keeps, past its API. */
  readonly byHand: ByHand;
  /** What the service keeps now. */
  readonly data: Readonly<SandboxData>;
  /** A status-page incident as it is, late writes included. Throws a `SandboxError` when there is none. */
  incident(incidentId: string): StatusPageIncident;
  /** How many subscribers were mailed: about one update, or ever. */
  mailed(updateId?: string): number;
  /** Empties the journal. */
  clearRequests(): void;
  /** Ends open connections and frees the port. Nothing is written after that. */
  close(): Promise<void>;
}

const sandboxOptions = z.strictObject({
  port: z.int().min(0).max(65_535).default(0),
  data: z.string().min(1, { error: "must not be empty" }).optional(),
  apiKey: apiKey.optional(),
  faults: z.array(fault).default([]),
  seed: z.union([z.int(), z.custom<SandboxData>()]).default(0),
});

/**
 * Starts the service on 127.0.0.1.
 *
 * @throws SandboxError for mistakes in the options or in the data file, and for a port that is taken
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    port,
    data: file,
    seed,
    ...wanted
  } = checked(sandboxOptions, options, "These sandbox options are wrong");
  const seeded = () =>
    typeof seed === "number"
      ? seedData({ seed })
      : checked(sandboxData, seed, "This seed isn't sandbox data");
  const store =
    file === undefined
      ? new Store(seeded())
      : new Store(openDataFile(file, seeded), (data) => writeDataFile(file, data));

  const [first, ...others] = store.data.access;
  const { apiKey = first.apiKey } = wanted;
  const journal = new Journal();
  const faults = new Faults();
  faults.add(...wanted.faults);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const access: SandboxData["access"] = [{ ...first, apiKey }, ...others];
  const server = await listen({ store, access, faults, journal, closing: closing.signal }, port);

  return {
    url: server.url,
    apiKey,
    accountId: first.accountIds[0],
    requests: journal.entries,
    faults,
    byHand: new ByHand(store),
    get data() {
      return store.data;
    },
    incident(incidentId) {
      const incident = incidentOf(store.data, incidentId);
      return shownIncident(incident, incident.incidentUpdates);
    },
    mailed(updateId) {
      const { mailed } = store.data;
      if (updateId !== undefined) return mailed[updateId] ?? 0;
      return Object.values(mailed).reduce((sum, subscribers) => sum + subscribers, 0);
    },
    clearRequests: () => journal.clear(),
    close() {
      closing.abort();
      return server.close();
    },
  };
}
