/** Creates the clients from the Pulumi configuration and the environment: one per account, on first use. */
import {
  type ClientOptions,
  ConfigurationError,
  type Id,
  InvalidInputError,
  MonitoringClient,
  type PagePromise,
  type Problem,
  type RequestEvent,
} from "../client";
import { type Origin, originOf, channelIdProblem, pathProblems } from "../api";
import { didYouMean } from "../texts";
import { defaults, optionProblems } from "../client/options";
import {
  accountsSchema,
  alertChannelsSchema,
  type ConfigSource,
  type Environment,
  lockDirectoryOf,
  type ReadConfig,
  Settings,
} from "./settings";
import { Reads } from "./reads";
import { connectedSandboxes } from "./environment";

// Where a test that is connected to sandboxes may not publish.

/** An account with a base URL of its own would publish on the real service in a test that is connected to sandboxes. */
function outsideSandboxes({ baseUrl }: ClientOptions, sandboxes: string | undefined): readonly Problem[] {
  if (!sandboxes || !URL.canParse(baseUrl)) return [];
  const urls = sandboxes.split(" ");
  if (urls.includes(new URL(baseUrl).origin)) return [];
  const reason =
    `must be the URL of a connected sandbox (${urls.join(", ")}) while connectTo is in effect. ` +
    "For this account, start another sandbox, and call connectTo for it first";
  return [{ property: "baseUrl", reason }];
}

const longestSilentMs = 10_000;

/**
 * A listener of requests that says once when the service makes a client wait for long (HTTP 429): the run would look as if it
 * hung.
 */
export function tellLongWait(tell: (text: string) => void): (event: RequestEvent) => void {
  let wasTold = false;
  return ({ operation, pauseMs = 0 }) => {
    if (wasTold || pauseMs <= longestSilentMs) return;
    wasTold = true;
    const seconds = Math.ceil(pauseMs / 1000);
    tell(
      `${operation}: the service allows no more requests at the moment (HTTP 429), so this run waits ${seconds} s.`,
    );
  };
}

/** A client and its origin. */
export interface Connection {
  readonly client: MonitoringClient;
  /** Cached reads through the client. */
  readonly reads: Reads;
  readonly origin: Origin;
  readonly baseUrl: string;
  /** Time limit of one call, in milliseconds. */
  readonly deadlineMs: number;
  /** Folder of the locks that serialize the processes of this machine; undefined when there is no home for it. */
  readonly lockDirectory: string | undefined;
  /** Whether posts carry an id of our own. */
  readonly clientIds: boolean;
  /** Codes of questions that earlier runs printed; each permits one post of the update that the question is about. */
  readonly resend: readonly string[];
  /** Where they are set, for messages. */
  readonly source: ConfigSource;
}

/** The client without lists: what reads one page by mistake doesn't compile. */
type Unpaged = {
  [
    Name in keyof MonitoringClient as ReturnType<MonitoringClient[Name]> extends PagePromise<{ id: string }>
      ? never
      : Name
  ]: MonitoringClient[Name];
};

/** Connections whose lists are read across all pages, by {@link Reads}. */
export interface ReadConnections extends Omit<Connections, "connect"> {
  connect(account?: string): Omit<Connection, "client"> & { readonly client: Unpaged };
}

interface Account {
  readonly options: ClientOptions;
  /** The setting that has its base URL, for messages. */
  readonly baseUrlSetting: string;
}

export interface ConnectionsOptions {
  /** Cancels all calls. */
  readonly signal?: AbortSignal | undefined;
  /** Source of the configuration, for messages. Default: the stack. */
  readonly source?: ConfigSource;
  /** Called after every attempt of each client. */
  readonly onRequest?: ClientOptions["onRequest"];
}

/**
 * The connections of a program or a provider process.
 *
 * @throws ConfigurationError from the constructor, with all problems of the configuration.
 */
export class Connections {
  /** Ids of the named alert channels in the configuration. */
  readonly alertChannels: Readonly<Record<string, Id>>;
  /** The name of their setting, for messages. */
  readonly alertChannelsSetting: string;
  /** The command that sets them. */
  readonly howToSetAlertChannels: string;
  /** By account name; `undefined` is the default account. */
  readonly #accounts = new Map<string | undefined, Account>();
  readonly #lockDirectory: string | undefined;
  readonly #clientIds: boolean;
  readonly #resend: readonly string[];
  readonly #source: ConfigSource;
  readonly #accountsSetting: string;
  readonly #apiKeySetting: string;
  readonly #open = new Map<string | undefined, Connection>();

