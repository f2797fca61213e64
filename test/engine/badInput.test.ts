/** Failures as the engine renders them: in plain lines, without a stack trace, and nothing is posted. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { nobodyListens } from "../client/services";
import { Service } from "./service";
import { createStack, expectFailure, repository } from "./stack";

const service = new Service();
afterEach(() => expect(service.sandbox.requests).toEqual([]));

it("every mistake in a declaration is a line with its property; a key in plain text and a misspelt setting are warnings", async () => {
  const { url, apiKey } = service.sandbox;
  const stack = await createStack({
    settings: {
      "monitoring:baseUrl": url,
      "monitoring:apiKey": apiKey,
      "monitoring:timeoutms": "1",
    },
    program: `
      const { secret } = require("@pulumi/pulumi");
      const { IncidentUpdate } = require("pulumi-monitoring-service");
      const args = { incidentId: "a/b", status: "FINE", account: "eu", descripton: "typo" };
      new IncidentUpdate("update", { ...args, description: secret("Canary \\ud83d") });`,
  });
  const run = await stack.run("up", "--yes");
  expectFailure(
    run,
    /property incidentId .* must be an id, without/,
    /property status .* must be one of INVESTIGATING, IDENTIFIED, MONITORING, RESOLVED/,
    // Without the value, which the engine would show.
    /'update' has a problem: description must be well-formed Unicode/,
    /property account .* must be a name in monitoring:accounts, which is not set/,
    /descripton is not known; expected one of incidentId, status, description,/,
    "monitoring:timeoutms is not a known setting and has no effect. Known settings: apiKey,",
    "monitoring:apiKey is stored in plain text. Run `pulumi config set --secret monitoring:apiKey`",
  );
  expect(run.output).not.toContain("Canary");
  expect(run.output).not.toContain(apiKey);
});

it("mistakes in the configuration are named when a data source needs it", async () => {
  const stack = await createStack({
    program: `const m = require("pulumi-monitoring-service");
      module.exports = async () => (await m.getOpenIncidents()).incidents;`,
    settings: { "monitoring:baseUrl": "http://status.example.com" },
  });
  expectFailure(
    await stack.run("up", "--yes"),
    "monitoring:apiKey is missing: run `pulumi config set --secret monitoring:apiKey`",
    "monitoring:baseUrl must begin with https://",
  );
});

it("the quick start ends when the service can't be reached, and on a Node that is too old", async () => {
  const stack = await createStack({
    language: "typescript",
    program: readFileSync(join(repository, "examples/quickstart/index.ts"), "utf8"),
    settings: {
      "monitoring:baseUrl": nobodyListens,
      "monitoring:apiKey!": "some-key",
      "monitoring:alertChannels": JSON.stringify({ "on-call": wellKnown.alertChannels.onCall }),
      incidentId: "some-incident",
    },
  });
  // Without an error that is made for logs it would never end, and take all memory.
  expectFailure(
    await stack.preview(),
    "error: listStatusPages: the service could not be reached (ECONNREFUSED). Check the base URL, the network and the proxy, if any.",
  );
  stack.write(
    "old.js",
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });',
  );
  stack.env["NODE_OPTIONS"] = `--require ${JSON.stringify(join(stack.folder, "old.js"))}`;
  expectFailure(
    await stack.preview(),
    "error: pulumi-monitoring-service needs Node 20 or newer; this is Node 18.20.8. Get one: https://nodejs.org",
  );
});
