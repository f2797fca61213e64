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
  findProxy,
  RequestError,
  type RequestEvent,
} from "../../provider/client";
import {
  type Connection,
  Connections,
  settingNames,
  Settings,
  ignoreNotFound,
  readEach,
  variables,
} from "../../provider/connection";
import { lookups, runLookup } from "../../provider/lookups";
import { toOneLine } from "../../provider/texts";
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
  /** The pages with components. Undefined if they can't be read. */
  readonly statusPages?: readonly PageWithComponents[] | undefined;
  /** True if the stack has no `statusPageId`. */
  readonly needsPage?: boolean;
  /** Undefined if the open incidents can't be read. */
  readonly openIncidents?: readonly OpenIncident[] | undefined;
}

/** A page with components: its ID and name, and the names of its components. Undefined if these can't be read. */
export interface PageWithComponents {
  readonly statusPageId: string;
  readonly name: string;
  readonly components: readonly string[] | undefined;
}

/** An open incident: its location, as the arguments of a program, and its description. */
export interface OpenIncident {
  readonly address: { readonly statusPageId?: string; readonly incidentId: string };
  readonly name: string;
  readonly status: string | undefined;
  /** Names of the pages that show the incident. */
  readonly statusPages: readonly string[];
}

interface ExamineOptions {
  /** Stack whose settings are also used. Default: only the environment variables. */
  readonly stack: string | undefined;
  /** Command that runs Pulumi to read the stack's settings. */
  readonly pulumi: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Name in `monitoring:accounts`. */
  readonly account: string | undefined;
}

export async function examine({ stack, pulumi, environment, account }: ExamineOptions): Promise<Examination> {
  const watch = new ClockWatch();
  try {
    const config = stack === undefined ? undefined : await readStackConfig({ stack, pulumi }, environment);
    const settings = new Settings(config?.get, environment);
    const connections = new Connections(config?.get, environment, { onRequest: watch.onRequest });
    const connection = connections.connect(account);
    const before = [checkSettings(settings), checkProxy(connection)];
    let pages: readonly AnyPage[];
    let openIncidents: OpenIncident[] | undefined;
    try {
      pages = await connection.reads.getStatusPages();
    } catch (error) {
      const failed = toFailedChecks(error, connection, settings);
      const passed = before.filter(({ name }) => failed.every((each) => each.name !== name));
      return createExamination([...passed, ...failed]);
    }
    const checks = [
      ...before,
      pass("service", `${connection.baseUrl} responds`),
      pass("key", "is accepted"),
      checkAccount(connection.origin.accountId, pages, settings),
      checkStatusPages(pages, config?.statusPageId),
      await runCheck("open incidents", async () => {
        openIncidents = await readOpenIncidents(connections, account);
        return String(openIncidents.length);
      }),
      ...(await checkChannels(connections, connection.reads)),
      checkClock(watch),
    ];
    const statusPages = await readPagesWithComponents(pages, connection.reads);
    const needsPage = config !== undefined && !config.statusPageId;
    return { ...createExamination(checks), statusPages, needsPage, openIncidents };
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof InvalidInputError)) throw error;
    const { problems } = error;
    return createExamination(
      problems.map(({ property, reason }) => fail("settings", `${property} ${reason}.`)),
    );
  }
}

function createExamination(checks: readonly CheckResult[]): Examination {
  const notChecked = checkNames.filter((expected) => checks.every(({ name }) => name !== expected));
  return { checks, notChecked };
}

/** Counts the pages, and checks the ID of the page that the program of the stack reads from its configuration. */
function checkStatusPages(pages: readonly AnyPage[], id: string | undefined): CheckResult {
  const withComponents = pages.filter(({ version }) => version === 3);
  const page = withComponents.find((each) => each.id === id);
  const counts = `${pages.length - withComponents.length} with cards, ${withComponents.length} with components`;
  if (!id) return pass("status pages", counts);
  if (page) return pass("status pages", `${counts}; statusPageId is ${id} (${page.name})`);
  const remedy =
    "Set statusPageId to the ID of a page with components, or remove it to use pages with cards.";
  return fail(
    "status pages",
    `${counts}; statusPageId is ${id}, which isn't the ID of a page with components`,
    remedy,
  );
}

/** Limits the requests of an account with many pages. */
const maxPages = 20;

