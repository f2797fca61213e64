/** The expected response of the sandbox to a valid request, computed from its data. Ajv validates its structure. */
import { type SandboxAccount, type SandboxData } from "../../sandbox";
import { type Operation } from "./document";
import { type Request } from "./validation";

/** The cursors of the list: those of each account in their order, so that the first leads to the second status page. */
export type Cursors = ReadonlyMap<string, readonly string[]>;

/** The account that a request means: without the header the first one that the key opens. */
export function accountOf({ access, accounts }: SandboxData, header: Request["header"]): SandboxAccount {
  const id = header["x-service-account"] ?? access[0].accountIds[0];
  const account = accounts.find((each) => each.id === id);
  if (!account) throw new Error(`There is no account ${id}.`);
  return account;
}

/** The status, and the fields that distinguish the response. */
export function expectedResponse({ name }: Operation, request: Request, data: SandboxData, cursors: Cursors) {
  const value = bodies[name]?.(request, accountOf(data, request.header), cursors);
  if (!value) return { status: 404, value: { statusCode: 404 } };
  return { status: name === "createIncidentUpdate" ? 201 : 200, value };
}

type Body = (request: Request, account: SandboxAccount, cursors: Cursors) => object | undefined;

/** The expected body of each operation; undefined when the object doesn't exist in the account. */
const bodies: Readonly<Record<string, Body>> = {
  createIncidentUpdate({ path, body }, { statusPageIncidents }) {
    if (!statusPageIncidents.some(({ id }) => id === path["incidentId"])) return undefined;
    const { status, description, notifySubscribers = false, publicIncidentUpdateDate: date } = fieldsOf(body);
    const shown = { status, description, notifySubscribers };
    if (typeof date !== "string") return shown;
    return { ...shown, publicIncidentUpdateDate: new Date(date).toISOString() };
  },
  getIncidentUpdate: ({ path }, { statusPageIncidents }) =>
    statusPageIncidents
      .find(({ id }) => id === path["incidentId"])
      ?.incidentUpdates.find(({ id }) => id === path["incidentUpdateId"]),
  getStatusPageIncident({ path }, { statusPageIncidents }) {
    const incident = statusPageIncidents.find(({ id }) => id === path["incidentId"]);
    if (!incident) return undefined;
    // On which pages it is is not shown.
    const { statusPageIds, ...shown } = incident;
    return shown;
  },
  getIncident({ path, query }, { incidents }) {
    const incident = incidents.find(({ id }) => id === path["id"]);
    if (!incident || query["includeAllIncidentUpdates"] === "true") return incident;
    // The history is kept newest first.
    return { ...incident, incidentUpdates: incident.incidentUpdates.slice(-1) };
  },
  getAlertChannel: ({ path }, { alertChannels }) => alertChannels.find(({ id }) => String(id) === path["id"]),
  listStatusPages({ query: { limit = "20", nextId } }, { id, statusPages, statusPageIncidents }, cursors) {
    const all = cursors.get(id) ?? [];
    const start = nextId === undefined ? 0 : all.indexOf(nextId) + 1;
    const end = start + Number(limit);
    const pages = statusPages.slice(start, end);
    const incidentsOn = (page: string) =>
      statusPageIncidents.filter(({ statusPageIds }) => statusPageIds.includes(page));
    return {
      length: pages.length,
      entries: pages.map((page) => ({
        id: page.id,
        incidents: incidentsOn(page.id).map((incident) => ({ id: incident.id })),
      })),
      nextId: all[end - 1] ?? null,
    };
  },
};

export function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === "object" ? { ...body } : {};
}
