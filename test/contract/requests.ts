/** Requests to the sandbox: as `docs/openapi.yaml` describes them, and with the mistakes that clients make. */
import fc from "fast-check";
import { type SandboxData, wellKnown } from "../../sandbox";
import { type Operation, type Parameter } from "./document";
import { valuesOf } from "./generate";
import { type Request } from "./judge";

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

const { accounts, alertChannels, incidents, statusPageIncidents } = wellKnown;

/** Requests as described: to objects that are there and to others, in both accounts. */
export function rightRequests(
  operation: Operation,
  { accounts: all, access }: SandboxData,
  cursors: string[],
) {
  const updates = all.flatMap(({ statusPageIncidents: some }) =>
    some.flatMap(({ incidentUpdates }) => incidentUpdates.map(({ id }) => id)),
  );
  const text = ({ name, in: place, schema }: Parameter): fc.Arbitrary<string> => {
    if (name === "nextId") return fc.constantFrom(...cursors);
    if (place === "header") return fc.constantFrom(...accountsFor(operation));
    const any = valuesOf(schema).map(String);
    if (place === "query") return any;
    const there = fc.constantFrom(...idsOf(operation.name, name, updates));
    return fc.oneof({ weight: 4, arbitrary: there }, { weight: 1, arbitrary: any.filter(isOneSegment) });
  };
  const texts = (place: Parameter["in"]) => {
    const parameters = operation.parameters.filter((each) => each.in === place);
    return fc.record(Object.fromEntries(parameters.map((each) => [each.name, text(each)])), {
      requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
    });
  };
  const authorization = `Bearer ${access[0].apiKey}`;
  return fc.record({
    path: texts("path"),
    query: texts("query"),
    header: texts("header").map((more) => ({ authorization, ...more })),
    body: operation.requestBody ? valuesOf(operation.requestBody) : fc.constant(undefined),
    contentType: fc.constant("application/json"),
  });
}

/** A cursor is good for the account that it was given to. */
function accountsFor({ name }: Operation): string[] {
  return name === "listStatusPages" ? [accounts.quillmarket] : Object.values(accounts);
}

function idsOf(operation: string, parameter: string, updates: string[]): string[] {
  if (operation === "getAlertChannel") return Object.values(alertChannels).map(String);
  if (operation === "getIncident") return Object.values(incidents);
  return parameter === "incidentId" ? Object.values(statusPageIncidents) : updates;
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
  return fc.oneof(
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

function fieldsOf(body: unknown): Record<string, unknown> {
  return typeof body === "object" ? { ...body } : {};
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
