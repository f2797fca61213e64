/**
 * Defines lookups, which are the reads behind the data sources of programs and the functions of the plugin. The arguments of a lookup are
 * checked before any request. Its result contains the documented fields of the object that it read.
 */
import { z } from "zod";
import {
  type AlertChannel,
  alertChannel,
  type AnyPage,
  validateChannelId,
  componentPageIncident,
  toDocumented,
  toDocumentedPage,
  type IdValidator,
  validateId,
  impactStates,
  incident,
  Mismatch,
  operations,
  severities,
  statusPageIncident,
  statusPageIncidentUpdate,
} from "../api";
import { InvalidInputError, createMismatchError } from "../client";
import { type AccountArgs, type Connection, type Connections, readEach } from "../connection";
import { pickDocumentedConfig, redactConfig, type RedactedConfig } from "../credentials";
import {
  boolean,
  refineWith,
  filledString,
  type InputsOf,
  list,
  castSchema,
  noValue,
  oneOf,
  type OutputsOf,
  toProblems,
  strictObject,
} from "../problems";
import { formatSuggestion, formatNotKnown, toOneLine } from "../texts";
import { resolveIdsByName } from "./channelNames";
import { AmbiguousMatchError, NoMatchError } from "./lookupErrors";
import { listOpenIncidents } from "./openIncidents";

export { listTitledChannels } from "./channelNames";

/** A read with named arguments. */
export interface Lookup<Shape extends z.ZodRawShape, Result> extends Signature<Shape> {
  read(args: OutputsOf<Shape>, from: Source): Promise<Result>;
}

/** The account that a lookup reads, and the caller of the lookup. */
type Source = Pick<Connection, "reads" | "getIncidents" | "origin"> & Required<LookupContext>;

interface Signature<Shape extends z.ZodRawShape> {
  /** Name of the function or component, for errors. */
  readonly name: string;
  readonly takes: Shape;
  readonly exactlyOneOf?: readonly (keyof Shape & string)[];
  /** Arguments that are mutually exclusive. */
  readonly atMostOneOf?: readonly (keyof Shape & string)[];
}

interface LookupContext {
  readonly connections: Connections;
  /** Name of the caller for errors, such as a component. Default: the name of the lookup. */
  readonly caller?: string;
}

/** @throws InvalidInputError with all problems of the arguments, before any request. */
export async function runLookup<Shape extends z.ZodRawShape, Result>(
  lookup: Lookup<Shape, Result>,
  args: object,
  context: LookupContext,
): Promise<Result> {
  const { caller = lookup.name } = context;
  const checked = validateArguments({ ...lookup, name: caller }, args);
  // Read the connections only after the arguments were checked, because the plugin's context throws here if its configuration is invalid.
  const { connections } = context;
  connections.rejectKeys(caller, checked);
  const { account: name }: { account?: unknown } = checked;
  const { reads, getIncidents, origin } = connections.connect(account.parse(name));
  return lookup.read(checked, { reads, getIncidents, origin, connections, caller });
}

/**
 * Validates arguments. A null or undefined argument is treated as omitted.
 *
 * @throws InvalidInputError with all problems.
 */
export function validateArguments<Shape extends z.ZodRawShape>(
  { name, takes, exactlyOneOf = [], atMostOneOf = [] }: Signature<Shape>,
  args: object,
): OutputsOf<Shape> {
  const passed = Object.fromEntries(Object.entries({ ...args }).filter(([, value]) => value != null));
  const result = strictObject(takes).safeParse(passed);
  const problems = result.success
    ? []
    : toProblems(result.error, [], (argument) => formatNotKnown(argument, Object.keys(takes)));
  const count = (names: readonly string[]): number =>
    names.filter((one) => Object.hasOwn(passed, one) && passed[one] !== false).length;
  if (exactlyOneOf.length > 0 && count(exactlyOneOf) !== 1) {
    const reason = `is required (exactly one)${count(exactlyOneOf) === 0 ? noValue : ""}`;
    problems.push({ property: exactlyOneOf.join(" or "), reason });
  }
  if (count(atMostOneOf) > 1)
    problems.push({ property: atMostOneOf.join(", "), reason: "are mutually exclusive" });
  if (problems.length > 0 || !result.success) throw new InvalidInputError(name, problems);
  return result.data;
}

