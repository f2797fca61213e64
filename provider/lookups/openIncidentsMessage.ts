/** What an `OpenIncidentGate` says. Without zod, because every program loads it. */
import { oneLine } from "../texts/printable";

interface OpenIncident {
  readonly id: string;
  readonly name: string;
  readonly severity?: string | null;
  readonly statusPages: readonly { readonly name: string }[];
}

export function openIncidentsMessage(gate: string, incidents: readonly OpenIncident[]): string {
  const list = incidents.map(({ id, name, severity, statusPages }) =>
    oneLine(
      `${severity ?? "UNKNOWN"} "${name}" (${id}, on ${statusPages.map((page) => page.name).join(", ")})`,
    ),
  );
  return (
    `OpenIncidentGate "${gate}": ${list.length} open ${list.length === 1 ? "incident" : "incidents"}: ${list.join("; ")}. ` +
    "No resource that depends on the gate was changed. Run again after they are resolved."
  );
}
