/** Runs the programs in `examples/reference`, which the reference shows, as one stack on the real engine. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { transformSync } from "esbuild";
import { operations } from "../../provider/api";
import { type Sandbox, startSandbox } from "../../sandbox";
import { run } from "../../tools/setup/run";
import { createStack, type Ended, toEnvironment, repository, type Stack } from "../engine/stack";
import { Page, withoutIdsAndTimes } from "./markdown";

const folder = join(repository, "examples", "reference");
const readPage = (name: string): Page => new Page(`docs/reference/${name}.md`);
const readExample = (file: string): string => readFileSync(join(folder, file), "utf8");
const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
const names = files.map((file) => basename(file, ".ts")).filter((name) => name !== "MonitoringClient");

let sandbox: Sandbox;
let stack: Stack;
let outputs: Record<string, unknown>;
let sent: Set<string>;
const runs: Record<string, Ended> = {};

beforeAll(async () => {
  sandbox = await startSandbox();
  const program = names.map((name) => `export * as ${name} from "./${name}";\n`).join("");
  // The types are checked elsewhere, because checking them in each run would take seconds.
  const env = { ...toEnvironment(sandbox), PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  stack = await createStack({ program, language: "typescript", env });
  for (const file of files) stack.write(file, readExample(file));
  runs["up"] = await stack.up();
  outputs = await stack.outputs();
  runs["up again"] = await stack.up("--refresh", "--expect-no-changes");
  sent = new Set(sandbox.requests.map(({ operation }) => String(operation)));
});

afterAll(() => sandbox.close());

it.each(["up", "up again"])(
  "all examples run in one stack, and a second run has nothing to change: %s",
  (name) => {
    expect(runs[name]).toMatchObject({ ok: true });
  },
);

it.each(names)("an example has the outputs that the reference shows: %s", (name) => {
  const shown = readPage(name).blockAfter("Its outputs");
  const [given, expected] = [JSON.stringify(outputs[name]), shown].map((text): unknown =>
    JSON.parse(withoutIdsAndTimes(text)),
  );
  expect(given).toEqual(expected);
});

it("examples post their declared updates once, over all runs", () => {
  const posts = sandbox.requests.filter(({ method }) => method === "POST");
  // The posts are four updates, an incident, and the update that resolves it.
  expect(posts.map(({ body }) => body)).toHaveLength(6);
});

it("examples send only the requests that their pages list", () => {
  const requests = names.map((name) => readPage(name).text.split("\n## Requests\n")[1]).join();
  for (const { name } of Object.values(operations))
    if (sent.has(name)) expect(requests).toContain(`\`${name}\``);
});

it("an example calls the service without Pulumi", async () => {
  const { code } = transformSync(readExample("MonitoringClient.ts"), { loader: "ts", format: "cjs" });
  stack.write("client.js", code);
  const { stdout } = await run(process.execPath, [join(stack.folder, "client.js")], {
    env: { ...process.env, MONITORING_BASE_URL: sandbox.url, MONITORING_API_KEY: sandbox.apiKey },
  });
  const open = sandbox.data.accounts[0].statusPageIncidents.filter(
    ({ incidentUpdates: [latest] }) => latest?.status !== "RESOLVED",
  );
  expect(Number(stdout)).toBe(open.length);
});