const idSchema = (problemOf: IdValidator) =>
  z
    .custom<string | number>()
    .superRefine(refineWith((id: unknown) => (id === undefined ? `is required${noValue}` : problemOf(id))));

const id = castSchema<string | number, string>(idSchema(validateId));
const channelId = idSchema(validateChannelId);

const givenText = filledString("must be a non-empty string");

/** The argument of every lookup. */
export const account = givenText.optional();

/** Defines a lookup with inferred types. */
function lookup<Shape extends z.ZodRawShape, Result>(defined: Lookup<Shape, Result>): Lookup<Shape, Result> {
  return defined;
}

const ofCredentials = {
  /**
   * Whether `config` contains credentials in plain text. The result is then a Pulumi secret; in Python, only the result of the function
   * whose name ends in `_output` is a secret. Default: false.
   */
  revealCredentials: boolean.optional(),
};

/** The argument that requests credentials. The caller then marks the result as a secret. */
export interface RevealArgs extends InputsOf<typeof ofCredentials> {}

/** Returns a function that shows a channel, with its credentials if they are requested. */
function showChannel(reveals: boolean | undefined, { origin }: Source) {
  return (channel: AlertChannel) => {
    const config: RedactedConfig = reveals
      ? structuredClone(channel.config)
      : pickDocumentedConfig({ ...channel, config: redactConfig(channel, origin.accountId) });
    return { ...toDocumented(alertChannel, channel), config };
  };
}

const ofChannel = {
  /** ID of the channel. */
  channelId: channelId.optional(),
  /**
   * Name of the channel in `monitoring:alertChannels` or, with an explicit provider, in its `alertChannels`. Any other name must match the
   * settings of exactly one channel, such as the `serviceName` of a PagerDuty channel, if the service lists channels.
   */
  name: givenText.optional(),
  /** Same as `channelId`, under the name that the result uses. */
  id: channelId.optional(),
};

/** The alert channel to read. Set exactly one of `channelId`, `name` and `id`. */
export interface GetAlertChannelArgs extends InputsOf<typeof ofChannel>, AccountArgs {}

const getAlertChannel = lookup({
  name: "getAlertChannel",
  takes: { ...ofChannel, ...ofCredentials, account },
  exactlyOneOf: ["channelId", "name", "id"],
  read: async ({ id, channelId = id, name = "", revealCredentials }, from) => {
    const [channel = ""] =
      channelId === undefined ? await resolveIdsByName("name", [name], from) : [channelId];
    return showChannel(revealCredentials, from)(await from.reads.getAlertChannel(channel));
  },
});

const ofChannels = {
  /** IDs of the channels. */
  ids: list(channelId).optional(),
  /** Names of the channels. They are found like the argument `name` of `getAlertChannel`. */
  names: list(givenText).optional(),
  /** Whether to read all channels of the account, if the service lists channels. Default: false. */
  all: boolean.optional(),
};

/** The alert channels to read. Set at most one of `ids`, `names` and `all`. By default, all channels with a configured name are read. */
export interface GetAlertChannelsArgs extends InputsOf<typeof ofChannels>, AccountArgs {}

const getAlertChannels = lookup({
  name: "getAlertChannels",
  takes: { ...ofChannels, ...ofCredentials, account },
  atMostOneOf: ["ids", "names", "all"],
  read: async ({ all, names, revealCredentials, ...given }, from) => {
    const { reads } = from;
    const ids = all ? undefined : (given.ids ?? (await resolveIdsByName("names", names, from)));
    const show = showChannel(revealCredentials, from);
    if (ids)
      return { alertChannels: await readEach(ids, async (one) => show(await reads.getAlertChannel(one))) };
    const alertChannels = (await reads.getAlertChannels()).map((entry) => {
      if (entry instanceof Mismatch) throw createMismatchError(operations.listAlertChannels, entry);
      return show(entry);
    });
    return { alertChannels };
  },
});

