/** The sandbox responds to every request as `docs/openapi.yaml` describes it, and according to its data. */
import fc from "fast-check";
import type { SandboxAccount, SandboxData } from "../../sandbox";
import { sandboxForEachTest } from "../lifecycles/phases";
import { type Operation, operations, responseSchema } from "./document";
import { accountOf, type Cursors, expectedResponse, fieldsOf } from "./expected";
import { exact, own, requestProblems } from "./validation";
import { mistakesIn, objectsIn, rightRequests, type Sent } from "./requests";
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

/** The cursors of the list, from one status page to the next. */
async function cursorsOf({ id, statusPages }: SandboxAccount): Promise<[account: string, cursors: string[]]> {
  const cursors: string[] = [];
  for (const page of statusPages) {
    const next = cursors.slice(-1).map((cursor) => `&nextId=${encodeURIComponent(cursor)}`);
    const response = await fetch(`${sandbox().url}/v1/status-pages?limit=1${next.join("")}`, {
      headers: { authorization: `Bearer ${sandbox().apiKey}`, "x-service-account": id },
    });
    const { entries, nextId }: { entries: { id: string }[]; nextId: string | null } = JSON.parse(
      await response.text(),
    );
    expect(entries.map((each) => each.id)).toEqual([page.id]);
    if (nextId !== null) cursors.push(nextId);
  }
  return [id, cursors];
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

const answers = new Map<string, Set<number>>();

test.each(operations)("$name: valid and invalid requests", async (operation) => {
  const { data } = sandbox();
  const statuses = new Set<number>();
  answers.set(operation.name, statuses);
  const listed = operation.parameters.some(({ name }) => name === "nextId") ? data.accounts : [];
  const cursors: Cursors = new Map(await Promise.all(listed.map(cursorsOf)));
  const right = rightRequests(operation, data, cursors);
  const mistake = fc.option(mistakesIn(operation), { nil: undefined, freq: 2 });
  const asked = { right: 0, there: 0, accounts: new Set<string>() };
  await fc.assert(
    fc.asyncProperty(right, mistake, async (request, mistake) => {
      const sent = mistake?.change(request) ?? request;
      const before = sandbox().data;
      const errorStatus = mistake?.status ?? (requestProblems(operation, sent).length > 0 ? 400 : undefined);
      const { status, value } = await send(operation, sent);
      expect({ status, value }).toMatchObject(
        errorStatus === undefined
          ? expectedResponse(operation, sent, before, cursors)
          : { status: errorStatus, value: { statusCode: errorStatus } },
      );
      const problemsOf = status < 300 ? exact : own;
      expect(problemsOf(responseSchema(operation, status), value)).toEqual([]);
      if (status === 201) expectWritten(before, sent, value);
      // The data is immutable.
      else expect(sandbox().data).toBe(before);
      statuses.add(status);
      if (errorStatus !== undefined) return;
      asked.right += 1;
      if (status >= 300) return;
      asked.there += 1;
      asked.accounts.add(accountOf(before, sent.header).id);
    }),
    { numRuns: runs(300) },
  );
  // Most requests have to be for existing objects.
  expect(asked.there).toBeGreaterThan(asked.right / 3);
  expect(asked.right).toBeGreaterThan(runs(300) / 3);
  const having = data.accounts.filter((account) => objectsIn(operation, account).length > 0);
  expect(asked.accounts).toEqual(new Set(having.map(({ id }) => id)));
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
