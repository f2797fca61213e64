/** Runs a local mock of the monitoring service's API, with sample data and faults on demand. */
import { setMaxListeners } from "node:events";
import { z } from "zod";
import { connectedSandboxes, variables } from "../provider/connection";
import {
  apiKey,
  type SandboxComponentPageIncident,
  sandboxData,
  type SandboxData,
  type SandboxStatusPageIncident,
  toApiIncident,
} from "./data";
import { type FaultInput, Faults, faultSchema } from "./faults";
import { headerName } from "./http";
import { Journal, type JournalEntry } from "./journal";
import { seedData } from "./seed";
import { listen } from "./server";
import { type Dashboard, parseInput, Store } from "./store";
import { type UpdateIdOptions, updateIdOptions } from "./updateIds";

export type { SandboxAccount, SandboxData } from "./data";
export type { Fault, FaultInput, FaultReport, Faults } from "./faults";
export type { JournalEntry } from "./journal";
export { seedData, wellKnown } from "./seed";
export { type Dashboard, type MigratedIds, type MigrationOptions, SandboxError } from "./store";
export type { UpdateIdOptions } from "./updateIds";

export interface SandboxOptions extends Partial<UpdateIdOptions> {
  /** Port to listen on, on 127.0.0.1. 0 selects any free port. Default: 0. */
  port?: number;
  /** JSON file that stores the data. It is created from the seed if it doesn't exist. Default: the data is only kept in memory. */
  data?: string;
  /** Replaces the first API key while this sandbox runs. Default: `wellKnown.apiKeys.quillmarket`. */
  apiKey?: string;
  /** Name of the header that contains the account ID. Default: `x-service-account`. */
  accountHeader?: string;
  /** Faults that are active from the start. Default: none. */
  faults?: FaultInput[];
  /** The initial data. Ignored if the data file exists. Default: the result of `seedData`. */
  seed?: SandboxData;
}

/** A running sandbox. Close it to let the process exit. */
export interface Sandbox {
  /** Base URL, such as `http://127.0.0.1:4010`. It also shows the public status page. */
  readonly url: string;
  /** The first API key. */
  readonly apiKey: string;
  /** ID of the account that requests with this key use by default. */
  readonly accountId: string;
  /** Name of the header that contains the account ID, in lower case. */
  readonly accountHeader: string;
  /**
   * The journal: the latest requests to the API, oldest first, at most 10,000. A request without one of this sandbox's API keys is
   * neither recorded nor affected by faults.
   */
  readonly requests: readonly JournalEntry[];
  /** Adds and removes faults. */
  readonly faults: Pick<Faults, "add" | "clear" | "list">;
  /** Changes the service's data directly, as people do in the dashboard. */
  readonly dashboard: Dashboard;
  /** The service's current data. */
  readonly data: Readonly<SandboxData>;
  /**
   * Returns a status-page incident, including writes that reads don't return yet. `statusPageId` is the ID of the page with components;
   * omit it for an incident on pages with cards. Throws a `SandboxError` if the incident doesn't exist.
   */
  incident(incidentId: string): SandboxStatusPageIncident;
  incident(incidentId: string, statusPageId: string): SandboxComponentPageIncident;
  /** Returns the number of subscribers that were emailed about an update or, without an ID, about all updates. */
  emailsSent(updateId?: string): number;
  /** Empties the journal. */
  clearRequests(): void;
  /** Closes open connections and releases the port. Nothing is written after that. */
  close(): Promise<void>;
}

const sandboxOptions = updateIdOptions.partial().extend({
  port: z.int().min(0).max(65_535).default(0),
  data: z.string().min(1, { error: "must not be empty" }).optional(),
  apiKey: apiKey.optional(),
  accountHeader: z
    .string()
    .regex(headerName, { error: "must be a valid header name" })
    .default("x-service-account"),
  faults: z.array(faultSchema).default([]),
  seed: z.custom<SandboxData>().optional(),
});

/**
 * Starts the service on 127.0.0.1.
 *
 * @throws SandboxError if an option or the data file is invalid, or if the port is in use
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    port,
    data: file,
    seed,
    ids = "ignored",
    ...parsed
  } = parseInput(sandboxOptions, options, "These sandbox options are invalid");
  const getSeed = () =>
    seed === undefined ? seedData() : parseInput(sandboxData, seed, "This seed isn't sandbox data");
  const store = file === undefined ? new Store(getSeed()) : Store.open(file, getSeed);

  const [first, ...others] = store.data.access;
  const { apiKey = first.apiKey } = parsed;
  const journal = new Journal();
  const faults = new Faults();
  faults.add(...parsed.faults);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const access: SandboxData["access"] = [{ ...first, apiKey }, ...others];
  const accountHeader = parsed.accountHeader.toLowerCase();
  const service = { store, ids, access, accountHeader, faults, journal, closing: closing.signal };
  const server = await listen(service, port);

  function incident(incidentId: string): SandboxStatusPageIncident;
  function incident(incidentId: string, statusPageId: string): SandboxComponentPageIncident;
  function incident(incidentId: string, statusPageId?: string) {
    return toApiIncident(store.getIncident(incidentId, statusPageId));
  }

  const sandbox: Sandbox = {
    url: server.url,
    apiKey,
    accountId: first.accountIds[0],
    accountHeader,
    requests: journal.entries,
    faults,
    dashboard: store,
    get data() {
      return store.data;
    },
    incident,
    emailsSent(updateId) {
      const { mailed } = store.data;
      if (updateId !== undefined) return mailed[updateId] ?? 0;
      return Object.values(mailed).reduce((sum, subscribers) => sum + subscribers, 0);
    },
    clearRequests: () => journal.clear(),
    close() {
      disconnectFrom(sandbox);
      closing.abort();
      return server.close();
    },
  };
  return sandbox;
}

/** The fields of a sandbox that a program needs to connect to it. */
type Address = Pick<Sandbox, "url" | "apiKey" | "accountId" | "accountHeader">;

type Environment = Readonly<Record<string, string | undefined>>;

/** The connected sandboxes, in the order of connection. */
const connected: Address[] = [];
let original: Environment = {};

const toEnvironment = ({ url, apiKey, accountId, accountHeader }: Address): Environment => ({
  [variables.baseUrl]: url,
  [variables.apiKey]: apiKey,
  [variables.accountId]: accountId,
  [variables.accountHeader]: accountHeader,
  [connectedSandboxes]: connected.map((one) => one.url).join(" "),
});

/**
 * Connects the data sources, resources and commands of this package to the sandbox. Sets `MONITORING_BASE_URL`, `MONITORING_API_KEY`,
 * `MONITORING_ACCOUNT_ID` and `MONITORING_ACCOUNT_HEADER` in this process; they take precedence over the stack's configuration. If several
 * sandboxes are connected, the last one is used. `MONITORING_CONNECTED_SANDBOXES` contains the URLs of all connected sandboxes, and
 * accounts and providers with any other base URL are rejected. Closing the sandbox restores the variables.
 */
export function connectTo(sandbox: Address): void {
  if (connected.length === 0) {
    const names = Object.keys(toEnvironment(sandbox));
    original = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  }
  connected.push(sandbox);
  useLast();
}

/** Undoes every {@link connectTo} of this sandbox. */
function disconnectFrom(sandbox: Address): void {
  if (!connected.includes(sandbox)) return;
  connected.splice(0, Infinity, ...connected.filter((one) => one !== sandbox));
  useLast();
}

function useLast(): void {
  const last = connected.at(-1);
  for (const [name, value] of Object.entries(last ? toEnvironment(last) : original)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
}
