/** Connects a run to the service: creates clients from settings and variables, and shares and caches their reads. */
import { type Id, type Origin, createOrigin } from "../api";
import {
  type ClientOptions,
  clientVariables,
  ConfigurationError,
  defaults,
  InvalidInputError,
  MonitoringClient,
  type RequestEvent,
  SecretMasker,
} from "../client";
import { formatSuggestion, normalizeText, type Problem } from "../texts";
import { connectedSandboxes } from "./environment";
import { Incidents } from "./incidents";
import { Reads } from "./reads";
import { type ConfigSource, type Environment, type ReadConfig, Settings } from "./settings";

export { connectedSandboxes, namespace, secretSettings, settingNames, variables } from "./environment";
export {
  addPageHint,
  type AnyIncident,
  type Containers,
  type Entry,
  findFirstUpdate,
  type Incidents,
  toEntry,
} from "./incidents";
export { getSummaryId, readEach, ignoreNotFound } from "./reads";
export { Settings } from "./settings";

/** The connection of a run to one account of the service. */
export interface Connection {
  readonly client: MonitoringClient;
  /** Cached reads through the client. */
  readonly reads: Reads;
  /** Returns the incidents of a page with components or, without a page, the incidents of the pages with cards. */
  readonly getIncidents: (statusPageId?: string) => Incidents;
  /** Drops cached reads of an incident after a post, at each of its locations. */
  readonly forgetIncident: (incidentId: string) => void;
  readonly origin: Origin;
  readonly baseUrl: string;
  /** Time limit of one call, in milliseconds. */
  readonly deadlineMs: number;
  /** Folder of the locks that serialize the processes of this machine; undefined without a setting and a home folder. */
  readonly lockDirectory: string | undefined;
  /** True if posts carry an ID that this package generates. */
  readonly clientIds: boolean;
  /** Resend codes from error messages of earlier runs. Each overrides one rejection, such as a repeated post. */
  readonly resend: readonly string[];
  /** Source of the settings, for messages. */
  readonly source: ConfigSource;
}

/** The argument of everything that connects to an account: resources, components and data sources. */
export interface AccountArgs {
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: string;
}

export interface ConnectionsOptions {
  /** Prints the log of requests. Default: on standard error. */
  readonly print?: (line: string) => void;
  /** Cancels all calls. */
  readonly signal?: AbortSignal | undefined;
  /** Source of the configuration, for messages. Default: the stack. */
  readonly source?: ConfigSource;
  /** Called after every attempt of each client. */
  readonly onRequest?: ClientOptions["onRequest"];
  /** Maximum number of attempts of one call. */
  readonly maxAttempts?: ClientOptions["maxAttempts"];
}

/**
 * The connections of a program or a provider process.
 *
 * @throws ConfigurationError from the constructor, with all problems of the configuration.
 */
export class Connections {
  readonly alertChannels: Readonly<Record<string, Id>>;
  /** The name of the setting `alertChannels`, for messages. */
  readonly alertChannelsSetting: string;
  /** The command that sets the names of alert channels. */
  readonly howToSetAlertChannels: string;
  /** Connections by account name; `undefined` is the default account. */
  readonly #accounts = new Map<string | undefined, Connection>();
  /** The API keys. The key of the map is the setting that contains the API key. */
  readonly #keys = new Map<string, SecretMasker>();
  readonly #accountsSetting: string;
  readonly #apiKeySetting: string;

