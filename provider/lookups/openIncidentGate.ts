import { type MonitoringError } from "../client/errors";
import { getOpenIncidents, type OpenIncident } from "./getOpenIncidents";
import { type LookupContext, runLookup } from "./lookup";

/** The work of an `OpenIncidentGate`, for programs and for the plugin. @throws what is made of the open incidents */
export async function openIncidentGate(
  args: object,
  context: LookupContext,
  errorOf: (incidents: readonly OpenIncident[]) => MonitoringError,
): Promise<void> {
  const { incidents } = await runLookup(getOpenIncidents, args, context);
  if (incidents.length > 0) throw errorOf(incidents);
}
