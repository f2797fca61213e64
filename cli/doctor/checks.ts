/** Performs the checks of `monitoring doctor`: first the settings, then the responses of the service. It only sends reads. */
import { type AnyPage } from "../../provider/api";
import {
  AuthenticationError,
  ConfigurationError,
  defaults,
  InvalidInputError,
  isMonitoringError,
  NotFoundError,
  PermissionError,
  proxyFor,
  RequestError,
  type RequestEvent,
} from "../../provider/client";
import {
  type Connection,
  Connections,
  settingNames,
  Settings,
  undefinedIfAbsent,
  variables,
} from "../../provider/connection";
import { lookups, runLookup } from "../../provider/lookups";
import { oneLine } from "../../provider/texts";
import { readStackConfig } from "../stackConfig";

const checkNames = [
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

/** One line of the report. */
interface CheckResult {
  readonly name: CheckName;
  readonly ok: boolean;
  readonly text: string;
  /** Advice. Missing if the check passes, or if the text contains the advice. */
  readonly remedy?: string;
}

export interface Examination {
  /** Results in the order of {@link checkNames}. */
  readonly checks: readonly CheckResult[];
  /** Checks that were skipped because an earlier check failed. */
  readonly notChecked: readonly string[];
  /** Undefined if the open incidents can't be read. */
  readonly openIncidents?: readonly OpenIncident[] | undefined;
}

/** An open incident: its location, as the arguments of a program, and its description. */
export interface OpenIncident {
  readonly address: { readonly statusPageId?: string; readonly incidentId: string };
  readonly name: string;
  readonly status: string | undefined;
  /** Names of the pages that show the incident. */
  readonly statusPages: readonly string[];
}

interface Examined {
  /** Stack whose settings are also used. Default: only the environment variables. */
  readonly stack: string | undefined;
  /** Command that runs Pulumi to read the stack's settings. */
  readonly pulumi: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Name in `monitoring:accounts`. */
  readonly account: string | undefined;
}

export async function examine({ stack, pulumi, environment, account }: Examined): Promise<Examination> {
  const watch = new ClockWatch();
  try {
    const config = stack === undefined ? undefined : await readStackConfig({ stack, pulumi }, environment);
    const settings = new Settings(config, environment);
    const connections = new Connections(config, environment, { onRequest: watch.onRequest });
    const connection = connections.connect(account);
    const before = [settingsCheck(settings), proxyCheck(connection)];
    let pages: readonly AnyPage[];
    let openIncidents: OpenIncident[] | undefined;
    try {
      pages = await connection.reads.statusPages();
    } catch (error) {
      return examinationOf([...before, ...refusal(error, connection, settings)]);
    }
    const checks = [
      ...before,
      passed("service", `${connection.baseUrl} responds`),
      passed("key", "is accepted"),
      accountCheck(connection.origin.accountId, pages, settings),
      passed("status pages", countsOf(pages)),
      await checkOf("open incidents", async () => {
        openIncidents = await readOpenIncidents(connections, account);
        return String(openIncidents.length);
      }),
      ...(await channelChecks(connections, connection.reads)),
      clockCheck(watch),
    ];
    return { ...examinationOf(checks), openIncidents };
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof InvalidInputError)) throw error;
    const { problems } = error;
    return examinationOf(
      problems.map(({ property, reason }) => failed("settings", `${property} ${reason}.`)),
    );
  }
}

function examinationOf(checks: readonly CheckResult[]): Examination {
  const notChecked = checkNames.filter((expected) => checks.every(({ name }) => name !== expected));
  return { checks, notChecked };
}

function countsOf(pages: readonly AnyPage[]): string {
  const withComponents = pages.filter(({ version }) => version === 3).length;
  return `${pages.length - withComponents} with cards, ${withComponents} with components`;
}

async function readOpenIncidents(
  connections: Connections,
  account: string | undefined,
): Promise<OpenIncident[]> {
  const { incidents } = await runLookup(lookups.getOpenIncidents, { account }, { connections });
  return incidents.map((incident) => {
    const { id: incidentId, name, lastUpdateStatus, statusPages } = incident;
    const [page] = "componentImpacts" in incident ? statusPages : [];
    const address = page ? { statusPageId: page.id, incidentId } : { incidentId };
    return {
      address,
      name,
      status: lastUpdateStatus ?? undefined,
      statusPages: statusPages.map((each) => each.name),
    };
  });
}

/** Measures the clock difference from the date of each response. */
class ClockWatch {
  /** Time by which this machine's clock is ahead of the service's clock. Undefined if the responses contain no date. */
  aheadMs: number | undefined;

  readonly onRequest = ({ date = "", ms }: RequestEvent): void => {
    const theirs = Date.parse(date);
    // The header contains whole seconds, and the response was sent at an unknown time during the attempt. Use the middle of both intervals.
    if (!Number.isNaN(theirs)) this.aheadMs = Date.now() - ms / 2 - (theirs + 500);
  };
}