  constructor(config: ReadConfig, environment: Environment, options: ConnectionsOptions = {}) {
    const settings = new Settings(config, environment, options.source);
    const ofAllClients = readClientOptions(settings, options);
    const ofAllConnections = {
      deadlineMs: ofAllClients.deadlineMs ?? defaults.deadlineMs,
      lockDirectory: settings.getLockDirectory(),
      clientIds: !settings.isOff("clientIds"),
      resend: settings.getCodes("resend"),
      source: settings.source,
    };
    this.#accountsSetting = settings.formatName("accounts");
    this.#apiKeySetting = settings.formatName("apiKey");
    this.alertChannelsSetting = settings.formatName("alertChannels");
    this.howToSetAlertChannels = settings.formatSetCommand("alertChannels", "'{\"on-call\": 200123}'");
    const accounts = readAccounts(settings, ofAllClients);
    this.alertChannels = settings.getAlertChannels();
    for (const { setting, key } of settings.listApiKeys()) this.#keys.set(setting, new SecretMasker([key]));
    for (const account of accounts) {
      const { name, options: own, getOptionPath } = account;
      const baseUrlSetting =
        getOptionPath(this.#accountsSetting, "baseUrl") ?? settings.formatName("baseUrl");
      const { client, problems } = createClient(own, baseUrlSetting, options.print);
      const outside = checkSandboxUrl(own, environment[connectedSandboxes]);
      addProblems(settings, account, [...problems, ...outside]);
      if (!client) continue;
      const keySetting = getOptionPath(this.#accountsSetting, "apiKey");
      if (keySetting !== undefined) this.#keys.set(keySetting, new SecretMasker([own.apiKey]));
      const { baseUrl, accountId } = own;
      const origin = createOrigin(baseUrl, accountId);
      this.#accounts.set(name, { ...ofAllConnections, client, ...createReads(client), origin, baseUrl });
    }
    if (settings.problems.length > 0) throw new ConfigurationError("Configuration", settings.problems);
  }

  /** Returns why the account does not exist; undefined if it exists. Without a name, checks the default account. */
  validateAccount(account: string | undefined): string | undefined {
    return this.#accounts.has(account) ? undefined : this.#formatUnknownAccount(account);
  }

  #formatUnknownAccount(account: string | undefined): string {
    const names = [...this.#accounts.keys()].filter((name) => name !== undefined);
    const list = names.join(", ");
    if (account === undefined)
      return `is required, because ${this.#apiKeySetting} is not set. Use one of: ${list}`;
    const choice = list === "" ? ", which is not set" : `: ${list}${formatSuggestion(account, names)}`;
    return `must be a name in ${this.#accountsSetting}${choice}`;
  }

  /** Returns the values that contain an API key at any depth, even in another encoding. Errors would print the key. */
  findKeyProblems(values: Readonly<Record<string, unknown>>): Problem[] {
    return Object.entries(values).flatMap(([property, value]) => {
      const read = listStrings(value).flatMap((text) => [text, normalizeText(text)]);
      const settings = [...this.#keys].filter(([, key]) => read.some((text) => key.hasKey(text)));
      return settings.map(([setting]) => ({
        property,
        reason: `contains the API key from ${setting}. Remove the key. If anyone else may have seen the key, rotate it`,
      }));
    });
  }

  /** @throws InvalidInputError when an argument contains an API key. */
  rejectKeys(caller: string, args: Readonly<Record<string, unknown>>): void {
    const problems = this.findKeyProblems(args);
    if (problems.length > 0) throw new InvalidInputError(caller, problems);
  }

  /** @throws InvalidInputError when the account does not exist. */
  connect(account?: string): Connection {
    const connection = this.#accounts.get(account);
    if (connection) return connection;
    throw new InvalidInputError("Connection", [
      { property: "account", reason: this.#formatUnknownAccount(account) },
    ]);
  }

  /**
   * Returns the account of this name or, if it was renamed, the account with the same origin.
   *
   * @throws InvalidInputError when no account or several accounts have that origin.
   */
  reconnect(account: string | undefined, hasOrigin: (origin: Origin) => boolean): Connection {
    if (this.#accounts.has(account)) return this.connect(account);
    const [connection, ...more] = [...this.#accounts.values()].filter(({ origin }) => hasOrigin(origin));
    // Two keys may belong to two accounts, unless an account ID is set.
    if (connection && (more.length === 0 || connection.origin.accountId !== undefined)) return connection;
    const reason =
      `${this.#formatUnknownAccount(account)}. ${connection ? "Several configured accounts match" : "No configured account matches"} ` +
      "the service and account of this resource. Restore the account's old name, or use its new name in the program and " +
      "run `pulumi up` (nothing is posted)";
    throw new InvalidInputError("Connection", [{ property: "account", reason }]);
  }

  /** Drops cached reads of an incident after a post, for all accounts, because several may have read it. */
  forgetIncident(incidentId: string): void {
    for (const connection of this.#accounts.values()) connection.forgetIncident(incidentId);
  }
}

/** Returns the options that all clients share. */
function readClientOptions(settings: Settings, { signal, onRequest, maxAttempts }: ConnectionsOptions) {
  return {
    baseUrl: settings.getText("baseUrl") ?? "",
    accountHeader: settings.getText("accountHeader"),
    timeoutMs: settings.getNumber("timeoutMs"),
    deadlineMs: settings.getNumber("deadlineMs"),
    readOnly: settings.isOn("readOnly"),
    signal,
    onRequest,
    maxAttempts,
  };
}

interface DeclaredAccount {
  /** Undefined for the default account. */
  readonly name: string | undefined;
  readonly options: ClientOptions;
  /** Returns the place of an option within the setting of the accounts; undefined if the account doesn't set this option. */
  readonly getOptionPath: (accounts: string, option: string) => string | undefined;
}

/** Returns the default account, if it has a key or is the only account, and the accounts of the setting `accounts`. */
function readAccounts(settings: Settings, ofAll: Omit<ClientOptions, "apiKey">): DeclaredAccount[] {
  const named = Object.entries(settings.getAccounts());
  const apiKey = settings.getText("apiKey") ?? "";
  const accounts = named.map(([name, own]): DeclaredAccount => ({
    name,
    options: { ...ofAll, ...own },
    getOptionPath: (accounts, option) => (option in own ? `${accounts}.${name}.${option}` : undefined),
  }));
  if (apiKey === "" && named.length > 0) return accounts;
  const options = { apiKey, ...ofAll, accountId: settings.getText("accountId") };
  return [{ name: undefined, options, getOptionPath: () => undefined }, ...accounts];
}

/** Adds the problems of an account to the problems of the settings that contain its options. */
function addProblems(
  settings: Settings,
  { options, getOptionPath }: DeclaredAccount,
  problems: readonly Problem[],
): void {
  for (const { property, reason } of problems) {
    const place = clientVariables.includes(property)
      ? property
      : (getOptionPath(settings.getName("accounts"), property) ?? settings.getName(property));
    const isAbsent = new Map(Object.entries(options)).get(property) === "";
    // Don't report the missing default key if the declared accounts are invalid, because a user may intend to use only those accounts.
    if (isAbsent && property === "apiKey" && settings.hasProblem("accounts")) continue;
    settings.addProblem(place, isAbsent ? `is missing: ${settings.formatSetCommand(property)}` : reason);
  }
}

/** Returns the strings in a value at any depth, with the names of fields. */
function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...listStrings(inner)]);
}

function createReads(
  client: MonitoringClient,
): Pick<Connection, "reads" | "getIncidents" | "forgetIncident"> {
  const reads = new Reads(client);
  const byPage = new Map<string | undefined, Incidents>();
  return {
    reads,
    getIncidents(statusPageId) {
      const incidents = byPage.get(statusPageId) ?? new Incidents(client, statusPageId);
      byPage.set(statusPageId, incidents);
      return incidents;
    },
    forgetIncident(incidentId) {
      reads.forgetIncidents();
      for (const incidents of byPage.values()) incidents.forget(incidentId);
    },
  };
}

function createClient(
  options: ClientOptions,
  baseUrlSetting: string,
  print: ConnectionsOptions["print"],
): { readonly client?: MonitoringClient; readonly problems: readonly Problem[] } {
  try {
    return { client: new MonitoringClient(options, baseUrlSetting, print), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { problems: error.problems };
  }
}

/**
 * Returns a problem if the account isn't in a connected sandbox. In a test, an account with its own base URL would publish on the real
 * service.
 */
function checkSandboxUrl({ baseUrl }: ClientOptions, sandboxes: string | undefined): readonly Problem[] {
  if (!sandboxes || !URL.canParse(baseUrl)) return [];
  const urls = sandboxes.split(" ");
  if (urls.includes(new URL(baseUrl).origin)) return [];
  const reason =
    `must be the URL of a connected sandbox (${urls.join(", ")}) while connectTo is in effect. ` +
    "For this account, first start a separate sandbox and call connectTo for that sandbox";
  return [{ property: "baseUrl", reason }];
}

/**
 * The configuration of a provider process. Throws a configuration error only when a connection is needed, because `destroy` needs none, and
 * because only one of several concurrent calls would report an earlier error.
 */
export class Configuration {
  #connect: (() => Connections) | undefined;
  #connections: Connections | undefined;

  connectOnce(connect: () => Connections): void {
    this.#connect ??= connect;
  }

  /** @throws ConfigurationError with all problems of the configuration. */
  get connections(): Connections {
    if (!this.#connect) throw new Error("The provider was called before it was configured.");
    return (this.#connections ??= this.#connect());
  }
}

/** Returns a listener of requests that reports the first pause of a rate limit, because the run seems to hang. */
export function createLimitListener(tell: (text: string) => void): (event: RequestEvent) => void {
  let isTold = false;
  return ({ operation, pauseMs }) => {
    if (isTold || pauseMs === undefined) return;
    isTold = true;
    const until = new Date(Date.now() + pauseMs).toISOString().slice(11, 19);
    tell(`${operation}: the service is limiting requests (HTTP 429). Waiting until ${until} UTC or longer.`);
  };
}
