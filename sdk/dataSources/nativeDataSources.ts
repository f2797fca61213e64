/**
 * The data sources with the option `provider`, which names the account to read. Without an explicit provider, also of the
 * option `parent`, the stack's configuration counts.
 */
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "..";
import { explicitProviderOf } from "../explicitProvider";

function read<Args extends object, Result>(
  name: string,
  args: Args,
  options: pulumi.InvokeOptions | undefined,
  inProgram: (args: Args) => Promise<Result>,
): Promise<Result> {
  if (!explicitProviderOf(options)) return inProgram(args);
  // Pulumi doesn't type the result of a function.
  return pulumi.runtime.invoke(`monitoring:index:${name}`, { ...args }, options) as Promise<Result>;
}

function readOutput<Args extends object, Result>(
  name: string,
  args: Args,
  options: pulumi.InvokeOptions | undefined,
  inProgram: (args: Args) => pulumi.Output<Result>,
): pulumi.Output<Result> {
  if (!explicitProviderOf(options)) return inProgram(args);
  return pulumi.runtime.invokeOutput<Result>(`monitoring:index:${name}`, { ...args }, options);
}

/** {@inheritDoc dynamic.getAlertChannel} */
export function getAlertChannel(
  args: dynamic.GetAlertChannelArgs,
  options?: pulumi.InvokeOptions,
): Promise<dynamic.GetAlertChannelResult> {
  return read("getAlertChannel", args, options, dynamic.getAlertChannel);
}

/** {@inheritDoc dynamic.getAlertChannelOutput} */
export function getAlertChannelOutput(
  args: dynamic.GetAlertChannelOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<dynamic.GetAlertChannelResult> {
  return readOutput("getAlertChannel", args, options, dynamic.getAlertChannelOutput);
}

/** {@inheritDoc dynamic.getAlertChannels} */
export function getAlertChannels(
  args: dynamic.GetAlertChannelsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<dynamic.GetAlertChannelsResult> {
  return read("getAlertChannels", args, options, dynamic.getAlertChannels);
}

/** {@inheritDoc dynamic.getAlertChannelsOutput} */
export function getAlertChannelsOutput(
  args: dynamic.GetAlertChannelsOutputArgs = {},
  options?: pulumi.InvokeOptions,
): pulumi.Output<dynamic.GetAlertChannelsResult> {
  return readOutput("getAlertChannels", args, options, dynamic.getAlertChannelsOutput);
}

/** {@inheritDoc dynamic.getIncident} */
export function getIncident(
  args: dynamic.GetIncidentArgs,
  options?: pulumi.InvokeOptions,
): Promise<dynamic.GetIncidentResult> {
  return read("getIncident", args, options, dynamic.getIncident);
}

/** {@inheritDoc dynamic.getIncidentOutput} */
export function getIncidentOutput(
  args: dynamic.GetIncidentOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<dynamic.GetIncidentResult> {
  return readOutput("getIncident", args, options, dynamic.getIncidentOutput);
}

/** {@inheritDoc dynamic.getIncidentUpdate} */
export function getIncidentUpdate(
  args: dynamic.GetIncidentUpdateArgs,
  options?: pulumi.InvokeOptions,
): Promise<dynamic.StatusPageIncidentUpdate> {
  return read("getIncidentUpdate", args, options, dynamic.getIncidentUpdate);
}

/** {@inheritDoc dynamic.getIncidentUpdateOutput} */
export function getIncidentUpdateOutput(
  args: dynamic.GetIncidentUpdateOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<dynamic.StatusPageIncidentUpdate> {
  return readOutput("getIncidentUpdate", args, options, dynamic.getIncidentUpdateOutput);
}

/** {@inheritDoc dynamic.getOpenIncidents} */
export function getOpenIncidents(
  args: dynamic.GetOpenIncidentsArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<dynamic.GetOpenIncidentsResult> {
  return read("getOpenIncidents", args, options, dynamic.getOpenIncidents);
}

/** {@inheritDoc dynamic.getOpenIncidentsOutput} */
export function getOpenIncidentsOutput(
  args: dynamic.GetOpenIncidentsOutputArgs = {},
  options?: pulumi.InvokeOptions,
): pulumi.Output<dynamic.GetOpenIncidentsResult> {
  return readOutput("getOpenIncidents", args, options, dynamic.getOpenIncidentsOutput);
}

/** {@inheritDoc dynamic.getStatusPage} */
export function getStatusPage(
  args: dynamic.GetStatusPageArgs,
  options?: pulumi.InvokeOptions,
): Promise<dynamic.GetStatusPageResult> {
  return read("getStatusPage", args, options, dynamic.getStatusPage);
}

/** {@inheritDoc dynamic.getStatusPageOutput} */
export function getStatusPageOutput(
  args: dynamic.GetStatusPageOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<dynamic.GetStatusPageResult> {
  return readOutput("getStatusPage", args, options, dynamic.getStatusPageOutput);
}

/** {@inheritDoc dynamic.getStatusPageIncident} */
export function getStatusPageIncident(
  args: dynamic.GetStatusPageIncidentArgs,
  options?: pulumi.InvokeOptions,
): Promise<dynamic.GetStatusPageIncidentResult> {
  return read("getStatusPageIncident", args, options, dynamic.getStatusPageIncident);
}

/** {@inheritDoc dynamic.getStatusPageIncidentOutput} */
export function getStatusPageIncidentOutput(
  args: dynamic.GetStatusPageIncidentOutputArgs,
  options?: pulumi.InvokeOptions,
): pulumi.Output<dynamic.GetStatusPageIncidentResult> {
  return readOutput("getStatusPageIncident", args, options, dynamic.getStatusPageIncidentOutput);
}

/** {@inheritDoc dynamic.getStatusPages} */
export function getStatusPages(
  args: dynamic.GetStatusPagesArgs = {},
  options?: pulumi.InvokeOptions,
): Promise<dynamic.GetStatusPagesResult> {
  return read("getStatusPages", args, options, dynamic.getStatusPages);
}

/** {@inheritDoc dynamic.getStatusPagesOutput} */
export function getStatusPagesOutput(
  args: dynamic.GetStatusPagesOutputArgs = {},
  options?: pulumi.InvokeOptions,
): pulumi.Output<dynamic.GetStatusPagesResult> {
  return readOutput("getStatusPages", args, options, dynamic.getStatusPagesOutput);
}
