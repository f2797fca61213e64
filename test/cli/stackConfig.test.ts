/** Tests the settings of a stack, which a command reads by running Pulumi. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { startTestSandbox } from "../sandbox/sandboxes";
import { temporaryFolder } from "../temporaryFolder";
import { createPulumi, run, writePulumi } from "./running";

// The tests of the guides run these commands with the real engine.
test.each<["audit" | "doctor" | "adopt", string[], string]>([
  ["audit", ["--all"], "12 channels"],
  ["doctor", [], "ok      key"],
  ["adopt", ["inc_checkout_latency"], 'incidentId: "inc_checkout_latency"'],
])("%s reads the settings of a stack through the command in --pulumi", async (command, args, printed) => {
  const { url, apiKey } = await startTestSandbox();
  const program = createPulumi({ "monitoring:baseUrl": url, "monitoring:apiKey": apiKey });
  const ended = await run(command, [...args, "--stack", "acme/dev", "--pulumi", `  ${program}  -v=0 `]);
  expect(ended.stdout).toContain(printed);
  expect(readFileSync(`${program}.log`, "utf8")).toMatch(/^-v=0 config .*--stack acme\/dev$/m);
});

test("an audit of a stack with several accounts requires the key of one account", async () => {
  const accounts = JSON.stringify({ shop: { apiKey: "mon_key", baseUrl: "https://api.example.com" } });
  const pulumi = createPulumi({ "monitoring:accounts": accounts });
  const { code, stderr } = await run("audit", ["--all", "--stack", "dev", "--pulumi", pulumi]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Use one of: shop\. Set MONITORING_API_KEY to the key of the account to audit\.\n$/);
});

test("an installed engine is used instead of the engine that npm's package would download", async () => {
  const folder = join(temporaryFolder(), "node_modules", ".bin");
  mkdirSync(folder, { recursive: true });
  const engine = writePulumi("echo 'error: no stack' >&2\nexit 255");
  copyFileSync(writePulumi("echo 'Downloading pulumi v3.265.0...' >&2\nexit 1"), join(folder, "pulumi"));
  const said = async (...folders: string[]) => {
    const environment = { PATH: [...folders, "/bin"].join(delimiter) };
    return (await run("adopt", ["inc_1", "--stack", "dev"], environment)).stderr;
  };
  expect(await said(folder, dirname(engine))).toContain("`pulumi config` failed: no stack.");
  expect(await said(folder)).toContain("`pulumi config` failed: Downloading pulumi");
});

test.each([
  [
    "a message",
    "echo \"error: no stack named 'dev' found\" >&2\nexit 255",
    /failed: no stack named 'dev' found\.\n$/,
  ],
  ["no message", "exit 255", /failed: Command failed: \S+\/pulumi config .*--stack dev\.\n$/],
])("any other failure of Pulumi with %s is shown without advice", async (_, script, shown) => {
  const { stderr } = await run("adopt", ["inc_1", "--stack", "dev", "--pulumi", writePulumi(script)]);
  expect(stderr).toMatch(shown);
});
