/** What an `OpenIncidentGate` says. Without imports, because every program loads it. */

interface OpenIncident {
  readonly id: string;
  readonly name: string;
  readonly severity?: string | null;
  readonly statusPages: readonly { readonly name: string }[];
}

export function openIncidentsMessage(gate: string, incidents: readonly OpenIncident[]): string {
  const list = incidents.map(
    ({ id, name, severity, statusPages }) =>
      `${severity ?? "UNKNOWN"} "${name}" (${id}, on ${statusPages.map((page) => page.name).join(", ")})`,
  );
  return (
    `OpenIncidentGate "${gate}": ${list.length} open ${list.length === 1 ? "incident" : "incidents"}: ${list.join("; ")}. ` +
    "No resource that depends on the gate was changed. Run again after they are resolved."
  );
}
