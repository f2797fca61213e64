import { type Sandbox, startSandbox, wellKnown } from "../../sandbox";
import { Stack } from "./stack";

const incidentId = wellKnown.statusPageIncidents.checkoutLatency;

const declares = (args: object): string => `
const { IncidentUpdate } = require("pulumi-monitoring-service");
new IncidentUpdate("update", ${JSON.stringify(args)});
`;
const good = { incidentId, status: "MONITORING", description: "We are watching it." };

let sandbox: Sandbox;
const stacks: Stack[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => {
  // Whatever was wrong, the service was not asked to do anything.
  expect(sandbox.requests.filter(({ method }) => method === "POST")).toEqual([]);
});
afterAll(async () => {
  for (const stack of stacks) stack.remove();
  await sandbox.close();
});

async function upOf(
  program: string,
  config: Record<string, string> = {},
  configured = true,
): Promise<string> {
  const stack = await Stack.create({ program, config, ...(configured && { sandbox }) });
  stacks.push(stack);
  const { code, output } = await stack.run("up", "--yes");
  expect(code).not.toBe(0);
  expect(output).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return output;
}

it("names every mistake in a declaration, by property, in a line each", async () => {
  const output = await upOf(
    `const { secret } = require("@pulumi/pulumi");
       const { IncidentUpdate } = require("pulumi-monitoring-service");
       const args = { incidentId: "a/b", status: "FINE", account: "eu", descripton: "typo" };
       new IncidentUpdate("update", { ...args, description: secret("Canary \\ud83d") });`,
  );
  expect(output).toMatch(/property incidentId .* must be an id, without/);
  expect(output).toMatch(/property status .* must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED/);
  // What the engine makes of half a character, and without the value, which it would show.
  expect(output).toMatch(/'update' has a problem: description must be well-formed Unicode/);
  expect(output).not.toContain("Canary");
  expect(output).toMatch(/property account .* must be a name in monitoring:accounts, which is not set/);
  expect(output).toMatch(/descripton is not known; known are incidentId, status, description,/);
});

it("names every mistake in the configuration, with the command that mends it", async () => {
  const output = await upOf(
    declares(good),
    { "monitoring:baseUrl": "http://status.example.com", "monitoring:timeoutMs": "soon" },
    false,
  );
  expect(output).toContain(
    "monitoring:apiKey is missing: run `pulumi config set --secret monitoring:apiKey`, or set MONITORING_API_KEY",
  );
  expect(output).toContain("monitoring:baseUrl must begin with https://");
  expect(output).toContain("monitoring:timeoutMs must be a whole number from 1 to");
});

it("says the same when a data source needs the configuration first", async () => {
  const output = await upOf(
    `const { getOpenIncidents } = require("pulumi-monitoring-service");
     module.exports = async () => (await getOpenIncidents()).incidents;`,
    {},
    false,
  );
  expect(output).toContain(
    "monitoring:apiKey is missing: run `pulumi config set --secret monitoring:apiKey`",
  );
  expect(output).toContain("monitoring:baseUrl is missing: run `pulumi config set monitoring:baseUrl`");
});

it("refuses the same words twice, with both names, before anything is created", async () => {
  const output = await upOf(declares(good) + `new IncidentUpdate("again", ${JSON.stringify(good)});`);
  expect(output).toContain(
    'IncidentUpdate "again": "update" declares an identical update on the same incident. To post it twice, set occurrence: 2 and dependsOn on this one.',
  );
});

it("says that an update can't be imported, and what to do instead", async () => {
  const output = await upOf(
    `const { IncidentUpdate } = require("pulumi-monitoring-service");
     new IncidentUpdate("update", ${JSON.stringify(good)}, { import: "${incidentId}/some-update" });`,
  );
  expect(output).toContain(
    'IncidentUpdate "update": an update that exists can\'t be imported. Read it with IncidentUpdate.get',
  );
});

it("lists the alert channels that have a name, when a program asks for another", async () => {
  const output = await upOf(
    `const { getAlertChannel } = require("pulumi-monitoring-service");
     module.exports = async () => getAlertChannel({ name: "on-cal" });`,
    { "monitoring:alertChannels": JSON.stringify({ "on-call": 4101, billing: 4102 }) },
  );
  expect(output).toContain(
    'getAlertChannel with name "on-cal" in monitoring:alertChannels: not found. Available: on-call, billing.',
  );
});

it("warns of an API key that is stored in plain text, and never shows it, and of misspelt settings", async () => {
  const stack = await Stack.create({
    program: declares({ ...good, status: "FINE" }),
    config: {
      "monitoring:baseUrl": sandbox.url,
      "monitoring:apiKey": sandbox.apiKey,
      "monitoring:timeoutms": "1",
    },
  });
  stacks.push(stack);
  const { output } = await stack.preview();
  expect(output).toContain(
    "monitoring:timeoutms is not a known setting and has no effect. Known settings: apiKey,",
  );
  expect(output).toContain(
    "monitoring:apiKey is stored in plain text. Run `pulumi config set --secret monitoring:apiKey`",
  );
  expect(output).not.toContain(sandbox.apiKey);
});
