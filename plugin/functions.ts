/** The data sources and the audit as functions of the plugin. */
import { type z } from "zod";
import { MonitoringError } from "../provider/client";
import { type Properties } from "../provider/lifecycles/lifecycle";
import { lookups } from "../provider/lookups";
import { type Lookup, type LookupContext, runLookup } from "../provider/lookups/lookup";

interface Returned {
  readonly result: Properties;
  /** Names of the results that are secrets. */
  readonly secrets: ReadonlySet<string>;
}

/** @param token Such as `monitoring:index:getIncident`. */
export async function invokeFunction(
  token: string,
  args: Properties,
  context: LookupContext,
): Promise<Returned> {
  const called = await functionOf(token.split(":").at(-1) ?? "");
  if (!called) throw new MonitoringError(`pulumi-monitoring-service has no function ${token}.`);
  const result = { ...(await runLookup(called, args, context)) };
  return { result, secrets: new Set(args["revealCredentials"] === true ? Object.keys(result) : []) };
}

/** The audit is loaded on demand: its rules take as long to load as half of the plugin. */
async function functionOf(name: string): Promise<Lookup<z.ZodRawShape, object> | undefined> {
  if (name === "auditAlertChannels") return (await import("./auditAlertChannels")).auditAlertChannels;
  return Object.hasOwn(lookups, name) ? lookups[name] : undefined;
}
