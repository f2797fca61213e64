/** A program that can't begin says in plain lines what is wrong, and ends. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { nobodyListens } from "../client/services";
import { repository, type Run, Stack } from "./stack";

const quickStart = readFileSync(join(repository, "examples/quickstart/index.ts"), "utf8");

let stack: Stack;

beforeEach(async () => {
  stack = await Stack.create({
    language: "typescript",
    program: quickStart,
    config: {
      "monitoring:baseUrl": nobodyListens,
      "monitoring:apiKey!": "some-key",
      "monitoring:alertChannels": JSON.stringify({ "on-call": wellKnown.alertChannels.onCall }),
      incidentId: "some-incident",
    },
  });
});
afterEach(() => stack.remove());

const expectFailure = ({ code, output }: Run, said: string): void => {
  expect(code).not.toBe(0);
  expect(output).toContain(said);
  expect(output).not.toMatch(/^\s+at .*:\d+:\d+/m);
};

it("when the service can't be reached", async () => {
  // Once, it never ended, and took all memory: see `fitForLog`.
  expectFailure(
    await stack.preview(),
    "error: listStatusPages: the service could not be reached (ECONNREFUSED). Check the base URL, the network and the proxy, if any.",
  );
});

it("when Node is too old", async () => {
  const pretend = join(stack.folder, "old.js");
  writeFileSync(
    pretend,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });',
  );
  stack.setEnvironment({ NODE_OPTIONS: `--require ${JSON.stringify(pretend)}` });
  expectFailure(
    await stack.preview(),
    "error: pulumi-monitoring-service needs Node 20 or newer; this is Node 18.20.8. Get one: https://nodejs.org",
  );
});
