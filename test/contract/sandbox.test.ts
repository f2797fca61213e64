/** The sandbox is held to the description: whatever it is asked, it answers as described. */
import fc from "fast-check";
import { type Sandbox, startSandbox } from "../../sandbox";
import { type Operation, operations } from "./document";
import { answerProblems, exact, own, requestProblems } from "./judge";
import { mistakesIn, rightRequests, type Sent } from "./requests";
import { runs } from "../propertySeed";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

async function send({ method, path, requestBody }: Operation, sent: Sent) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(sent.path[name] ?? ""));
  const query = new URLSearchParams(sent.query).toString();
  const response = await fetch(sandbox.url + (query === "" ? filled : `${filled}?${query}`), {
    method,
    headers: { ...sent.header, ...(requestBody && { "content-type": sent.contentType }) },
    ...(requestBody && { body: sent.raw ?? JSON.stringify(sent.body) }),
  });
  const value: unknown = await response.json();
  return { status: response.status, value };
}

/** Cursors as the list gives them. */
async function cursors(): Promise<string[]> {
  const headers = { authorization: `Bearer ${sandbox.apiKey}` };
  const pages = [1, 2, 5, 20].map(async (limit) => {
    const response = await fetch(`${sandbox.url}/v1/status-pages?limit=${limit}`, { headers });
    const { nextId }: { nextId: string } = JSON.parse(await response.text());
    return nextId;
  });
  return Promise.all(pages);
}

const answers = new Map<string, Set<number>>();

test.each(operations)("$name: 1,000 requests, right and wrong", async (operation) => {
  const statuses = new Set<number>();
  answers.set(operation.name, statuses);
  const right = rightRequests(operation, sandbox.data, await cursors());
  const mistake = fc.option(mistakesIn(operation), { nil: undefined, freq: 2 });
  await fc.assert(
    fc.asyncProperty(right, mistake, async (request, mistake) => {
      const sent = mistake?.change(request) ?? request;
      const { status, value } = await send(operation, sent);
      const refused = mistake?.status ?? (requestProblems(operation, sent).length > 0 ? 400 : undefined);
      expect(refused === undefined ? [200, 201, 404] : [refused]).toContain(status);
      expect(answerProblems(operation, status, value, status < 300 ? exact : own)).toEqual([]);
      statuses.add(status);
    }),
    { numRuns: runs(1_000) },
  );
});

test("every kind of answer was among them", () => {
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
