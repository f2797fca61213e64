/** The action in .github/actions/audit: its file is right, and its steps do what is said of them. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../provider/packageManifest";
import { sandboxWith } from "../sandbox/sandboxes";
import { ActionJob, actionOf, untrusted } from "./actionJob";
import { repository } from "../engine/stack";
import { mistakesIn } from "./checkout";
import { CodeHost } from "./codeHost";

const action = actionOf("audit");
const host = new CodeHost();
const marker = "<!-- monitoring: alert channel audit (audit.yaml) -->";

async function jobOf(given: Record<string, string> = {}): Promise<ActionJob> {
  const sandbox = await sandboxWith();
  const job = new ActionJob(action, host, sandbox, join(repository, "examples/audit-in-pipeline"));
  job.settings = {
    "inputs.base-url || env.MONITORING_BASE_URL": given["base-url"] ?? sandbox.url,
    "inputs.account-id || env.MONITORING_ACCOUNT_ID": given["account-id"] ?? "",
  };
  return job;
}

it("is an action, says GitHub's own parser", async () => {
  expect(await mistakesIn(action.file)).toEqual([]);
});

it("says which levels its input fail-on takes", () => {
  const { description } = action.inputs["fail-on"] ?? {};
  expect(description).toContain("error, warning, not-evaluable or never");
});

it("puts no input into a script, and pins other actions by their commit", () => {
  for (const { run = "", uses } of action.steps) {
    expect(run).not.toContain("${{");
    if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
  }
});

it("is used by the guide in this version, with all its inputs", () => {
  const guide = readFileSync(join(repository, "docs/guides/auditing.md"), "utf8");
  expect(guide).toContain(`- uses: OWNER/REPOSITORY/.github/actions/audit@v${version}\n`);
  for (const name of Object.keys(action.inputs)) expect(guide).toContain(`\`${name}\``);
});

it.each([
  ["its own version", {}, version],
  ["the given version", { version: "1.2.3" }, "1.2.3"],
])("installs %s where the project has none, without the key", async (_, given, expected) => {
  const job = await jobOf();
  job.program("installed", `exec "${job.path("node_modules/.bin/monitoring")}" "$@"`);
  rmSync(job.path("node_modules/pulumi-monitoring-service"), { recursive: true });
  expect(await job.do(given)).toMatchObject({ code: 1 });
  const [command = "", key] = job.read("npm.log").split("\n");
  expect(command).toMatch(/^install .*--ignore-scripts --legacy-peer-deps /);
  expect(command.split(" ").at(-1)).toBe(`pulumi-monitoring-service@${expected}`);
  expect(key).toBe("key: ");
});

it.each(untrusted)("does nothing for %s, and says so", async (_, source) => {
  const job = await jobOf();
  const { code, output } = await job.do({}, source);
  expect(code).toBe(0);
  expect(output).toMatch(/^::(notice|warning)::Nothing was done: .*\n$/);
  expect([job.sandbox.requests, host.requests]).toEqual([[], []]);
});

it("reports findings on the log, in the summary, in files and in a comment, and fails", async () => {
  const job = await jobOf();
  const { code, output } = await job.do();
  expect(code).toBe(1);
  expect(output).toMatch(/^error +4106 legacy-hook +https-hook /m);
  expect(job.output("exit-code")).toBe("1");
  const markdown = readFileSync(job.output("markdown"), "utf8");
  expect(markdown).toMatch(/^## Alert channel audit: 3 errors/);
  expect(job.read("summary.md")).toBe(markdown);
  expect(JSON.parse(readFileSync(job.output("sarif"), "utf8"))).toMatchObject({ version: "2.1.0" });
  expect(job.comments).toEqual([
    { to: "POST /repos/shop/alerts/issues/7/comments", body: `${marker}\n${markdown}` },
  ]);
});

it.each<[string, Record<string, string>, number]>([
  ["passes below the level of fail-on", { "fail-on": "never" }, 0],
  ["reports a service that it can't read", { "base-url": "http://127.0.0.1:9" }, 3],
  ["writes no report without a rule file, and says so in the comment", { rules: "none.yaml" }, 2],
])("%s", async (_, given, expected) => {
  const job = await jobOf(given);
  expect(await job.do(given)).toMatchObject({ code: expected });
  expect(job.output("exit-code")).toBe(String(expected));
  expect(job.output("markdown") !== "").toBe(expected !== 2);
  expect(job.comments.at(-1)?.body.includes("## No alert channel audit (none.yaml) of abc1234")).toBe(
    expected === 2,
  );
});

it("goes on when GitHub rejects the comment, with a warning", async () => {
  host.respond = () => ({ status: 403, body: { message: "Resource not accessible by integration" } });
  const { code, output } = await (await jobOf()).do({ "fail-on": "never" });
  expect(code).toBe(0);
  expect(output).toMatch(/^::warning::The comment was not written: HTTP 403: /m);
});

it("uploads also after findings, as far as there is a report", () => {
  const upload = action.steps.find(({ uses }) => uses !== undefined);
  expect(upload?.if).toMatch(/!cancelled\(\) && .* steps\.audit\.outputs\.sarif != ''/);
  expect(upload?.with?.["sarif_file"]).toBe("${{ steps.audit.outputs.sarif }}");
});
