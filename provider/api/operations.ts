import { z } from "zod";
import { listQuery } from "./listPage";
import { type Problem } from "../texts/problem";
import { channelIdProblem, type Id, type IdCheck, type PathParameter } from "./path";
import * as schemas from ".";

/**
 * One operation of the API. To add another, add an entry below and a method to the client.
 */
export interface Operation<Response = unknown, Path extends string = string> {
  /** Name of the client's method. */
  readonly name: string;
  readonly method: "GET" | "POST";
  /** Path below the base address, with `{names}` where ids go. */
  readonly path: Path;
  /** Why a value can't be one of its ids. Default: `idProblem`. */
  readonly idProblem?: IdCheck;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The body of a successful response. */
  readonly response: z.ZodType<Response>;
  /** Whether sending it twice has the effect of sending it once. */
  readonly idempotent: boolean;
  /** Advice for a response that is too large, where that can happen. */
  readonly whenTooLarge?: string;
}

export const operations = {
  createIncidentUpdate: {
    name: "createIncidentUpdate",
    method: "POST",
    path: "/v1/status-pages/incidents/{incidentId}/incident-updates",
    body: schemas.newIncidentUpdate,
    response: schemas.statusPageIncidentUpdate,
    idempotent: false,
  },
  getIncidentUpdate: {
    name: "getIncidentUpdate",
    method: "GET",
    path: "/v1/status-pages/incidents/{incidentId}/incident-updates/{incidentUpdateId}",
    // Some deployments leave out the id, which the request names.
    response: schemas.statusPageIncidentUpdate.partial({ id: true }),
    idempotent: true,
  },
  getStatusPageIncident: {
    name: "getStatusPageIncident",
    method: "GET",
    path: "/v1/status-pages/incidents/{incidentId}",
    response: schemas.statusPageIncident,
    idempotent: true,
  },
  getIncident: {
    name: "getIncident",
    method: "GET",
    path: "/v1/incidents/{id}",
    query: z.strictObject({
      includeAllIncidentUpdates: z.boolean({ error: "must be true or false" }).optional(),
    }),
    response: schemas.incident,
    idempotent: true,
  },
  getAlertChannel: {
    name: "getAlertChannel",
    method: "GET",
    path: "/v1/alert-channels/{id}",
    idProblem: channelIdProblem,
    response: schemas.alertChannel,
    idempotent: true,
  },
  listStatusPages: {
    name: "listStatusPages",
    method: "GET",
    path: "/v1/status-pages",
    query: listQuery,
    response: schemas.statusPageList,
    idempotent: true,
    whenTooLarge: "Ask for fewer status pages at a time, with a smaller limit.",
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** The arguments of a call: an id for each name in the path, and the query and body that the operation's schemas check. */
export interface Arguments<Path extends string> {
  readonly ids: Readonly<Record<PathParameter<Path>, Id>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Every problem that a schema finds, by property. */
export function schemaProblems(schema: z.ZodType | undefined, value: unknown): Problem[] {
  const error = schema?.safeParse(value).error;
  return error === undefined ? [] : problemsIn(error);
}

/** The same of an error that a schema has returned. */
export function problemsIn({ issues }: z.ZodError): Problem[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ property: [...issue.path, key].join("."), reason: "is not known" }))
      : [{ property: issue.path.join(".") || "arguments", reason: issue.message }],
  );
}
