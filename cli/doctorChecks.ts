/** What `monitoring doctor` checks, by reads alone. */
import {
  AuthenticationError,
  ConfigurationError,
  InvalidInputError,
  isMonitoringError,
  type MonitoringError,
  NotFoundError,
  PermissionError,
  RequestError,
  type RequestEvent,
} from "../provider/client";
import { oneLine } from "../provider/texts";
import {
  type Connection,
  Connections,
  type Environment,
  type ReadConfig,
  type Setting,
  Settings,
  settingNames,
  variables,
  type Reads,
} from "../provider/connection";
import { defaults } from "../provider/client/options";
import { proxyFor } from "../provider/client/http";
import { getOpenIncidents, runLookup } from "../provider/lookups";

// What the responses of the service say besides their bodies.

export class ResponseWatch {
  #last: RequestEvent | undefined;
  #aheadMs: number | undefined;

  readonly onRequest = (event: RequestEvent): void => {
    this.#last = event;
    const theirs = Date.parse(event.date ?? "");
    // The header has whole seconds. The response was sent somewhen during the attempt.
    if (!Number.isNaN(theirs)) this.#aheadMs = Date.now() - event.ms / 2 - (theirs + 500);
  };

  /** The HTTP status of the last response; undefined when there was none. */
  get status(): number | undefined {
    return this.#last?.status;
  }

  /** How far this machine's clock is ahead of that of the service; undefined when the service doesn't tell its time. */
  get aheadMs(): number | undefined {
    return this.#aheadMs;
  }
}

/** A difference of clocks that only the resolution of the header and the time of the request may cause. */
const unnoticedMs = 3_000;
const mostOffMs = 30_000;

export const checkNames = [
  "settings",
  "proxy",
  "service",
  "key",
  "account",
  "status pages",
  "open incidents",
  "alert channels",
  "clock",
] as const;
type CheckName = (typeof checkNames)[number];

/** One line of the result. */
export interface CheckResult {
  readonly name: CheckName;
  readonly ok: boolean;
  /** What was found, or what is wrong. */
  readonly text: string;
  /** What to do; missing where nothing is wrong, and where the text says it. */
  readonly remedy?: string;
}

/** Where the settings are, and whose account is examined. */
interface Examined {
  /** Of the stack; undefined for the environment alone. */
  readonly config: ReadConfig;
  readonly environment: Environment;
  /** A name in `monitoring:accounts`. */
  readonly account: string | undefined;
}

export interface Examination {
  /** In the order of {@link checkNames}; those that an earlier one prevents are missing. */
  readonly checks: readonly CheckResult[];
  /** Undefined unless the service can be read. */
  readonly connection?: Connection;
}

/**
 * Checks the settings, then what the service says to them.
 *
 * @param watch Sees every response.
 */
export async function examine(examined: Examined, watch: ResponseWatch): Promise<Examination> {
  const { config, environment, account } = examined;
  const settings = new Settings(config, environment);
  try {
    const connections = new Connections(config, environment, { onRequest: watch.onRequest });
    const connection = connections.connect(account);
    const before = [settingsCheck(settings), proxyCheck(connection)];
    const refused = await refusalOf(connection, settings);
    if (refused) return { checks: [...before, ...refused] };
    const read = await readChecks(connections, account);
    return {
      checks: [...before, ...acceptedChecks(connection, settings), ...read, clockCheck(watch)],
      connection,
    };
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof InvalidInputError)) throw error;
    return { checks: problemChecks(error) };
  }
}

/** A failed check for each problem of the settings. */
export function problemChecks({ problems }: Pick<ConfigurationError, "problems">): CheckResult[] {
  return problems.map(({ property, reason }) => failed("settings", `${property} ${reason}.`));
}

function settingsCheck(settings: Settings): CheckResult {
  const set = settingNames.filter((name) => isSetting(name) && settings.text(name) !== undefined);
  return passed("settings", set.map((name) => settings.nameOf(name)).join(", "));
}

function isSetting(name: string): name is Setting | "accounts" {
  return name === "accounts" || name in variables;
}

