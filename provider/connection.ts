/** From Pulumi configuration and environment to clients: one for each account, made when first needed. */
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import {
  type ClientOptions,
  ConfigurationError,
  type Id,
  InvalidInputError,
  MonitoringClient,
} from "./client";
import { optionProblems } from "./client/options";
import { Reads } from "./reads";
import { pathProblems } from "./api/path";
import { type ConfigSource, type Environment, type ReadConfig, Settings } from "./settings";

/** Where requests go, as a stack remembers it. The account is missing when the key alone decides it. */
export interface Origin {
  readonly host: string;
  /** What stands between the host and the paths of the API, such as `/tenant`, or `/`. */
  readonly path: string;
  readonly accountId?: string;
}

/** A client, and where it leads. */
export interface Connection {
  readonly client: MonitoringClient;
  /** The same client for reading, where equal reads are one request. */
  readonly reads: Reads;
  readonly origin: Origin;
  /** Longest time of one call, in milliseconds. */
  readonly deadlineMs: number;
  /** Folder of the locks by which the processes of this machine keep out of each other's way. */
  readonly lockDirectory: string;
}

const accountsSchema = z.record(
  z.string(),
  z.strictObject(
    {
      apiKey: z.string({ error: "must be a string" }),
      accountId: z.string({ error: "must be a string" }).optional(),
      baseUrl: z.string({ error: "must be a string" }).optional(),
    },
    { error: "must be an object with apiKey and, optionally, accountId and baseUrl" },
  ),
  { error: 'must be a JSON object of accounts by name, such as {"eu": {"apiKey": "…"}}' },
);

const channelsSchema = z.record(z.string(), z.union([z.string(), z.number()], { error: "must be an id" }), {
  error: 'must be a JSON object of ids by name, such as {"on-call": 200123}',
});

export interface ConnectionsOptions {
  /** Cancels every call. */
  readonly signal?: AbortSignal | undefined;
  /** Where the configuration comes from, for messages. Default: the stack. */
  readonly source?: ConfigSource;
}

/**
 * The connections that a program or a provider process may use.
 *
 * @throws ConfigurationError from the constructor, with every mistake in the configuration.
 */
export class Connections {
  /** Ids of the alert channels that have a name in the configuration. */
  readonly alertChannels: Readonly<Record<string, Id>>;
  /** Options by account name; without a name, the default account's. */
  readonly #options = new Map<string | undefined, ClientOptions>();
  readonly #lockDirectory: string;
  readonly #open = new Map<string | undefined, Connection>();

  constructor(config: ReadConfig, environment: Environment, options: ConnectionsOptions = {}) {
    const settings = new Settings(config, environment, options.source);
    const common = {
      baseUrl: settings.text("baseUrl") ?? "",
      accountHeader: settings.text("accountHeader"),
      timeoutMs: settings.number("timeoutMs"),
      deadlineMs: settings.number("deadlineMs"),
      maxRequestsPerMinute: settings.number("maxRequestsPerMinute"),
      readOnly: settings.isOn("readOnly"),
      signal: options.signal,
    };
    this.#lockDirectory = settings.text("lockDirectory") ?? defaultLockDirectory(environment);
    const accounts = settings.json("accounts", accountsSchema) ?? {};
    this.alertChannels = settings.json("alertChannels", channelsSchema) ?? {};
    const apiKey = settings.text("apiKey") ?? "";
    if (apiKey !== "" || Object.keys(accounts).length === 0) {
      this.#options.set(undefined, { ...common, apiKey, accountId: settings.text("accountId") });
    }
    for (const [name, account] of Object.entries(accounts))
      this.#options.set(name, { ...common, ...account });

    for (const [name, options] of this.#options) {
      const own = name === undefined ? {} : accounts[name];
      for (const { property, reason } of optionProblems(options)) {
        const place =
          property in { ...own }
            ? `${settings.nameOf("accounts")}.${name}.${property}`
            : settings.nameOf(property);
        const absent = new Map(Object.entries(options)).get(property) === "";
        // Accounts that are told to be wrong may be all there was to be.
        if (absent && property === "apiKey" && name === undefined && settings.isWrong("accounts")) continue;
        settings.addProblem(place, absent ? `is missing: ${settings.howToSet(property)}` : reason);
      }
    }
    for (const { property, reason } of pathProblems(this.alertChannels)) {
      settings.addProblem(`${settings.nameOf("alertChannels")}.${property}`, reason);
    }
    if (settings.problems.length > 0) throw new ConfigurationError("Configuration", settings.problems);
  }

  /** Why there is no such account, or undefined when there is. Without a name, the default account is meant. */
  accountProblem(account: string | undefined): string | undefined {
    if (this.#options.has(account)) return undefined;
    const names = [...this.#options.keys()].filter((name) => name !== undefined).join(", ");
    return account === undefined
      ? `must be given, because monitoring:apiKey is not set; one of: ${names}`
      : `must be a name in monitoring:accounts${names === "" ? ", which is not set" : `; one of: ${names}`}`;
  }

  /**
   * The account by this name or, when it was renamed, the one that leads to where it led.
   *
   * @throws InvalidInputError when there is none, or more than one.
   */
  reconnect(account: string | undefined, isThere: (origin: Origin) => boolean): Connection {
    if (this.#options.has(account)) return this.connect(account);
    const renamed = [...this.#options.keys()]
      .map((name) => this.connect(name))
      .filter((one) => isThere(one.origin));
    const [connection, ...more] = renamed;
    // Without an account's id, two keys may open two accounts.
    if (connection && (more.length === 0 || connection.origin.accountId !== undefined)) return connection;
    const reason =
      `${this.accountProblem(account) ?? "is not known"}. ${connection ? "Several accounts point" : "No account points"} to ` +
      "the origin of this resource: restore the name, or run `pulumi up` with the account's new name in the program, " +
      "which records it and posts nothing";
    throw new InvalidInputError("Connection", [{ property: "account", reason }]);
  }

  /** @throws InvalidInputError when there is no such account. */
  connect(account?: string): Connection {
    const open = this.#open.get(account);
    if (open) return open;
    const options = this.#options.get(account);
    if (!options) {
      const reason = this.accountProblem(account) ?? "is not known";
      throw new InvalidInputError("Connection", [{ property: "account", reason }]);
    }
    const { baseUrl, accountId, deadlineMs = 60_000 } = options;
    const origin = originOf(baseUrl, accountId);
    const lockDirectory = this.#lockDirectory;
    const client = new MonitoringClient(options);
    const connection = { client, reads: new Reads(client), origin, deadlineMs, lockDirectory };
    this.#open.set(account, connection);
    return connection;
  }

  /** After a post to an incident: several accounts may have read it. */
  forgetIncident(incidentId: string): void {
    for (const { reads } of this.#open.values()) reads.forgetIncident(incidentId);
  }
}

function originOf(baseUrl: string, accountId: string | undefined): Origin {
  const { host, pathname } = new URL(baseUrl);
  return { host, path: pathname.replace(/(?<=.)\/+$/, ""), ...(accountId !== undefined && { accountId }) };
}

/** Beside what Pulumi itself keeps for this user of the machine. */
function defaultLockDirectory({ PULUMI_HOME }: Environment): string {
  return join(PULUMI_HOME || join(homeOrTemporary(), ".pulumi"), "monitoring-locks");
}

/** A container may run as a user that has no home. */
function homeOrTemporary(): string {
  try {
    return homedir();
  } catch {
    return tmpdir();
  }
}