async function readPagesWithComponents(
  pages: readonly AnyPage[],
  reads: Connection["reads"],
): Promise<PageWithComponents[]> {
  const shown = pages.filter(({ version }) => version === 3).slice(0, maxPages);
  return readEach(shown, async ({ id, name }) => {
    const components = await reads.getComponents(id).catch((error: unknown) => {
      if (isMonitoringError(error)) return undefined;
      throw error;
    });
    const names = components?.filter(({ type }) => type !== "GROUP").map((each) => each.name);
    return { statusPageId: id, name, components: names };
  });
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

function checkSettings(settings: Settings): CheckResult {
  const set = settingNames.filter((name) => isSetting(name) && settings.getText(name) !== undefined);
  return pass("settings", set.map((name) => settings.getName(name)).join(", "));
}

function isSetting(name: string): name is keyof typeof variables | "accounts" {
  return name === "accounts" || name in variables;
}

function checkProxy({ baseUrl }: Connection): CheckResult {
  const { proxy } = findProxy(new URL(baseUrl), process.env);
  return pass("proxy", proxy === undefined ? "none" : `${proxy.url.protocol}//${proxy.url.host}`);
}

/** Returns the results of the checks if the service or a proxy rejects the settings. */
function toFailedChecks(error: unknown, { baseUrl, origin }: Connection, settings: Settings): CheckResult[] {
  if (!isMonitoringError(error)) throw error;
  const { proxy } = findProxy(new URL(baseUrl), process.env);
  // The proxy opened no tunnel, so the service wasn't reached.
  if (proxy && error.message.includes(`the proxy in ${proxy.variable} (`))
    return [fail("proxy", error.message)];
  const service = pass("service", `${baseUrl} responds`);
  if (error instanceof AuthenticationError)
    return [
      service,
      fail("key", error.message, `To use a different key, ${settings.formatSetCommand("apiKey")}.`),
    ];
  // A gateway may respond with 403 to any key, so the key check is skipped.
  if (error instanceof PermissionError) return [service, createAccountFailure(error.message, settings)];
  const path = `Check the path in ${settings.formatName("baseUrl")}.`;
  if (error instanceof NotFoundError) return [fail("service", error.message, path)];
  // The request of the list contains no other argument that a service could reject.
  const isOfArguments = error instanceof RequestError && [400, 422].includes(error.status);
  if (isOfArguments && origin.accountId !== undefined)
    return [service, createAccountFailure(error.message, settings)];
  return [fail("service", error.message)];
}

function createAccountFailure(text: string, settings: Settings): CheckResult {
  const [id, header] = [settings.formatName("accountId"), settings.formatName("accountHeader")];
  return fail("account", text, `Check ${id} and ${header} (the header that contains the account ID).`);
}

/**
 * Compares the owners of the pages with the account, because a service may ignore the header and return the pages of a different account.
 */
function checkAccount(id: string | undefined, pages: readonly AnyPage[], settings: Settings): CheckResult {
  if (id === undefined) return pass("account", "the account of the key");
  const owners = [...new Set(pages.flatMap(({ accountId }) => accountId ?? []))];
  if (owners.length === 0 || owners.some((owner) => owner.toLowerCase() === id.toLowerCase()))
    return pass(
      "account",
      `${id}, in the header ${settings.getText("accountHeader") ?? defaults.accountHeader}`,
    );
  return createAccountFailure(`the status pages belong to ${owners.join(", ")}, not to ${id}`, settings);
}

/** Counts the channels if the service lists channels, and reads the channels with a name. */
async function checkChannels(
  { alertChannels, alertChannelsSetting }: Connections,
  reads: Connection["reads"],
): Promise<CheckResult[]> {
  const listed = runCheck("alert channels", async () => {
    const entries = await ignoreNotFound(reads.getAlertChannels());
    return entries ? `${entries.length} listed by the service` : "not listed by this service";
  });
  const channels = Object.entries(alertChannels);
  const named = channels.map(([name, id]) =>
    runCheck(
      "alert channels",
      async () => `${name} (${id}): ${(await reads.getAlertChannel(id)).type}`,
      `Correct the ID in ${alertChannelsSetting}.`,
    ),
  );
  const wrong = (await Promise.all([listed, ...named])).filter(({ ok }) => !ok);
  if (wrong.length > 0) return wrong;
  const readable =
    channels.length === 0
      ? `no names, because ${alertChannelsSetting} is not set`
      : `${channels.length} of ${channels.length} in ${alertChannelsSetting} can be read`;
  return [pass("alert channels", `${(await listed).text}; ${readable}`)];
}

/** Clock difference that the resolution of the header and the duration of the request can cause. */
const unnoticedMs = 3_000;
const maxOffMs = 30_000;

function checkClock({ aheadMs }: ClockWatch): CheckResult {
  if (aheadMs === undefined) return pass("clock", "unknown, because the service's responses contain no date");
  const offMs = Math.abs(aheadMs);
  if (offMs <= unnoticedMs) return pass("clock", "matches the service's clock");
  const text = `${Math.round(offMs / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"} the service's clock`;
  if (offMs <= maxOffMs) return pass("clock", text);
  return fail(
    "clock",
    text,
    "Synchronize this clock. The records of posts and the dates of updates depend on it.",
  );
}

/** @param remedy Advice if the object's ID is wrong. */
async function runCheck(name: CheckName, read: () => Promise<string>, remedy?: string): Promise<CheckResult> {
  try {
    return pass(name, await read());
  } catch (error) {
    if (!isMonitoringError(error)) throw error;
    const isOfId = error instanceof NotFoundError || error instanceof InvalidInputError;
    return fail(name, error.message, isOfId ? remedy : undefined);
  }
}

function pass(name: CheckName, text: string): CheckResult {
  return { name, ok: true, text: toOneLine(text) };
}

function fail(name: CheckName, text: string, remedy?: string): CheckResult {
  return { name, ok: false, text: toOneLine(text), ...(remedy !== undefined && { remedy }) };
}
