/** The data sources as functions of the plugin. */
import { MonitoringError } from "../provider/client";
import { type Properties } from "../provider/lifecycles/lifecycle";
import { type z } from "zod";
import { lookups } from "../provider/lookups";
import { type Lookup, type LookupContext, runLookup } from "../provider/lookups/lookup";

const functions: Readonly<Record<string, Lookup<z.ZodRawShape, object>>> = lookups;

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
  const name = token.split(":").at(-1) ?? "";
  const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!called) throw new MonitoringError(`pulumi-monitoring-service has no function ${token}.`);
  const result = { ...(await runLookup(called, args, context)) };
  return { result, secrets: new Set(args["revealCredentials"] === true ? Object.keys(result) : []) };
}
