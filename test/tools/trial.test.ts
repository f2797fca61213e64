/** Tests `npm run trial` in a separate process, against a sandbox over real HTTP. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type FaultInput, seedData, wellKnown } from "../../sandbox";
import { start } from "../../tools/setup/run";
import { repository } from "../engine/stack";
import { ask, sandboxForEachTest } from "../sandbox/sandboxes";

const { shop } = wellKnown.componentPages;
const service = sandboxForEachTest();

function startTrial(args = ["--page", shop, "--allow-subscribers"], environment: NodeJS.ProcessEnv = {}) {
  const { url, apiKey } = service();
  const env = { ...process.env, MONITORING_BASE_URL: url, MONITORING_API_KEY: apiKey, ...environment };
  return start(process.execPath, ["tools/trial/index.js", ...args], { cwd: repository, env });
}

const listTestIncidents = () =>
  service()
    .data.accounts.flatMap(({ componentPages }) => componentPages.flatMap(({ incidents }) => incidents))
    .filter(({ name }) => name.startsWith("Test of the API"));

function expectResolvedIncident(output: string) {
  const [incident] = listTestIncidents();
  expect(incident?.incidentUpdates[0]?.status).toBe("RESOLVED");
  expect(incident?.componentImpacts.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  expect(output).toContain(`on the page ${shop} is resolved, but still public. Delete it in the dashboard.`);
}

it("a trial without an account prints a dated transcript that contains no IDs, names and keys", async () => {
  const { code, stdout } = await startTrial(["--sandbox"]).ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^# Trial of [\d-]{10}\n\nRecorded at .*Z on 127\.0\.0\.1:\d+ with pulumi-mon/);
  expect(stdout).toContain("- Update: are its date and characters kept: yes\n");
  expect(stdout).toContain("- RESOLVED: does it end the impacts: yes\n");
  expect(stdout).toContain("- PUT /v3/status-pages/p1/incidents/i1/incident-updates/u2: 200\n");
  expect(stdout).not.toMatch(/page_|quillmarket|mon_sandbox|[\da-f]{8}-[\da-f]{4}/i);
});

it("a trial records late reads and the headers of HTTP 429, emails no one, and resolves the incident", async () => {
  const emailed = service().emailsSent();
  const limited = { code: 429, headers: { "retry-after": "0.01" }, times: 1 };
  service().faults.add({ kind: "lateVisibility", operation: "openComponentPageIncident", reads: 2 });
  service().faults.add({ kind: "status", operation: "listComponents", ...limited });
  const { code, stdout, output } = await startTrial().ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/Opening: is the list late: yes, shown by read 3 after \d+ ms\n/);
  expect(stdout).toContain("- Header with 429: `retry-after: 0.01`\n");
  expectResolvedIncident(output);
  expect(service().emailsSent()).toBe(emailed);
});

const forbid = (operation: string) => ({ kind: "status", code: 403, operation }) as FaultInput;
const createPageFault = (subscriberCount: number): FaultInput => ({
  kind: "answer",
  operation: "getComponentPage",
  body: JSON.stringify({ id: shop, name: "Shop", subscriberCount }),
});
const pageWithCards = seedData().accounts[0].statusPages[0]?.id ?? "";

it.each<[string, string, { args?: string[]; fault?: FaultInput; environment?: NodeJS.ProcessEnv }]>([
  ["no page", "--page is missing. Run `npm run trial -- --page ID`", { args: [] }],
  ["no key", "MONITORING_API_KEY is missing: run", { environment: { MONITORING_API_KEY: "" } }],
  ["an unknown page", "getComponentPage nowhere: not found", { args: ["--page", "nowhere"] }],
  ["a page with cards", "the page has cards", { args: ["--page", pageWithCards] }],
  ["unknown subscribers", "doesn't show whether the page has subscribers", { args: ["--page", shop] }],
  ["subscribers", "shows that the page has", { args: ["--page", shop], fault: createPageFault(3) }],
  ["a page that can't be read", "permission denied", { fault: forbid("getComponentPage") }],
  ["a page that can't be written", "permission denied", { fault: forbid("openComponentPageIncident") }],
  ["no service", "could not be reached", { environment: { MONITORING_BASE_URL: "http://127.0.0.1:1" } }],
])("a trial with %s fails and posts nothing", async (_, message, { args, fault, environment }) => {
  if (fault) service().faults.add(fault);
  const { code, stdout, output } = await startTrial(args, environment).ended;
  expect({ code, stdout, output }).toEqual({ code: 1, stdout: "", output: expect.stringContaining(message) });
  expect(service().requests.some(({ applied }) => applied)).toBe(false);
});

it.each<FaultInput>([
  forbid("editComponentPageIncidentUpdate"),
  { kind: "cut", operation: "openComponentPageIncident" },
  { kind: "reset", operation: "createComponentPageIncidentUpdate", times: 1 },
])("a trial resolves its incident after the fault $kind in $operation", async (fault) => {
  service().faults.add(fault);
  const { code, stdout, output } = await startTrial().ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining("\n- Failure: ") });
  expectResolvedIncident(output);
});

it("an interrupted trial resolves its incident and exits with code 130", async () => {
  service().faults.add({ kind: "hang", operation: "openComponentPageIncident", applied: true });
  const { child, ended } = startTrial();
  const isWaiting = () => listTestIncidents().length === 0 && child.exitCode === null;
  while (isWaiting()) await ask(service(), "/_sandbox/requests");
  // The terminal sends the signal, and npm forwards it.
  for (let count = 0; count < 2; count++) child.kill("SIGINT");
  const { code, output } = await ended;
  expect(code).toBe(130);
  expectResolvedIncident(output);
});

it("a trial on a page without subscribers deletes its incident if the service can", async () => {
  service().faults.add(createPageFault(0));
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url = "" } = request;
    if (method === "DELETE")
      service().dashboard.change(({ accounts: [{ componentPages }] }) => {
        for (const page of componentPages)
          page.incidents = page.incidents.filter(({ id }) => !url.endsWith(id));
      });
    const headers = { "content-type": "application/json" };
    const body = method === "GET" ? undefined : await text(request);
    const answer = await ask(service(), url, { method, headers, body });
    response.writeHead(method === "DELETE" ? 204 : answer.status, headers).end(await answer.text());
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const environment = { MONITORING_BASE_URL: `http://127.0.0.1:${port}` };
  const { code, output } = await startTrial(["--page", shop], environment).ended;
  server.close();
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/ was deleted\.\n$/) });
  expect(listTestIncidents()).toEqual([]);
});