function settingsCheck(settings: Settings): CheckResult {
  const set = settingNames.filter((name) => isSetting(name) && settings.text(name) !== undefined);
  return passed("settings", set.map((name) => settings.nameOf(name)).join(", "));
}

function isSetting(name: string): name is keyof typeof variables | "accounts" {
  return name === "accounts" || name in variables;
}

function proxyCheck({ baseUrl }: Connection): CheckResult {
  const { proxy } = proxyFor(new URL(baseUrl), process.env);
  return passed("proxy", proxy === undefined ? "none" : `${proxy.url.protocol}//${proxy.url.host}`);
}

/** Returns the results of the checks if the service or a proxy rejects the settings. */
function refusal(error: unknown, { baseUrl, origin }: Connection, settings: Settings): CheckResult[] {
  if (!isMonitoringError(error)) throw error;
  const service = passed("service", `${baseUrl} responds`);
  if (error instanceof AuthenticationError)
    return [service, failed("key", error.message, `To use a different key, ${settings.howToSet("apiKey")}.`)];
  // A gateway may respond with 403 to any key, so the key check is skipped.
  if (error instanceof PermissionError) return [service, ofAccount(error.message, settings)];
  const path = `Check the path in ${settings.inSentence("baseUrl")}.`;
  if (error instanceof NotFoundError) return [failed("service", error.message, path)];
  // The request of the list contains no other argument that a service could reject.
  const isOfArguments = error instanceof RequestError && [400, 422].includes(error.status);
  if (isOfArguments && origin.accountId !== undefined) return [service, ofAccount(error.message, settings)];
  return [failed("service", error.message)];
}

function ofAccount(text: string, settings: Settings): CheckResult {
  const [id, header] = [settings.inSentence("accountId"), settings.inSentence("accountHeader")];
  return failed("account", text, `Check ${id} and ${header} (the header that contains the account ID).`);
}

/**
 * Compares the owners of the pages with the account, because a service may ignore the header and return the pages of a different account.
 */
function accountCheck(id: string | undefined, pages: readonly AnyPage[], settings: Settings): CheckResult {
  if (id === undefined) return passed("account", "the account of the key");
  const owners = [...new Set(pages.flatMap(({ accountId }) => accountId ?? []))];
  if (owners.length === 0 || owners.some((owner) => owner.toLowerCase() === id.toLowerCase()))
    return passed(
      "account",
      `${id}, in the header ${settings.text("accountHeader") ?? defaults.accountHeader}`,
    );
  return ofAccount(`the status pages belong to ${owners.join(", ")}, not to ${id}`, settings);
}

/** Counts the channels if the service lists channels, and reads the channels with a name. */
async function channelChecks(
  { alertChannels, alertChannelsSetting }: Connections,
  reads: Connection["reads"],
): Promise<CheckResult[]> {
  const listed = checkOf("alert channels", async () => {
    const entries = await undefinedIfAbsent(reads.alertChannels());
    return entries ? `${entries.length} listed by the service` : "not listed by this service";
  });
  const channels = Object.entries(alertChannels);
  const named = channels.map(([name, id]) =>
    checkOf(
      "alert channels",
      async () => `${name} (${id}): ${(await reads.alertChannel(id)).type}`,
      `Correct the ID in ${alertChannelsSetting}.`,
    ),
  );
  const wrong = (await Promise.all([listed, ...named])).filter(({ ok }) => !ok);
  if (wrong.length > 0) return wrong;
  const readable =
    channels.length === 0
      ? `no names, because ${alertChannelsSetting} is not set`
      : `${channels.length} of ${channels.length} in ${alertChannelsSetting} can be read`;
  return [passed("alert channels", `${(await listed).text}; ${readable}`)];
}

/** Clock difference that the resolution of the header and the duration of the request can cause. */
const unnoticedMs = 3_000;
const mostOffMs = 30_000;

function clockCheck({ aheadMs }: ClockWatch): CheckResult {
  if (aheadMs === undefined)
    return passed("clock", "unknown, because the service's responses contain no date");
  const offMs = Math.abs(aheadMs);
  if (offMs <= unnoticedMs) return passed("clock", "matches the service's clock");
  const text = `${Math.round(offMs / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"} the service's clock`;
  if (offMs <= mostOffMs) return passed("clock", text);
  return failed(
    "clock",
    text,
    "Synchronize this clock. The records of posts and the dates of updates depend on it.",
  );
}

/** @param remedy Advice if the object's ID is wrong. */
async function checkOf(name: CheckName, read: () => Promise<string>, remedy?: string): Promise<CheckResult> {
  try {
    return passed(name, await read());
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    const isOfId = error instanceof NotFoundError || error instanceof InvalidInputError;
    return failed(name, error.message, isOfId ? remedy : undefined);
  }
}

function passed(name: CheckName, text: string): CheckResult {
  return { name, ok: true, text: oneLine(text) };
}

function failed(name: CheckName, text: string, remedy?: string): CheckResult {
  return { name, ok: false, text: oneLine(text), ...(remedy !== undefined && { remedy }) };
}
