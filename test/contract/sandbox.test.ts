/** The sandbox responds to every request as `docs/openapi.yaml` describes it. */
import fc from "fast-check";
import type { SandboxAccount, SandboxData } from "../../sandbox";
import { sandboxForEachTest } from "../lifecycles/phases";
import { type Operation, operations, responseSchema } from "./document";
import { exact, own, requestProblems } from "./validation";
import {
  accountOf,
  type Cursors,
  fieldsOf,
  mistakesIn,
  objectsIn,
  rightRequests,
  type Sent,
} from "./requests";
import { runs } from "../propertySeed";

const sandbox = sandboxForEachTest();

async function send({ method, path, requestBody }: Operation, sent: Sent) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(sent.path[name] ?? ""));
  const query = new URLSearchParams(sent.query).toString();
  const response = await fetch(sandbox().url + (query === "" ? filled : `${filled}?${query}`), {
    method,
    headers: { ...sent.header, ...(requestBody && { "content-type": sent.contentType }) },
    ...(requestBody && { body: sent.raw ?? JSON.stringify(sent.body) }),
  });
  const value: unknown = await response.json();
  return { status: response.status, value };
}

/** A cursor of the list. */
async function cursorsOf({ id }: SandboxAccount): Promise<[account: string, cursors: string[]]> {
  const response = await fetch(`${sandbox().url}/v1/status-pages?limit=1`, {
    headers: { authorization: `Bearer ${sandbox().apiKey}`, "x-service-account": id },
  });
  const { nextId } = (await response.json()) as { nextId: string };
  return [id, [nextId]];
}

/** The update is the newest of its incident, equals the response, and has a new id. */
function expectWritten(before: SandboxData, { path, header, body }: Sent, value: unknown): void {
  const id = path["incidentId"] ?? "";
  const history = accountOf(before, header).statusPageIncidents.find((each) => each.id === id);
  const former = history?.incidentUpdates ?? [];
  const [newest, ...older] = sandbox().incident(id).incidentUpdates;
  expect(newest).toEqual(value);
  expect(older).toEqual(former);
  expect([fieldsOf(body)["id"], ...former.map((each) => each.id)]).not.toContain(newest?.id);
}

/** The status of a request as described. */
function statusOf(operation: Operation, { path, header }: Sent, data: SandboxData): number {
  const isThere = objectsIn(operation, accountOf(data, header)).some((ids) =>
    Object.entries(ids).every(([name, id]) => path[name] === id),
  );
  if (!isThere) return 404;
  return operation.method === "POST" ? 201 : 200;
}

const answers = new Map<string, Set<number>>();

test.each(operations)("$name: valid and invalid requests", async (operation) => {
  const { data } = sandbox();
  const statuses = new Set<number>();
  answers.set(operation.name, statuses);
  const listed = operation.parameters.some(({ name }) => name === "nextId") ? data.accounts : [];
  const cursors: Cursors = new Map(await Promise.all(listed.map(cursorsOf)));
  const right = rightRequests(operation, data, cursors);
  const mistake = fc.option(mistakesIn(operation), { nil: undefined, freq: 2 });
  await fc.assert(
    fc.asyncProperty(right, mistake, async (request, mistake) => {
      const sent = mistake?.change(request) ?? request;
      const before = sandbox().data;
      const { status, value } = await send(operation, sent);
      const expected =
        mistake?.status ??
        (requestProblems(operation, sent).length > 0 ? 400 : statusOf(operation, sent, before));
      expect({ status, value }).toMatchObject({
        status: expected,
        ...(expected >= 400 && { value: { statusCode: expected } }),
      });
      const problemsOf = status < 300 ? exact : own;
      expect(problemsOf(responseSchema(operation, status), value)).toEqual([]);
      const { id: shown }: { id?: unknown } = Object(value);
      const id = Object.values(sent.path).at(-1);
      if (status === 200 && id !== undefined) expect(String(shown)).toBe(id);
      if (status === 201) expectWritten(before, sent, value);
      // The data is immutable.
      else expect(sandbox().data).toBe(before);
      statuses.add(status);
    }),
    { numRuns: runs(150) },
  );
});

test("every status occurred", () => {
  const usual = [200, 400, 401, 403, 404];
  const inOrder = [...answers].map(([name, statuses]) => [name, [...statuses].sort((a, b) => a - b)]);
  expect(Object.fromEntries(inOrder)).toEqual({
    createIncidentUpdate: [201, 400, 401, 403, 404, 413, 415],
    getIncidentUpdate: usual,
    getStatusPageIncident: usual,
    getIncident: usual,
    getAlertChannel: usual,
    listStatusPages: usual.slice(0, -1),
  });
});