  constructor(config: ReadConfig, environment: Environment, options: ConnectionsOptions = {}) {
    const settings = new Settings(config, environment, options.source);
    const common = {
      baseUrl: settings.text("baseUrl") ?? "",
      accountHeader: settings.text("accountHeader"),
      timeoutMs: settings.number("timeoutMs"),
      deadlineMs: settings.number("deadlineMs"),
      readOnly: settings.isOn("readOnly"),
      signal: options.signal,
      onRequest: options.onRequest,
    };
    this.#lockDirectory = lockDirectoryOf(settings, environment);
    this.#clientIds = !settings.isOff("clientIds");
    this.#resend = settings.codes("resend");
    this.#source = options.source ?? "stack";
    this.#accountsSetting = settings.inSentence("accounts");
    this.#apiKeySetting = settings.inSentence("apiKey");
    this.alertChannelsSetting = settings.inSentence("alertChannels");
    this.howToSetAlertChannels = settings.howToSet("alertChannels", "'{\"on-call\": 200123}'");
    const accounts = settings.json("accounts", accountsSchema) ?? {};
    this.alertChannels = settings.json("alertChannels", alertChannelsSchema) ?? {};
    const apiKey = settings.text("apiKey") ?? "";
    const baseUrlSetting = settings.inSentence("baseUrl");
    if (apiKey !== "" || Object.keys(accounts).length === 0) {
      const options = { ...common, apiKey, accountId: settings.text("accountId") };
      this.#accounts.set(undefined, { options, baseUrlSetting });
    }
    for (const [name, account] of Object.entries(accounts)) {
      const own = account.baseUrl === undefined ? baseUrlSetting : `${this.#accountsSetting}.${name}.baseUrl`;
      this.#accounts.set(name, { options: { ...common, ...account }, baseUrlSetting: own });
    }

    for (const [name, { options }] of this.#accounts) {
      const own = name === undefined ? {} : accounts[name];
      const elsewhere = outsideSandboxes(options, environment[connectedSandboxes]);
      for (const { property, reason } of [...optionProblems(options), ...elsewhere]) {
        const place =
          property in { ...own }
            ? `${settings.nameOf("accounts")}.${name}.${property}`
            : settings.nameOf(property);
        const absent = new Map(Object.entries(options)).get(property) === "";
        // The invalid accounts may be the only intended ones.
        if (absent && property === "apiKey" && name === undefined && settings.hasProblem("accounts"))
          continue;
        settings.addProblem(place, absent ? `is missing: ${settings.howToSet(property)}` : reason);
      }
    }
    for (const { property, reason } of pathProblems(this.alertChannels, channelIdProblem)) {
      settings.addProblem(`${settings.nameOf("alertChannels")}.${property}`, reason);
    }
    if (settings.problems.length > 0) throw new ConfigurationError("Configuration", settings.problems);
  }

  /** Why the account does not exist, or undefined when it exists. Without a name: the default account. */
  accountProblem(account: string | undefined): string | undefined {
    if (this.#accounts.has(account)) return undefined;
    const names = [...this.#accounts.keys()].filter((name) => name !== undefined);
    const list = names.join(", ");
    if (account === undefined)
      return `must be given, because ${this.#apiKeySetting} is not set; one of: ${list}`;
    const known = list === "" ? ", which is not set" : `; one of: ${list}${didYouMean(account, names)}`;
    return `must be a name in ${this.#accountsSetting}${known}`;
  }

  /**
   * The account by this name or, when it was renamed, the account with the same origin.
   *
   * @throws InvalidInputError when no account or several accounts have that origin.
   */
  reconnect(account: string | undefined, hasOrigin: (origin: Origin) => boolean): Connection {
    if (this.#accounts.has(account)) return this.connect(account);
    const renamed = [...this.#accounts.keys()]
      .map((name) => this.connect(name))
      .filter((one) => hasOrigin(one.origin));
    const [connection, ...more] = renamed;
    // Without an account id, two keys may belong to two accounts.
    if (connection && (more.length === 0 || connection.origin.accountId !== undefined)) return connection;
    const reason =
      `${this.accountProblem(account) ?? "is not known"}. ${connection ? "Several configured accounts match" : "No configured account matches"} ` +
      "the service and account of this resource. Restore the account's name, or use its new name in the program and " +
      "run `pulumi up`, which posts nothing";
    throw new InvalidInputError("Connection", [{ property: "account", reason }]);
  }

  /** @throws InvalidInputError when the account does not exist. */
  connect(account?: string): Connection {
    const open = this.#open.get(account);
    if (open) return open;
    const known = this.#accounts.get(account);
    if (!known) {
      const reason = this.accountProblem(account) ?? "is not known";
      throw new InvalidInputError("Connection", [{ property: "account", reason }]);
    }
    const { baseUrl, accountId, deadlineMs = defaults.deadlineMs } = known.options;
    const origin = originOf(baseUrl, accountId);
    const client = new MonitoringClient(known.options, known.baseUrlSetting);
    const connection = {
      client,
      reads: new Reads(client),
      origin,
      baseUrl,
      deadlineMs,
      lockDirectory: this.#lockDirectory,
      clientIds: this.#clientIds,
      resend: this.#resend,
      source: this.#source,
    };
    this.#open.set(account, connection);
    return connection;
  }

  /** Drops cached reads of an incident after a post, for all accounts, because several may have read it. */
  forgetIncident(incidentId: string): void {
    for (const { reads } of this.#open.values()) reads.forgetIncident(incidentId);
  }
}
