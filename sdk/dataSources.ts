/** Reads the service's objects in a program: each data source as a promise, and with outputs as arguments. */
import * as pulumi from "@pulumi/pulumi";
import { type z } from "zod";
import { type Severity } from "../provider/api";
import { withoutStack } from "../provider/engine";
import { type Lookup, type lookups } from "../provider/lookups";
import { allConnections } from "./connections";
import { type AccountArgs, explicitProviderOf, type OutputArgs, withoutStacks } from "./program";
import {
  type AlertChannel,
  type Incident,
  type StatusPage,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "./returnedObjects";

/** The alert channel to read: exactly one of `id` and `name`. */
export interface GetAlertChannelArgs extends AccountArgs {
  /** Id of the channel. */
  id?: string | number;
  /** Name of the channel in `monitoring:alertChannels`, or in `alertChannels` of an explicit provider. */
  name?: string;
}

/** The arguments of {@link getAlertChannelOutput}. */
export type GetAlertChannelOutputArgs = OutputArgs<GetAlertChannelArgs> & {
  /**
   * Whether `config` contains credentials in plain text. The result is then a Pulumi secret; in Python, only the
   * result of `get_alert_channel_output` is. Default: false.
   */
  revealCredentials?: boolean;
};

/**
 * Reads an alert channel (operation `getAlertChannel`). Credentials are returned as fingerprints.
 *
 * @throws NoMatchError when the name is not configured. Lists the configured names.
 * @throws NotFoundError when the account has no channel with this id.
 */
export async function getAlertChannel(
  args: GetAlertChannelArgs,
  options?: pulumi.InvokeOptions,
): Promise<AlertChannel> {
  // A program in JavaScript may pass more.
  return read("getAlertChannel", { ...args, revealCredentials: false }, options);
}

/** {@link getAlertChannel} with outputs as arguments, and with credentials on request. */
export function getAlertChannelOutput(
  args: GetAlertChannelOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<AlertChannel> {
  return readOutput("getAlertChannel", args, options);
}

/** The alert channels to read: `ids`, `names` or `all`. Default: all with a name. */
export interface GetAlertChannelsArgs extends AccountArgs {
  /** Ids of the channels. */
  ids?: (string | number)[];
  /** Names of the channels in `monitoring:alertChannels`, or in `alertChannels` of an explicit provider. */
  names?: string[];
  /** Whether to read all channels of the account, which not every service lists. Default: false. */
  all?: boolean;
}

/** The arguments of {@link getAlertChannelsOutput}. */
export type GetAlertChannelsOutputArgs = OutputArgs<GetAlertChannelsArgs> & {
  /**
   * Whether `config` contains credentials in plain text. The result is then a Pulumi secret; in Python, only the
   * result of `get_alert_channels_output` is. Default: false.
   */
  revealCredentials?: boolean;
};

/** Alert channels, in the order of `ids`, of `names`, or of the service's list. */
export interface GetAlertChannelsResult {
  /** The channels. Credentials are fingerprints unless `revealCredentials` is set. */
  alertChannels: AlertChannel[];
}

/**
 * Reads several alert channels at once (operation `getAlertChannel`), or all of the account (operation `listAlertChannels`).
 * Credentials are returned as fingerprints.
 *
 * @throws NoMatchError when a name is not configured. Lists the configured names.
 * @throws NotFoundError when the account has no channel with one of these ids, or the service doesn't list alert channels.
 * @throws PagingError when the list kept changing while it was read.
 */
export async function getAlertChannels(
  args: GetAlertChannelsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetAlertChannelsResult> {
  // A program in JavaScript may pass more.
  return read("getAlertChannels", { ...args, revealCredentials: false }, options);
}

/** {@link getAlertChannels} with outputs as arguments, and with credentials on request. */
export function getAlertChannelsOutput(
  args: GetAlertChannelsOutputArgs = {},
  options?: pulumi.InvokeOptions,
): pulumi.Output<GetAlertChannelsResult> {
  return readOutput("getAlertChannels", args, options);
}

/** How to read the status pages of an account. */
export interface GetStatusPagesArgs extends AccountArgs {
  /**
   * Status pages per request, 1 to 100. Default: 100.
   *
   * @integer
   */
  limit?: number;
}

/** The arguments of {@link getStatusPagesOutput}. */
export type GetStatusPagesOutputArgs = OutputArgs<GetStatusPagesArgs>;

/** All status pages of the account, in the service's order. */
export interface GetStatusPagesResult {
  /** The status pages; empty when the account has none. */
  statusPages: StatusPage[];
}

/** Reads all status pages of the account, across all pages of the list (operation `listStatusPages`). */
export async function getStatusPages(
  args: GetStatusPagesArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetStatusPagesResult> {
  return read("getStatusPages", args, options);
}

/** {@link getStatusPages} with outputs as arguments. */
export function getStatusPagesOutput(
  args: GetStatusPagesOutputArgs = {},
  options?: pulumi.InvokeOptions,
): pulumi.Output<GetStatusPagesResult> {
  return readOutput("getStatusPages", args, options);
}

/** The status page to read: exactly one of `id`, `name`, `url` and `customDomain`. */
export interface GetStatusPageArgs extends AccountArgs {
  /** Id of the page. */
  id?: string;
  /** Name of the page. */
  name?: string;
  /** Slug of the page, such as `acme-status`. */
  url?: string;
  /** Custom host name of the page. */
  customDomain?: string;
}

/** The arguments of {@link getStatusPageOutput}. */
export type GetStatusPageOutputArgs = OutputArgs<GetStatusPageArgs>;

/**
 * Finds one status page (operation `listStatusPages`).
 *
 * @throws NoMatchError when no status page matches. Lists the existing ones.
 * @throws AmbiguousMatchError when several status pages match. Lists them.
 */
export async function getStatusPage(
  args: GetStatusPageArgs,
  options?: pulumi.InvokeOptions,
): Promise<StatusPage> {
  return read("getStatusPage", args, options);
}

/** {@link getStatusPage} with outputs as arguments. */
export function getStatusPageOutput(
  args: GetStatusPageOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<StatusPage> {
  return readOutput("getStatusPage", args, options);
}

/** The status-page incident to read. */
export interface GetStatusPageIncidentArgs extends AccountArgs {
  /** Id of the incident. */
  incidentId: string;
}

/** The arguments of {@link getStatusPageIncidentOutput}. */
export type GetStatusPageIncidentOutputArgs = OutputArgs<GetStatusPageIncidentArgs>;

/**
 * Reads a status-page incident with its history (operation `getStatusPageIncident`).
 *
 * @throws NotFoundError when the account has no such incident.
 */
export async function getStatusPageIncident(
  args: GetStatusPageIncidentArgs,
  options?: pulumi.InvokeOptions,
): Promise<StatusPageIncident> {
  return read("getStatusPageIncident", args, options);
}

/** {@link getStatusPageIncident} with outputs as arguments. */
export function getStatusPageIncidentOutput(
  args: GetStatusPageIncidentOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<StatusPageIncident> {
  return readOutput("getStatusPageIncident", args, options);
}

/** The dashboard incident to read. */
export interface GetIncidentArgs extends AccountArgs {
  /** Id of the incident. */
  id: string;
  /** Whether to return all updates instead of only the first. Default: false. */
  includeAllIncidentUpdates?: boolean;
}

/** The arguments of {@link getIncidentOutput}. */
export type GetIncidentOutputArgs = OutputArgs<GetIncidentArgs>;

/**
 * Reads a dashboard incident (operation `getIncident`).
 *
 * @throws NotFoundError when the account has no such incident.
 */
export async function getIncident(args: GetIncidentArgs, options?: pulumi.InvokeOptions): Promise<Incident> {
  return read("getIncident", args, options);
}

/** {@link getIncident} with outputs as arguments. */
export function getIncidentOutput(
  args: GetIncidentOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<Incident> {
  return readOutput("getIncident", args, options);
}

/** The update of a status-page incident to read. */
export interface GetIncidentUpdateArgs extends AccountArgs {
  /** Id of the incident. */
  incidentId: string;
  /** Id of the update. */
  incidentUpdateId: string;
}

/** The arguments of {@link getIncidentUpdateOutput}. */
export type GetIncidentUpdateOutputArgs = OutputArgs<GetIncidentUpdateArgs>;

/**
 * Reads one update of a status-page incident (operation `getIncidentUpdate`).
 *
 * @throws NotFoundError when the account has no such incident, or the incident has no such update.
 */
export async function getIncidentUpdate(
  args: GetIncidentUpdateArgs,
  options?: pulumi.InvokeOptions,
): Promise<StatusPageIncidentUpdate> {
  return read("getIncidentUpdate", args, options);
}

/** {@link getIncidentUpdate} with outputs as arguments. */
export function getIncidentUpdateOutput(
  args: GetIncidentUpdateOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<StatusPageIncidentUpdate> {
  return readOutput("getIncidentUpdate", args, options);
}

/** The open incidents to list. Default: those of all status pages. */
export interface GetOpenIncidentsArgs extends AccountArgs {
  /** Only incidents of this status page: its id, slug or name. */
  statusPage?: string;
  /** Only incidents of this severity or worse. An unknown severity counts as the worst. */
  atLeast?: Severity;
  /** Only incidents that affect one of these services: their ids or names. An incident without a list of services affects any. */
  services?: string[];
}

/** The arguments of {@link getOpenIncidentsOutput}. */
export type GetOpenIncidentsOutputArgs = OutputArgs<GetOpenIncidentsArgs>;

/** A status page that shows an incident. */
export interface OpenIncidentStatusPage extends Pick<StatusPage, "id" | "name"> {}

/** An incident whose latest status isn't RESOLVED. */
export interface OpenIncident extends StatusPageIncident {
  /** The status pages that show it. */
  statusPages: OpenIncidentStatusPage[];
}

/** Open incidents in the service's order, each once. */
export interface GetOpenIncidentsResult {
  /** The incidents; empty when none is open. */
  incidents: OpenIncident[];
}

/**
 * Lists the incidents that are currently open, across all pages of the list of status pages (operation `listStatusPages`).
 *
 * @throws NoMatchError when no status page matches `statusPage`, or a service of `services` is on none of the status pages.
 * Lists the existing ones. Services aren't checked when the API returns a status page without services.
 * @throws AmbiguousMatchError when several status pages match `statusPage`. Lists them.
 * @throws ResponseShapeError when the API returns a status page without `incidents`: it is unknown which incidents are open.
 */
export async function getOpenIncidents(
  args: GetOpenIncidentsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<GetOpenIncidentsResult> {
  return read("getOpenIncidents", args, options);
}

/** {@link getOpenIncidents} with outputs as arguments. */
export function getOpenIncidentsOutput(
  args: GetOpenIncidentsOutputArgs = {},
  options?: pulumi.InvokeOptions,
): pulumi.Output<GetOpenIncidentsResult> {
  return readOutput("getOpenIncidents", args, options);
}

type Lookups = typeof lookups;
type Results = {
  [Name in keyof Lookups]: Awaited<ReturnType<Lookups[Name]["read"]>>;
};

/**
 * Reads by the lookup of this name, which checks the arguments. An explicit provider, also of the option `parent`, reads in the
 * plugin; otherwise the program reads with the stack's configuration.
 */
async function read<Name extends keyof Lookups>(
  name: Name,
  args: object,
  options: pulumi.InvokeOptions | undefined,
): Promise<Results[Name]> {
  if (!explicitProviderOf(options)) return readInProgram(name, args);
  // Pulumi doesn't type the result of a function.
  const result = (await pulumi.runtime.invoke(tokenOf(name), { ...args }, options)) as Results[Name];
  if (isUnread(result)) throw unreadError(name);
  return result;
}

/** Reads the same as an output, which is a secret if it may contain credentials. @param args A program in JavaScript may pass null. */
function readOutput<Name extends keyof Lookups>(
  name: Name,
  args: object | null,
  options: pulumi.InvokeOptions | undefined,
): pulumi.Output<Results[Name]> {
  if (explicitProviderOf(options))
    return pulumi.runtime
      .invokeOutput<Results[Name]>(tokenOf(name), { ...args }, options)
      .apply((result): pulumi.Output<Results[Name]> => outputOf(isUnread(result) ? pulumi.unknown : result));
  const isSecret = Boolean(Reflect.get(args ?? {}, "revealCredentials"));
  return (isSecret ? pulumi.secret(args) : pulumi.output(args)).apply((known) => readInProgram(name, known));
}

const tokenOf = (name: keyof Lookups): string => `monitoring:index:${name}`;

/** The lookups are loaded, with zod and axios, on first use. */
function readInProgram<Name extends keyof Lookups>(name: Name, args: object | null): Promise<Results[Name]> {
  return withoutStacks(async () => {
    const { lookups, runLookup } = await import("../provider/lookups");
    const all: { readonly [Each in keyof Lookups]: Lookup<z.ZodRawShape, Results[Each]> } = lookups;
    return runLookup(all[name], { ...args }, { connections: await allConnections() });
  });
}

/** True if the engine called no provider, because the settings of the explicit one aren't known in this preview. */
function isUnread(result: object): boolean {
  return pulumi.runtime.isDryRun() && Object.keys(result).length === 0;
}

/** Pulumi doesn't type an output that isn't known. */
function outputOf<Result>(value: unknown): pulumi.Output<Result> {
  const output: unknown = pulumi.output(value);
  return output as pulumi.Output<Result>;
}

function unreadError(name: string): Error {
  const reason = `its provider isn't known in this preview: use ${name}Output, whose result is unknown then.`;
  return withoutStack(new pulumi.RunError(`${name}: ${reason}`));
}