function proxyCheck({ baseUrl }: Connection): CheckResult {
  try {
    const proxy = proxyFor(baseUrl);
    return passed("proxy", proxy === undefined ? "none" : `${proxy.protocol}//${proxy.host}`);
  } catch {
    const remedy = "Correct HTTPS_PROXY or ALL_PROXY, such as http://proxy.example.com:3128.";
    return failed("proxy", "the proxy of the environment isn't a URL.", remedy);
  }
}

/** What the service, or the way to it, says against the settings; undefined when it can be read. */
async function refusalOf(connection: Connection, settings: Settings): Promise<CheckResult[] | undefined> {
  try {
    await connection.reads.statusPages.all();
    return undefined;
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    return refusal(error, connection, settings);
  }
}

function refusal(error: MonitoringError, { baseUrl, origin }: Connection, settings: Settings): CheckResult[] {
  const service = passed("service", `${baseUrl} responds`);
  const key = passed("key", "is accepted");
  const [id, header] = [settings.inSentence("accountId"), settings.inSentence("accountHeader")];
  const ofAccount = failed(
    "account",
    error.message,
    `Check ${id}, and ${header}, the header that carries it.`,
  );
  if (error instanceof AuthenticationError)
    return [service, failed("key", error.message, `For another key, ${settings.howToSet("apiKey")}.`)];
  if (error instanceof PermissionError) return [service, key, ofAccount];
  const path = `Check the path in ${settings.inSentence("baseUrl")}.`;
  if (error instanceof NotFoundError) return [failed("service", error.message, path)];
  // The list has no other argument that a service could reject.
  if (error instanceof RequestError && origin.accountId !== undefined) return [service, ofAccount];
  return [failed("service", error.message)];
}

function acceptedChecks({ baseUrl, origin: { accountId } }: Connection, settings: Settings): CheckResult[] {
  const header = settings.text("accountHeader") ?? defaults.accountHeader;
  return [
    passed("service", `${baseUrl} responds`),
    passed("key", "is accepted"),
    passed("account", accountId === undefined ? "that of the key" : `${accountId}, in the header ${header}`),
  ];
}

/** What can be read in the account. */
async function readChecks(connections: Connections, account: string | undefined): Promise<CheckResult[]> {
  const { reads } = connections.connect(account);
  const pages = await reads.statusPages.all();
  return [
    passed("status pages", String(pages.length)),
    await checkOf("open incidents", async () => {
      const { incidents } = await runLookup(getOpenIncidents, { account }, { connections });
      return String(incidents.length);
    }),
    ...(await channelChecks(connections, reads)),
  ];
}

async function channelChecks(
  { alertChannels, alertChannelsSetting }: Connections,
  reads: Reads,
): Promise<CheckResult[]> {
  const given = Object.entries(alertChannels);
  if (given.length === 0)
    return [passed("alert channels", `none, because ${alertChannelsSetting} is not set`)];
  const checks = await Promise.all(
    given.map(([name, id]) =>
      checkOf("alert channels", async () => `${name} (${id}): ${(await reads.alertChannel(id)).type}`),
    ),
  );
  const wrong = checks.filter(({ ok }) => !ok);
  const remedy = `Correct the id in ${alertChannelsSetting}.`;
  return wrong.length > 0
    ? wrong.map((check) => ({ ...check, remedy }))
    : [passed("alert channels", `${given.length} of ${given.length} in ${alertChannelsSetting} can be read`)];
}

/** How far this machine's clock is from that of the service. */
function clockCheck({ aheadMs }: ResponseWatch): CheckResult {
  if (aheadMs === undefined) return passed("clock", "unknown, because the service doesn't tell its time");
  const offMs = Math.abs(aheadMs);
  if (offMs <= unnoticedMs) return passed("clock", "agrees with that of the service");
  const text = `${Math.round(offMs / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"} that of the service`;
  if (offMs <= mostOffMs) return passed("clock", text);
  return failed("clock", text, "Synchronize it: notes on posts and the dates of updates depend on it.");
}

async function checkOf(name: CheckName, read: () => Promise<string>): Promise<CheckResult> {
  try {
    return passed(name, await read());
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    return failed(name, error.message);
  }
}

function passed(name: CheckName, text: string): CheckResult {
  return { name, ok: true, text: oneLine(text) };
}

function failed(name: CheckName, text: string, remedy?: string): CheckResult {
  return { name, ok: false, text: oneLine(text), ...(remedy !== undefined && { remedy }) };
}
