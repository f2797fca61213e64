/** Reads the service's objects in a program. Each data source has one form with promises and one form with outputs. */
import * as pulumi from "@pulumi/pulumi";
import { type z } from "zod";
import { removeStack } from "../provider/engine";
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
import { getConnections, findExplicitProvider, type OutputArgs, runWithoutStacks } from "./program";
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
 * Reads an alert channel. Credentials are returned as fingerprints.
 *
 * @remarks Calls operation `getAlertChannel`; for a name that isn't configured, also operation `listAlertChannels`.
 *
 * @throws NoMatchError when no channel has the name. The message lists the existing names.
 * @throws AmbiguousMatchError when the settings of several channels have the name. The message lists these channels.
 * @throws NotFoundError when the account has no channel with this ID.
 */
export const getAlertChannel: Read<GetAlertChannelArgs, AlertChannel> = readBy("getAlertChannel", {
  revealCredentials: false,
});

/** Reads an alert channel like {@link getAlertChannel}, but accepts outputs and can return credentials in plain text. */
export const getAlertChannelOutput: ReadOutput<GetAlertChannelOutputArgs, AlertChannel> =
  readOutputBy("getAlertChannel");

/** The arguments of {@link getAlertChannelsOutput}. */
export type GetAlertChannelsOutputArgs = OutputArgs<GetAlertChannelsArgs> & RevealArgs;

/** Alert channels, in the order of `ids`, `names` or the service's list. */
export interface GetAlertChannelsResult {
  /** The alert channels. Credentials are fingerprints unless `revealCredentials` is set. */
  alertChannels: AlertChannel[];
}

/**
 * Reads several alert channels, or all alert channels of the account. Credentials are returned as fingerprints.
 *
 * @remarks Calls operation `getAlertChannel`; to read all channels or to find a name that isn't configured, operation `listAlertChannels`.
 *
 * @throws NoMatchError when no channel has one of the names. The message lists the existing names.
 * @throws AmbiguousMatchError when the settings of several channels have one of the names. The message lists these channels.
 * @throws NotFoundError when the account has no channel with one of these IDs, or the service doesn't list alert channels.
 * @throws PagingError when the list kept changing while it was read.
 */
export const getAlertChannels: Read<GetAlertChannelsArgs, GetAlertChannelsResult> = readBy(
  "getAlertChannels",
  { revealCredentials: false },
);

/** Reads alert channels like {@link getAlertChannels}, but accepts outputs and can return credentials in plain text. */
export const getAlertChannelsOutput: ReadOutput<GetAlertChannelsOutputArgs, GetAlertChannelsResult> =
  readOutputBy("getAlertChannels");

/** The arguments of {@link getStatusPagesOutput}. */
export type GetStatusPagesOutputArgs = OutputArgs<GetStatusPagesArgs>;

/** All status pages of the account, each once. Pages with cards come first, then pages with components, in the service's order. */
export interface GetStatusPagesResult {
  /** The status pages. Empty if the account has no status pages. */
  statusPages: StatusPage[];
}

/**
 * Reads all status pages of the account. Pages with cards and pages with components are in separate lists, and a service may have only one
 * of these lists.
 *
 * @remarks Calls operation `listStatusPages` and operation `listComponentPages`.
 *
 * @throws NotFoundError when the service has neither list.
 * @throws PagingError when a list can't be read completely.
 */
export const getStatusPages: Read<GetStatusPagesArgs, GetStatusPagesResult> = readBy("getStatusPages");

/** Reads status pages like {@link getStatusPages}, but accepts outputs. */
export const getStatusPagesOutput: ReadOutput<GetStatusPagesOutputArgs, GetStatusPagesResult> =
  readOutputBy("getStatusPages");

/** The arguments of {@link getStatusPageOutput}. */
export type GetStatusPageOutputArgs = OutputArgs<GetStatusPageArgs>;

/**
 * Finds one status page and reads it with its cards or its components.
 *
 * @remarks Calls operation `listStatusPages` and operation `listComponentPages`; for a page with components, also operation `listComponents`.
 *
 * @throws NoMatchError when no status page matches. The message lists the existing pages.
 * @throws AmbiguousMatchError when several status pages match. The message lists these pages.
 */
