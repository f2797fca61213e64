/** Requests to the sandbox: as `docs/openapi.yaml` describes them, and with the mistakes that clients make. */
import fc from "fast-check";
import { type SandboxAccount, type SandboxData } from "../../sandbox";
import { type Operation, type Parameter } from "./document";
import { valuesOf } from "./generate";
import { type Request } from "./validation";

/** A request that is ready to be sent. */
export interface Sent extends Request {
  readonly contentType: string;
  /** Sent in place of the JSON of `body`. */
  readonly raw?: string;
}

/** What a client does to a request by mistake. */
export interface Mistake {
  readonly change: (right: Sent) => Sent;
  /** The status that is described for it; undefined where what is described of the request tells. */
  readonly status?: number;
}

type Ids = Readonly<Record<string, string>>;

/** The cursors of the list, by account. */
export type Cursors = ReadonlyMap<string, readonly string[]>;

/** The account that a request means: without the header the first one that the key opens. */
export function accountOf({ access, accounts }: SandboxData, header: Request["header"]): SandboxAccount {
  const id = header["x-service-account"] ?? access[0].accountIds[0];
  const account = accounts.find((each) => each.id === id);
  if (!account) throw new Error(`There is no account ${id}.`);
  return account;
}

export function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === "object" ? { ...body } : {};
}

/** Requests as described: most of them to objects that are there, and others, in both accounts. */
export function rightRequests(operation: Operation, data: SandboxData, cursors: Cursors) {
  const parametersIn = (place: Parameter["in"]) => operation.parameters.filter((each) => each.in === place);
  const texts = (place: Parameter["in"], text: (parameter: Parameter) => fc.Arbitrary<string>) => {
    const parameters = parametersIn(place);
    return fc.record(Object.fromEntries(parameters.map((each) => [each.name, text(each)])), {
      requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
    });
  };
  const everywhere = data.accounts.flatMap((account) => objectsIn(operation, account));
  // Each id by itself: an update may be asked for under an incident that it isn't of.
  const anyIds = texts("path", ({ name, schema }) =>
    fc.oneof(
      fc.constantFrom(...everywhere.map((ids) => ids[name] ?? "")),
      valuesOf(schema).map(String).filter(isOneSegment),
    ),
  );
  const headers = texts("header", () => fc.constantFrom(...data.accounts.map(({ id }) => id)));
  const authorization = `Bearer ${data.access[0].apiKey}`;
  return headers.chain((header) => {
    const account = accountOf(data, header);
    const there = objectsIn(operation, account);
    return fc.record({
      path: there.length > 0 ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...there) }, anyIds) : anyIds,
      // A cursor is good for the account that it was given to.
      query: texts("query", ({ name, schema }) =>
        name === "nextId"
          ? fc.constantFrom(...(cursors.get(account.id) ?? []))
          : valuesOf(schema).map(String),
      ),
      header: fc.constant({ authorization, ...header }),
      body: operation.requestBody ? valuesOf(operation.requestBody) : fc.constant(undefined),
      contentType: fc.constant("application/json"),
    });
  });
}

/** What an operation can be asked for in an account, by the ids of its path. */
export function objectsIn({ name }: Operation, account: SandboxAccount): Ids[] {
  const { alertChannels, incidents, statusPageIncidents } = account;
  switch (name) {
    case "getAlertChannel":
      return alertChannels.map(({ id }) => ({ id: String(id) }));
    case "getIncident":
      return incidents.map(({ id }) => ({ id }));
    case "getIncidentUpdate":
      return statusPageIncidents.flatMap(({ id: incidentId, incidentUpdates }) =>
        incidentUpdates.map(({ id }) => ({ incidentId, incidentUpdateId: id })),
      );
    case "listStatusPages":
      return [{}];
    default:
      return statusPageIncidents.map(({ id }) => ({ incidentId: id }));
  }
}

/** What a URL keeps as it is: not a step upwards, and no half of a character. */
function isOneSegment(id: string): boolean {
  return !/^\.{1,2}$/.test(id) && !/\p{Cs}/u.test(id);
}

const oddText = fc.oneof(
  fc.constantFrom("", "0", "-1", "101", "1.5", "x", "TRUE", "null", "2026-01-31", "2026-02-30T00:00:00Z"),
  fc.string(),
);

const oddValue = fc.oneof(
  oddText,
  fc.constantFrom(null, 0, 1.5, true, false, [], {}, "MAINTENANCE", "resolved", "RESOLVED", "INVESTIGATING"),
);

export function mistakesIn({ parameters, requestBody }: Operation): fc.Arbitrary<Mistake> {
  const header = (status: number, more: Record<string, string>) =>
    fc.constant<Mistake>({ status, change: (sent) => ({ ...sent, header: { ...sent.header, ...more } }) });
  const query = parameters.filter((each) => each.in === "query").map(({ name }) => name);
  const numbered = parameters.filter((each) => each.in === "path" && each.schema.type === "integer");
  const wrongIds = numbered.map(({ name }) =>
    fc.constantFrom("x", "1.5", "-1", "1e3").map((id): Mistake => ({
      status: 400,
      change: (sent) => ({ ...sent, path: { ...sent.path, [name]: id } }),
    })),
  );
  return fc.oneof(
    ...wrongIds,
    header(401, { authorization: "" }),
    header(401, { authorization: "Bearer some-other-key" }),
    header(403, { "x-service-account": "no-such-account" }),
    fc.tuple(fc.constantFrom(...query, "unknown"), oddText).map(([name, text]): Mistake => ({
      change: (sent) => ({ ...sent, query: { ...sent.query, [name]: text } }),
      ...(name === "nextId" && { status: 400 }),
    })),
    ...(requestBody ? mistakesInBody(Object.keys(requestBody.properties ?? {})) : []),
  );
}

function mistakesInBody(fields: string[]): fc.Arbitrary<Mistake>[] {
  type Change = (fields: Record<string, unknown>) => unknown;
  const body = (change: Change): Mistake => ({
    change: (sent) => ({ ...sent, body: change(fieldsOf(sent.body)) }),
  });
  const without = (name: string) => (all: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(all).filter(([each]) => each !== name));
  const raw = (status: number, ...texts: string[]) =>
    fc.constantFrom(...texts).map((raw): Mistake => ({ status, change: (sent) => ({ ...sent, raw }) }));
  const field = fc.constantFrom(...fields, "unknown");
  return [
    fc.tuple(field, oddValue).map(([name, value]) => body((all) => ({ ...all, [name]: value }))),
    field.map((name) => body(without(name))),
    oddValue.map((value) => body(() => value)),
    raw(400, "", "{", "{'status': 1}", "nul", '{"status": "RESOLVED",}'),
    raw(413, " ".repeat(1024 * 1024 + 1)),
    fc
      .constantFrom("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")
      .map((contentType) => ({ status: 415, change: (sent) => ({ ...sent, contentType }) })),
  ];
}
