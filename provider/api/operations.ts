/** Defines the operations of the API: paths, arguments, responses, and accepted IDs. */
import { z } from "zod";
import { boolean, filledString, strictObject, wholeNumber } from "../problems";
import * as objects from "./objects";
import * as bodies from "./requestBodies";

/** Identifier of an object: a number for alert channels, otherwise a string. */
export type Id = string | number;

/** Returns why a value can't be an identifier; undefined if it can. */
export type IdValidator = (id: unknown) => string | undefined;

/** The names in braces in a path template: `id` in `"/v1/alert-channels/{id}"`. */
type PathParameter<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

const longestId = 256;

/** Characters that no ID contains, because they would change the path of a request or be invisible in a log. */
const neverInAnId = /[/\\?#%\s\p{C}]/u;

/**
 * Returns why `id` can't be an identifier; undefined if it can. Rejects malicious IDs instead of encoding them, because a server that
 * decodes twice would read `%2e%2e` as the parent folder.
 */
export function validateId(id: unknown): string | undefined {
  if (typeof id === "number") {
    return Number.isSafeInteger(id) && id >= 0
      ? undefined
      : "must be a string or a whole number of 0 or more";
  }
  if (typeof id !== "string") return "must be an ID (a string or a whole number)";
  if (id === "") return "must not be empty";
  if (id.length > longestId) return `must have at most ${longestId} characters`;
  if (id === "." || id === ".." || neverInAnId.test(id)) {
    return "must be an ID without white space, control characters or any of / \\ ? # %";
  }
  return undefined;
}

/** Checks the ID of an alert channel: a whole number, or a string of digits. */
export function validateChannelId(id: unknown): string | undefined {
  if (typeof id !== "string" || /^\d{1,15}$/.test(id)) return validateId(id);
  return validateId(id) ?? "must be the ID of an alert channel (a whole number)";
}

/** One operation of the API. CONTRIBUTING.md lists the steps to add an operation. */
export interface Operation<Response = unknown, Path extends string = string> {
  /** Name of the client's method. */
  readonly name: string;
  /** `GET` for a read, which can be repeated without an effect; otherwise a write. */
  readonly method: "GET" | "POST" | "PUT";
  /** Path below the base URL, with the names of IDs in braces. */
  readonly path: Path;
  /** Checks its IDs. Default: `validateId`. */
  readonly validateId?: IdValidator;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The body of a successful response. */
  readonly response: z.ZodType<Response>;
  /** Advice for a response that is too large. Only for operations with large responses. */
  readonly whenTooLarge?: string;
  /** Advice for HTTP 404. By default, the message is about the ID in the path. */
  readonly whenNotFound?: string;
}

/** Limits of the page size of a list, and the size that the service uses by default. */
export const pageSize = { least: 1, most: 100, usual: 20 } as const;

/** Selects a page of a list, and its size. */
export interface ListQuery extends z.output<typeof listQuery> {}

const limit = wholeNumber(pageSize.least, pageSize.most).optional();

const listQuery = strictObject({
  /** Size of a page, 1 to 100. Default: 20. */
  limit,
  /** Cursor from the previous page. Default: the first page. */
  nextId: filledString("must be the nextId of the previous page").optional(),
});

const numberedListQuery = z.strictObject({
  limit,
  page: wholeNumber(1).optional(),
});

/** Default size of a numbered page. */
export const numberedPageSize = 10;

const notWithComponents =
  "Check `statusPageId`. The ID may belong to a different account or to a page with cards, whose incidents don't use `statusPageId`.";

const notWithCards =
  "If the incident is on a status page with components, also set `statusPageId`. Otherwise, the ID may belong to a different " +
  "account. Check the account ID and the base URL.";

export const operations = {
  createIncidentUpdate: {
    name: "createIncidentUpdate",
    method: "POST",
    path: "/v1/status-pages/incidents/{incidentId}/incident-updates",
    body: bodies.newIncidentUpdate,
    response: objects.statusPageIncidentUpdate,
    whenNotFound: notWithCards,
  },
  getIncidentUpdate: {
    name: "getIncidentUpdate",
    method: "GET",
    path: "/v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}",
    // Some deployments omit the ID, but it is known from the request.
    response: objects.statusPageIncidentUpdate.partial({ id: true }),
    whenNotFound: notWithCards,
  },
  getStatusPageIncident: {
    name: "getStatusPageIncident",
    method: "GET",
    path: "/v1/status-pages/incidents/{incidentId}",
    response: objects.statusPageIncident,
    whenNotFound: notWithCards,
  },
  getIncident: {
    name: "getIncident",
    method: "GET",
    path: "/v1/incidents/{id}",
    query: z.strictObject({
      includeAllIncidentUpdates: boolean.optional(),
    }),
    response: objects.incident,
  },
  getAlertChannel: {
    name: "getAlertChannel",
    method: "GET",
    path: "/v1/alert-channels/{id}",
    validateId: validateChannelId,
    response: objects.alertChannel,
  },
  listAlertChannels: {
    name: "listAlertChannels",
    method: "GET",
    path: "/v1/alert-channels",
    query: numberedListQuery,
    response: objects.alertChannelList,
    whenTooLarge: "Set a smaller `limit`, so that each page of the list contains fewer alert channels.",
    whenNotFound:
      "This service doesn't list alert channels (GET /v1/alert-channels). Add their IDs under `channels` in a rule file or to " +
      "the setting alertChannels. If the service does list channels, check the base URL.",
  },
  listStatusPages: {
    name: "listStatusPages",
    method: "GET",
    path: "/v1/status-pages",
    query: listQuery,
    response: objects.statusPageList,
    whenTooLarge: "Set a smaller `limit`, so that each page of the list contains fewer status pages.",
  },
  listComponentPages: {
    name: "listComponentPages",
    method: "GET",
    path: "/v3/status-pages",
    query: listQuery,
    response: objects.componentPageList,
    whenTooLarge: "Set a smaller `limit`, so that each page of the list contains fewer status pages.",
    whenNotFound: "This service has no status pages with components (GET /v3/status-pages).",
  },
  getComponentPage: {
    name: "getComponentPage",
    method: "GET",
    path: "/v3/status-pages/{statusPageId}",
    response: objects.componentPage,
    whenNotFound: notWithComponents,
  },
  listComponents: {
    name: "listComponents",
    method: "GET",
    path: "/v3/status-pages/{statusPageId}/components",
    query: listQuery,
    response: objects.componentList,
    whenNotFound: notWithComponents,
  },
  listComponentPageIncidents: {
    name: "listComponentPageIncidents",
    method: "GET",
    path: "/v3/status-pages/{statusPageId}/incidents",
    query: listQuery,
    response: objects.componentPageIncidentList,
    whenTooLarge: "Set a smaller `limit`, so that each page of the list contains fewer incidents.",
    whenNotFound: notWithComponents,
  },
  openComponentPageIncident: {
    name: "openComponentPageIncident",
    method: "POST",
    path: "/v3/status-pages/{statusPageId}/incidents",
    body: bodies.newComponentPageIncident,
    response: objects.componentPageIncident,
    whenNotFound: notWithComponents,
  },
  getComponentPageIncident: {
    name: "getComponentPageIncident",
    method: "GET",
    path: "/v3/status-pages/{statusPageId}/incidents/{incidentId}",
    response: objects.componentPageIncident,
    whenNotFound: notWithComponents,
  },
  editComponentPageIncident: {
    name: "editComponentPageIncident",
    method: "PUT",
    path: "/v3/status-pages/{statusPageId}/incidents/{incidentId}",
    body: bodies.editedComponentPageIncident,
    response: objects.componentPageIncident,
    whenNotFound: notWithComponents,
  },
  createComponentPageIncidentUpdate: {
    name: "createComponentPageIncidentUpdate",
    method: "POST",
    path: "/v3/status-pages/{statusPageId}/incidents/{incidentId}/incident-updates",
    body: bodies.newComponentPageUpdate,
    response: objects.statusPageIncidentUpdate,
    whenNotFound: notWithComponents,
  },
  getComponentPageIncidentUpdate: {
    name: "getComponentPageIncidentUpdate",
    method: "GET",
    path: "/v3/status-pages/{statusPageId}/incidents/{incidentId}/incident-updates/{incidentUpdateId}",
    response: objects.statusPageIncidentUpdate.partial({ id: true }),
    whenNotFound: notWithComponents,
  },
  editComponentPageIncidentUpdate: {
    name: "editComponentPageIncidentUpdate",
    method: "PUT",
    path: "/v3/status-pages/{statusPageId}/incidents/{incidentId}/incident-updates/{incidentUpdateId}",
    body: bodies.editedComponentPageUpdate,
    response: objects.statusPageIncidentUpdate.partial({ id: true }),
    whenNotFound: notWithComponents,
  },
} as const satisfies Record<string, Operation>;

/** The arguments of a call: an ID for each name in the path, and the query and body, which the schemas of the operation check. */
export interface Arguments<Path extends string> {
  readonly ids: Readonly<Record<PathParameter<Path>, Id>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The service and the account of an object or a request. The state of a resource also contains it. */
export const originSchema = z.object({
  host: z.string(),
  /** Path between the host and the paths of the API, such as `/tenant`, or `/`. */
  path: z.string(),
  /** Undefined when the key determines the account. */
  accountId: z.string().optional(),
});

export type Origin = Readonly<z.output<typeof originSchema>>;

/** @param baseUrl Base URL of the service, with or without trailing slashes. */
export function createOrigin(baseUrl: string, accountId?: string): Origin {
  const { host, pathname } = new URL(baseUrl);
  return { host, path: pathname.replace(/(?<=.)\/+$/, ""), ...(accountId !== undefined && { accountId }) };
}

/** Formats an origin, such as `account a1 on api.example.com/tenant`. */
export function formatOrigin({ host, path, accountId }: Origin): string {
  const service = path === "/" ? host : host + path;
  return accountId === undefined ? service : `account ${accountId} on ${service}`;
}