export const getStatusPage: Read<GetStatusPageArgs, StatusPage> = readBy("getStatusPage");

/** Finds a status page like {@link getStatusPage}, but accepts outputs. */
export const getStatusPageOutput: ReadOutput<GetStatusPageOutputArgs, StatusPage> =
  readOutputBy("getStatusPage");

/** The arguments of {@link getStatusPageIncidentOutput}. */
export type GetStatusPageIncidentOutputArgs = OutputArgs<GetStatusPageIncidentArgs>;

/**
 * Reads a status-page incident with its updates.
 *
 * @remarks Calls operation `getStatusPageIncident` or, on a page with components, operation `getComponentPageIncident`.
 *
 * @throws NotFoundError when the account has no such incident.
 */
export const getStatusPageIncident: Read<GetStatusPageIncidentArgs, StatusPageIncident> =
  readBy("getStatusPageIncident");

/** Reads an incident like {@link getStatusPageIncident}, but accepts outputs. */
export const getStatusPageIncidentOutput: ReadOutput<GetStatusPageIncidentOutputArgs, StatusPageIncident> =
  readOutputBy("getStatusPageIncident");

/** The arguments of {@link getIncidentOutput}. */
export type GetIncidentOutputArgs = OutputArgs<GetIncidentArgs>;

/**
 * Reads a dashboard incident with its first update or with all updates.
 *
 * @remarks Calls operation `getIncident`.
 *
 * @throws NotFoundError when the account has no such incident.
 */
export const getIncident: Read<GetIncidentArgs, Incident> = readBy("getIncident");

/** Reads an incident like {@link getIncident}, but accepts outputs. */
export const getIncidentOutput: ReadOutput<GetIncidentOutputArgs, Incident> = readOutputBy("getIncident");

/** The arguments of {@link getIncidentUpdateOutput}. */
export type GetIncidentUpdateOutputArgs = OutputArgs<GetIncidentUpdateArgs>;

/**
 * Reads one update of a status-page incident.
 *
 * @remarks Calls operation `getIncidentUpdate` or, on a page with components, operation `getComponentPageIncidentUpdate`.
 *
 * @throws NotFoundError when the account has no such incident, or the incident has no such update.
 */
export const getIncidentUpdate: Read<GetIncidentUpdateArgs, StatusPageIncidentUpdate> =
  readBy("getIncidentUpdate");

/** Reads an update like {@link getIncidentUpdate}, but accepts outputs. */
export const getIncidentUpdateOutput: ReadOutput<GetIncidentUpdateOutputArgs, StatusPageIncidentUpdate> =
  readOutputBy("getIncidentUpdate");

/** The arguments of {@link getOpenIncidentsOutput}. */
export type GetOpenIncidentsOutputArgs = OutputArgs<GetOpenIncidentsArgs>;

/** A status page that shows an incident. */
export interface OpenIncidentStatusPage extends Pick<StatusPage, "id" | "name"> {}

/** An incident whose latest status isn't RESOLVED. */
export interface OpenIncident extends StatusPageIncident {
  /** The status pages that show the incident. */
  statusPages: OpenIncidentStatusPage[];
}

/** Open incidents, each once. Incidents on pages with cards come first, then incidents on pages with components, in the service's order. */
export interface GetOpenIncidentsResult {
  /** The open incidents. Empty if all incidents are resolved. */
  incidents: OpenIncident[];
}

/**
 * Lists the incidents that are currently open on status pages.
 *
 * All lists are read completely. Each incident is returned once, even if it is on several status pages.
 *
 * @remarks Calls operation `listStatusPages`, operation `listComponentPages` and operation `listComponentPageIncidents`; with `services`,
 * also operation `listComponents`.
 *
 * @throws NoMatchError when no status page matches `statusPage`, or a service in `services` isn't on any of the status pages. The message
 * lists the existing pages or services. Services aren't checked if the API returns a status page without services.
 * @throws AmbiguousMatchError when several status pages match `statusPage`. The message lists these pages.
 * @throws ResponseShapeError when the API returns a status page without `incidents`, so that its open incidents are unknown.
 * @throws NotFoundError when a status page was deleted before its incidents were read, or the service has neither list of pages.
 * @throws PagingError when a list can't be read completely.
 */