const ofPages = {
  /**
   * Number of status pages in each response, from 1 to 100. Default: 100.
   *
   * @integer
   */
  limit: operations.listStatusPages.query.shape.limit,
};

/** Options for reading the status pages of an account. */
export interface GetStatusPagesArgs extends InputsOf<typeof ofPages>, AccountArgs {}

const getStatusPages = lookup({
  name: "getStatusPages",
  takes: { ...ofPages, account },
  read: async ({ limit }, { reads }) => {
    const pages = await reads.getStatusPages(limit);
    return { statusPages: pages.map((page) => toDocumentedPage(page)) };
  },
});

const pageSelectors = ["id", "name", "url", "customDomain"] as const;

const ofPage = {
  /** ID of the page. */
  statusPageId: id.optional(),
  /** Name of the page. */
  name: givenText.optional(),
  /** Slug of the page, such as `acme-status`. */
  url: givenText.optional(),
  /** Custom domain of the page, or a URL with this domain. */
  customDomain: givenText.optional(),
  /** Same as `statusPageId`, under the name that the result uses. */
  id: id.optional(),
};

/** The status page to read. Set exactly one of `statusPageId`, `name`, `url`, `customDomain` and `id`. */
export interface GetStatusPageArgs extends InputsOf<typeof ofPage>, AccountArgs {}

const getStatusPage = lookup({
  name: "getStatusPage",
  takes: { ...ofPage, account },
  exactlyOneOf: ["statusPageId", "name", "url", "customDomain", "id"],
  read: async ({ statusPageId, ...others }, { reads }) => {
    const pages = await reads.getStatusPages();
    const args = { ...others, id: statusPageId ?? others.id };
    const [selector = "id"] = pageSelectors.filter((each) => args[each] !== undefined);
    const wanted = String(args[selector] ?? "");
    const page = findPage([selector], wanted, pages, `getStatusPage with ${selector}`);
    return toDocumentedPage(page, page.version === 3 ? await reads.getComponents(page.id) : undefined);
  },
});

const ofPageIncident = {
  /** ID of the incident. */
  incidentId: id,
  /** ID of the incident's status page. Required for pages with components, not allowed for pages with cards. */
  statusPageId: id.optional(),
};

/** The status-page incident to read. */
export interface GetStatusPageIncidentArgs extends InputsOf<typeof ofPageIncident>, AccountArgs {}

const getStatusPageIncident = lookup({
  name: "getStatusPageIncident",
  takes: { ...ofPageIncident, account },
  read: async ({ incidentId, statusPageId: page }, { getIncidents }) => {
    const shown = await getIncidents(page === undefined ? undefined : String(page)).get(incidentId);
    return page === undefined
      ? toDocumented(statusPageIncident, shown)
      : toDocumented(componentPageIncident, shown);
  },
});

const ofIncident = {
  /** ID of the incident. */
  id,
  /** Whether to return all updates instead of only the first one. Default: false. */
  includeAllIncidentUpdates: operations.getIncident.query.shape.includeAllIncidentUpdates,
};

/** The dashboard incident to read. */
export interface GetIncidentArgs extends InputsOf<typeof ofIncident>, AccountArgs {}

const getIncident = lookup({
  name: "getIncident",
  takes: { ...ofIncident, account },
  read: async ({ id, includeAllIncidentUpdates }, { reads }) =>
    toDocumented(incident, await reads.getIncident(id, includeAllIncidentUpdates)),
});

const ofUpdate = {
  ...ofPageIncident,
  /** ID of the update. */
  incidentUpdateId: id,
};

