/** Reads the service's objects in a program: each data source as a promise, and with outputs as arguments. */
import * as pulumi from "@pulumi/pulumi";
import { type z } from "zod";
import { withoutStack } from "../provider/engine";
import {
  type GetAlertChannelArgs,
  type GetAlertChannelsArgs,
  type GetIncidentArgs,
  type GetIncidentUpdateArgs,
  type GetOpenIncidentsArgs,
  type GetStatusPageArgs,
  type GetStatusPageIncidentArgs,
  type GetStatusPagesArgs,
  type Lookup,
  type lookups,
  type RevealArgs,
} from "../provider/lookups";
import { allConnections, explicitProviderOf, type OutputArgs, withoutStacks } from "./program";
import {
  type AlertChannel,
  type Incident,
  type StatusPage,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "./returnedObjects";

/** The arguments of {@link getAlertChannelOutput}. */
export type GetAlertChannelOutputArgs = OutputArgs<GetAlertChannelArgs> & RevealArgs;

/**
 * Reads an alert channel (operation `getAlertChannel`). A name that is not configured is looked up in the list of the account.
 * Credentials are returned as fingerprints.
 *
 * @throws NoMatchError when no channel has the name. Lists the names.
 * @throws AmbiguousMatchError when the settings of several channels have the name. Lists them.
 * @throws NotFoundError when the account has no channel with this id.
 */
export const getAlertChannel: Read<GetAlertChannelArgs, AlertChannel> = readBy("getAlertChannel", {
  revealCredentials: false,
});

/** {@link getAlertChannel} with outputs as arguments, and with credentials on request. */
export const getAlertChannelOutput: ReadOutput<GetAlertChannelOutputArgs, AlertChannel> =
  readOutputBy("getAlertChannel");

/** The arguments of {@link getAlertChannelsOutput}. */
export type GetAlertChannelsOutputArgs = OutputArgs<GetAlertChannelsArgs> & RevealArgs;

/** Alert channels, in the order of `ids`, of `names`, or of the service's list. */
export interface GetAlertChannelsResult {
  /** The channels. Credentials are fingerprints unless `revealCredentials` is set. */
  alertChannels: AlertChannel[];
}

/**
 * Reads several alert channels at once (operation `getAlertChannel`), or all of the account (operation `listAlertChannels`).
 * Credentials are returned as fingerprints.
 *
 * @throws NoMatchError when no channel has one of the names. Lists the names.
 * @throws AmbiguousMatchError when the settings of several channels have one of the names. Lists them.
 * @throws NotFoundError when the account has no channel with one of these ids, or the service doesn't list alert channels.
 * @throws PagingError when the list kept changing while it was read.
 */
export const getAlertChannels: Read<GetAlertChannelsArgs, GetAlertChannelsResult> = readBy(
  "getAlertChannels",
  { revealCredentials: false },
);

/** {@link getAlertChannels} with outputs as arguments, and with credentials on request. */
export const getAlertChannelsOutput: ReadOutput<GetAlertChannelsOutputArgs, GetAlertChannelsResult> =
  readOutputBy("getAlertChannels");

/** The arguments of {@link getStatusPagesOutput}. */
export type GetStatusPagesOutputArgs = OutputArgs<GetStatusPagesArgs>;

/** All status pages of the account, each once: those with cards, then those with components, in the service's order. */
export interface GetStatusPagesResult {
  /** The status pages; empty when the account has none. */
  statusPages: StatusPage[];
}

/**
 * Reads all status pages of the account, across all pages of their lists: those with cards (operation `listStatusPages`) and those
 * with components (operation `listComponentPages`). A service may have only one of the lists.
 *
 * @throws NotFoundError when the service has neither.
 * @throws PagingError when a list can't be read to its end.
 */
export const getStatusPages: Read<GetStatusPagesArgs, GetStatusPagesResult> = readBy("getStatusPages");

/** {@link getStatusPages} with outputs as arguments. */
export const getStatusPagesOutput: ReadOutput<GetStatusPagesOutputArgs, GetStatusPagesResult> =
  readOutputBy("getStatusPages");

/** The arguments of {@link getStatusPageOutput}. */
export type GetStatusPageOutputArgs = OutputArgs<GetStatusPageArgs>;

/**
 * Finds one status page, among those with cards (operation `listStatusPages`) and those with components (operation
 * `listComponentPages`), and reads its components, if it has some (operation `listComponents`).
 *
 * @throws NoMatchError when no status page matches. Lists the existing ones.
 * @throws AmbiguousMatchError when several status pages match. Lists them.
 */
export const getStatusPage: Read<GetStatusPageArgs, StatusPage> = readBy("getStatusPage");

/** {@link getStatusPage} with outputs as arguments. */
export const getStatusPageOutput: ReadOutput<GetStatusPageOutputArgs, StatusPage> =
  readOutputBy("getStatusPage");

/** The arguments of {@link getStatusPageIncidentOutput}. */
export type GetStatusPageIncidentOutputArgs = OutputArgs<GetStatusPageIncidentArgs>;

/**
 * Reads a status-page incident with its history (operation `getStatusPageIncident`).
 *
 * @throws NotFoundError when the account has no such incident.
 */
export const getStatusPageIncident: Read<GetStatusPageIncidentArgs, StatusPageIncident> =
  readBy("getStatusPageIncident");

/** {@link getStatusPageIncident} with outputs as arguments. */
export const getStatusPageIncidentOutput: ReadOutput<GetStatusPageIncidentOutputArgs, StatusPageIncident> =
  readOutputBy("getStatusPageIncident");

/** The arguments of {@link getIncidentOutput}. */
export type GetIncidentOutputArgs = OutputArgs<GetIncidentArgs>;

/**
 * Reads a dashboard incident (operation `getIncident`).
 *
 * @throws NotFoundError when the account has no such incident.
 */
export const getIncident: Read<GetIncidentArgs, Incident> = readBy("getIncident");

/** {@link getIncident} with outputs as arguments. */
export const getIncidentOutput: ReadOutput<GetIncidentOutputArgs, Incident> = readOutputBy("getIncident");

/** The arguments of {@link getIncidentUpdateOutput}. */
export type GetIncidentUpdateOutputArgs = OutputArgs<GetIncidentUpdateArgs>;

/**
 * Reads one update of a status-page incident (operation `getIncidentUpdate`).
 *
 * @throws NotFoundError when the account has no such incident, or the incident has no such update.
 */
export const getIncidentUpdate: Read<GetIncidentUpdateArgs, StatusPageIncidentUpdate> =
  readBy("getIncidentUpdate");

/** {@link getIncidentUpdate} with outputs as arguments. */
export const getIncidentUpdateOutput: ReadOutput<GetIncidentUpdateOutputArgs, StatusPageIncidentUpdate> =
  readOutputBy("getIncidentUpdate");

/** The arguments of {@link getOpenIncidentsOutput}. */
export type GetOpenIncidentsOutputArgs = OutputArgs<GetOpenIncidentsArgs>;

/** A status page that shows an incident. */
export interface OpenIncidentStatusPage extends Pick<StatusPage, "id" | "name"> {}

/** An incident whose latest status isn't RESOLVED. */
export interface OpenIncident extends StatusPageIncident {
  /** The status pages that show it. */
  statusPages: OpenIncidentStatusPage[];
}

/** Open incidents, each once: those of status pages with cards, then those of pages with components, in the service's order. */
export interface GetOpenIncidentsResult {
  /** The incidents; empty when none is open. */
  incidents: OpenIncident[];
}

/**
 * Lists the incidents that are currently open: those in the list of status pages with cards (operation `listStatusPages`), and those
 * of each page with components (operation `listComponentPages` and operation `listComponentPageIncidents`; with `services`, also
 * operation `listComponents`). All lists are read to their end, and those of several pages until two readings are equal. While a page
 * is migrated and is in both lists, an incident counts once if it has the same id in both.
 *
 * @throws NoMatchError when no status page matches `statusPage`, or a service of `services` is on none of the status pages.
 * Lists the existing ones. Services aren't checked when the API returns a status page without services.
 * @throws AmbiguousMatchError when several status pages match `statusPage`. Lists them.
 * @throws ResponseShapeError when the API returns a status page without `incidents`: it is unknown which incidents are open.
 * @throws NotFoundError when a status page was deleted before its incidents were read, or the service has neither list of pages.
 * @throws PagingError when a list can't be read to its end.
 */
export const getOpenIncidents: Read<GetOpenIncidentsArgs, GetOpenIncidentsResult> =
  readBy("getOpenIncidents");

/** {@link getOpenIncidents} with outputs as arguments. */
export const getOpenIncidentsOutput: ReadOutput<GetOpenIncidentsOutputArgs, GetOpenIncidentsResult> =
  readOutputBy("getOpenIncidents");

type Lookups = typeof lookups;
type Results = {
  [Name in keyof Lookups]: Awaited<ReturnType<Lookups[Name]["read"]>>;
};

/** Arguments can be omitted where each is optional. */
type Arguments<Args> = object extends Args
  ? [args?: Args, options?: pulumi.InvokeOptions]
  : [args: Args, options?: pulumi.InvokeOptions];
type Read<Args, Result> = (...args: Arguments<Args>) => Promise<Result>;
type ReadOutput<Args, Result> = (...args: Arguments<Args>) => pulumi.Output<Result>;

/**
 * Returns a function that reads by the lookup of this name, which checks the arguments. An explicit provider, also of the option
 * `parent`, reads in the plugin; otherwise the program reads with the stack's configuration.
 *
 * @param fixed Takes precedence over the arguments: a program in JavaScript may pass more than their type has.
 */
function readBy<Name extends keyof Lookups>(name: Name, fixed: object = {}) {
  return async (args?: object | null, options?: pulumi.InvokeOptions): Promise<Results[Name]> => {
    const all = { ...args, ...fixed };
    if (!explicitProviderOf(options)) return readInProgram(name, all);
    // Pulumi doesn't type the result of a function.
    const result = (await pulumi.runtime.invoke(tokenOf(name), all, options)) as Results[Name];
    if (isUnread(result)) throw unreadError(name);
    return result;
  };
}

/** Returns a function that reads the same as an output, which is a secret if it may contain credentials. */
function readOutputBy<Name extends keyof Lookups>(name: Name) {
  return (args?: object | null, options?: pulumi.InvokeOptions): pulumi.Output<Results[Name]> => {
    if (explicitProviderOf(options))
      return pulumi.runtime
        .invokeOutput<Results[Name]>(tokenOf(name), { ...args }, options)
        .apply((result): pulumi.Output<Results[Name]> =>
          outputOf(isUnread(result) ? pulumi.unknown : result),
        );
    const isSecret = Boolean(Reflect.get(args ?? {}, "revealCredentials"));
    return (isSecret ? pulumi.secret(args) : pulumi.output(args)).apply((known) =>
      readInProgram(name, known),
    );
  };
}

const tokenOf = (name: keyof Lookups): string => `monitoring:index:${name}`;

/** The lookups are loaded, with zod and axios, on first use. */
function readInProgram<Name extends keyof Lookups>(name: Name, args?: object | null): Promise<Results[Name]> {
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
  const reason = `the provider isn't known in this preview. Use ${name}Output, whose result may be unknown in a preview.`;
  return withoutStack(new pulumi.RunError(`${name}: ${reason}`));
}