export const getOpenIncidents: Read<GetOpenIncidentsArgs, GetOpenIncidentsResult> =
  readBy("getOpenIncidents");

/** Lists open incidents like {@link getOpenIncidents}, but accepts outputs. */
export const getOpenIncidentsOutput: ReadOutput<GetOpenIncidentsOutputArgs, GetOpenIncidentsResult> =
  readOutputBy("getOpenIncidents");

type Lookups = typeof lookups;
type Results = {
  [Name in keyof Lookups]: Awaited<ReturnType<Lookups[Name]["read"]>>;
};

/** The parameters of a data source. The arguments can be omitted if all of them are optional. */
type Arguments<Args> = object extends Args
  ? [args?: Args, options?: pulumi.InvokeOptions]
  : [args: Args, options?: pulumi.InvokeOptions];
type Read<Args, Result> = (...args: Arguments<Args>) => Promise<Result>;
type ReadOutput<Args, Result> = (...args: Arguments<Args>) => pulumi.Output<Result>;

/**
 * Returns a function that runs the lookup of this name, which checks the arguments. With an explicit provider, including the provider of
 * the option `parent`, the plugin reads; otherwise, the program reads with the stack's configuration.
 *
 * @param fixed Takes precedence over the arguments, because a program in JavaScript may pass arguments that their type doesn't contain.
 */
function readBy<Name extends keyof Lookups>(name: Name, fixed: object = {}) {
  return async (args?: object | null, options?: pulumi.InvokeOptions): Promise<Results[Name]> => {
    const all = { ...args, ...fixed };
    if (!findExplicitProvider(options)) return readInProgram(name, all);
    // Pulumi doesn't type the result of a function.
    const result = (await pulumi.runtime.invoke(getToken(name), all, options)) as Results[Name];
    if (isUnread(result)) throw createUnreadError(name);
    return result;
  };
}

/** Returns a function that runs the lookup and returns an output. The output is a secret if it may contain credentials. */
function readOutputBy<Name extends keyof Lookups>(name: Name) {
  return (args?: object | null, options?: pulumi.InvokeOptions): pulumi.Output<Results[Name]> => {
    if (findExplicitProvider(options))
      return pulumi.runtime
        .invokeOutput<Results[Name]>(getToken(name), { ...args }, options)
        .apply((result): pulumi.Output<Results[Name]> =>
          toOutput(isUnread(result) ? pulumi.unknown : result),
        );
    const isSecret = Boolean(Reflect.get(args ?? {}, "revealCredentials"));
    return (isSecret ? pulumi.secret(args) : pulumi.output(args)).apply((known) =>
      readInProgram(name, known),
    );
  };
}

const getToken = (name: keyof Lookups): string => `monitoring:index:${name}`;

/** Runs a lookup in the program. The lookups are loaded on first use, because they load zod and axios. */
function readInProgram<Name extends keyof Lookups>(name: Name, args?: object | null): Promise<Results[Name]> {
  return runWithoutStacks(async () => {
    const { lookups, runLookup } = await import("../provider/lookups");
    const all: { readonly [Each in keyof Lookups]: Lookup<z.ZodRawShape, Results[Each]> } = lookups;
    return runLookup(all[name], { ...args }, { connections: await getConnections() });
  });
}

/** Returns true if the engine called no provider, because the settings of the explicit provider are unknown in this preview. */
function isUnread(result: object): boolean {
  return pulumi.runtime.isDryRun() && Object.keys(result).length === 0;
}

/** Returns the value as an output of this type. Pulumi has no type for an output that is unknown. */
function toOutput<Result>(value: unknown): pulumi.Output<Result> {
  const output: unknown = pulumi.output(value);
  return output as pulumi.Output<Result>;
}

function createUnreadError(name: string): Error {
  const reason = `the provider isn't known in this preview. Use ${name}Output, whose result may be unknown in a preview.`;
  return removeStack(new pulumi.RunError(`${name}: ${reason}`));
}