/** The update of a status-page incident to read. */
export interface GetIncidentUpdateArgs extends InputsOf<typeof ofUpdate>, AccountArgs {}

const getIncidentUpdate = lookup({
  name: "getIncidentUpdate",
  takes: { ...ofUpdate, account },
  read: async ({ incidentId, incidentUpdateId, statusPageId: page }, { getIncidents }) => {
    const incidents = getIncidents(page === undefined ? undefined : String(page));
    return toDocumented(statusPageIncidentUpdate, await incidents.getUpdate(incidentId, incidentUpdateId));
  },
});

const ofOpenIncidents = {
  /** Only incidents on this status page, given by its ID, slug or name. */
  statusPage: givenText.optional(),
  /** Only incidents with this severity or a worse severity. Doesn't exclude incidents on pages with components: also set `atLeastImpact`. */
  atLeast: oneOf(severities).optional(),
  /** Only incidents with an ongoing impact of this state or a worse state. Doesn't exclude incidents on pages with cards: also set `atLeast`. */
  atLeastImpact: oneOf(impactStates).optional(),
  /** Only incidents that affect one of these services, components or groups of components, given by ID or name. */
  services: list(givenText).min(1, "must not be empty. For all services, omit this argument").optional(),
  /** IDs of incidents that aren't included, such as a maintenance that the same program opens. Default: none. */
  except: list(id).optional(),
};

/** The open incidents to list. By default, all open incidents are listed. */
export interface GetOpenIncidentsArgs extends InputsOf<typeof ofOpenIncidents>, AccountArgs {}

const getOpenIncidents = lookup({
  name: "getOpenIncidents",
  takes: { ...ofOpenIncidents, account },
  read: async ({ statusPage, except = [], ...filter }, { reads, caller }) => {
    const pages = await reads.getStatusPages();
    const selected =
      statusPage === undefined
        ? pages
        : [findPage(["id", "url", "name"], statusPage, pages, `${caller} with statusPage`)];
    const open = await listOpenIncidents(selected, filter, { reads, caller });
    const excluded = new Set(except.map(String));
    return { incidents: open.filter((each) => !excluded.has(each.id)) };
  },
});

/**
 * Returns the page with the value in one of the fields. An earlier field takes precedence.
 *
 * @param lookup Name of the lookup and its argument, for errors.
 * @throws NoMatchError when no status page matches, AmbiguousMatchError when several do.
 */
function findPage(
  fields: readonly (typeof pageSelectors)[number][],
  value: string,
  pages: readonly AnyPage[],
  lookup: string,
): AnyPage {
  const [[match, ...others] = []] = fields
    .map((field) => {
      const formOf = field === "customDomain" ? normalizeHost : String;
      return pages.filter(({ [field]: shown }) => shown && formOf(shown) === formOf(value));
    })
    .filter((matches) => matches.length > 0);
  const wanted = `${lookup} "${value}"`;
  if (!match) {
    const similar = pages.flatMap((page) => fields.map((field) => toOneLine(page[field] ?? "")));
    throw new NoMatchError(wanted, pages.map(formatCandidate), formatSuggestion(value, similar));
  }
  if (others.length > 0) throw new AmbiguousMatchError(wanted, [match, ...others].map(formatCandidate));
  return match;
}

/** Returns the host name in a URL or a host name, in the form that a browser shows. */
function normalizeHost(address: string): string {
  const [, host = ""] = /^(?:https?:\/\/)?(.*?)\.?(?:[/?#:].*)?$/s.exec(address.trim().toLowerCase()) ?? [];
  return host;
}

function formatCandidate({ id, name, url }: AnyPage): string {
  return toOneLine(`${name} (ID ${id}${url ? `, URL ${url}` : ""})`);
}

/** All lookups. The key is the name of the data source. */
export const lookups = {
  getAlertChannel,
  getAlertChannels,
  getIncident,
  getIncidentUpdate,
  getOpenIncidents,
  getStatusPage,
  getStatusPageIncident,
  getStatusPages,
};
