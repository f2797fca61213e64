/** The action in .github/actions/audit: its file is right, and its steps do what is said of them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { sandboxWith } from "../sandbox/sandboxes";
import { CodeHost } from "./codeHost";
import { Checkout, type Ended, mistakesIn, repository, type Step } from "./checkout";

const folder = join(repository, ".github/actions/audit");
const file = join(folder, "action.yml");
const { inputs, runs } = parse(readFileSync(file, "utf8")) as {
  inputs: Record<string, { default: string }>;
  runs: { steps: Step[] };
};
const [install, audit, comment, upload] = runs.steps as [Step, Step, Step, Step];
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
const comments = "repos/shop/alerts/issues/7/comments";
const host = new CodeHost();

/** A job that uses the action, in a pull request. */
class Job extends Checkout {
  static async start(): Promise<Job> {
    const job = new Job(await sandboxWith(), join(repository, "examples/audit-in-pipeline"));
    job.program(
      "bin/npm",
      'printf "%s\\n" "$*" "key: $MONITORING_API_KEY" > npm.log\nbin="$RUNNER_TEMP/monitoring/node_modules/.bin"\n' +
        'mkdir -p "$bin"\nln -sf "$PWD/node_modules/.bin/monitoring" "$bin"',
    );
    return job;
  }

  /** A job after its audit, with these inputs and this key. */
  static async audited(given?: Record<string, string>, key?: string): Promise<[Job, Ended]> {
    const job = await Job.start();
    await job.do(install);
    return [job, await job.do(audit, given, key)];
  }

  /** Runs a step with these inputs. */
  do(step: Step, given: Record<string, string> = {}, key = this.sandbox.apiKey): Promise<Ended> {
    const values = Object.entries(inputs).map(([name, { default: value }]) => [name, given[name] ?? value]);
    const settings = Object.fromEntries([
      ...values.map(([name, value]) => [`inputs.${name}`, value]),
      ["inputs.base-url || env.MONITORING_BASE_URL", given["base-url"] ?? this.sandbox.url],
      ["inputs.account-id || env.MONITORING_ACCOUNT_ID", given["account-id"] ?? ""],
      ["github.event.pull_request.number", "7"],
      ["steps.audit.outputs.markdown", this.output("markdown")],
    ]) as Record<string, string>;
    return this.step(step, settings, {
      GITHUB_ACTION_PATH: folder,
      GITHUB_API_URL: host.url,
      GITHUB_OUTPUT: this.path("outputs"),
      GITHUB_REPOSITORY: "shop/alerts",
      RUNNER_TEMP: this.folder,
      MONITORING_API_KEY: key,
    });
  }

  /** An output of the audit; empty when it has none. */
  output(name: string): string {
    const text = existsSync(this.path("outputs")) ? this.read("outputs") : "";
    return new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1] ?? "";
  }
}

it("is an action, says GitHub's own parser", async () => {
  expect(await mistakesIn(file)).toEqual([]);
});

it("puts no input into a script, and pins other actions by their commit", () => {
  for (const { run = "", uses } of runs.steps) {
    expect(run).not.toContain("${{");
    if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
  }
});

it("is used by the guide in this version, with all its inputs", () => {
  const guide = readFileSync(join(repository, "docs/guides/auditing.md"), "utf8");
  expect(guide).toContain(`- uses: OWNER/REPOSITORY/.github/actions/audit@v${version}\n`);
  for (const name of Object.keys(inputs)) expect(guide).toContain(`\`${name}\``);
});

it.each([
  ["its own version", {}, version],
  ["the given version", { version: "1.2.3" }, "1.2.3"],
])("installs %s, without the key", async (_, given, expected) => {
  const job = await Job.start();
  expect(await job.do(install, given)).toMatchObject({ code: 0 });
  const [command = "", key] = job.read("npm.log").split("\n");
  expect(command).toMatch(/^install .*--ignore-scripts --legacy-peer-deps /);
  expect(command.split(" ").at(-1)).toBe(`pulumi-monitoring-service@${expected}`);
  expect(key).toBe("key: ");
});

it("reports findings on the log, in the summary and in files, and fails", async () => {
  const [job, { code, output }] = await Job.audited();
  expect(code).toBe(1);
  expect(output).toMatch(/^error +4106 legacy-hook +https-hook /m);
  expect(job.output("exit-code")).toBe("1");
  const markdown = readFileSync(job.output("markdown"), "utf8");
  expect(markdown).toMatch(/^## Alert channel audit: 3 errors/);
  expect(job.read("summary.md")).toBe(markdown);
  expect(JSON.parse(readFileSync(job.output("sarif"), "utf8"))).toMatchObject({ version: "2.1.0" });
});

it.each<[string, Record<string, string>, string | undefined, number]>([
  ["passes below the level of fail-on", { "fail-on": "never" }, undefined, 0],
  ["reports a rejected key", {}, "mon_nobodys_key", 3],
  ["writes no report without a key", {}, "", 2],
  ["writes no report without a rule file", { rules: "none.yaml" }, undefined, 2],
])("%s", async (_, given, key, expected) => {
  const [job, { code }] = await Job.audited(given, key);
  expect(code).toBe(expected);
  expect(job.output("exit-code")).toBe(String(expected));
  expect(job.output("markdown") !== "").toBe(expected !== 2);
});

it("creates one comment, and updates it in later runs", async () => {
  const [job] = await Job.audited();
  expect(await job.do(comment)).toEqual({ code: 0, output: "" });
  const marker = "<!-- alert channel audit: audit.yaml -->";
  const body = `${marker}\n${readFileSync(job.output("markdown"), "utf8")}`;
  expect(body).toContain("## Alert channel audit: 3 errors");
  expect(host.requests[1]).toMatchObject({
    method: "POST",
    url: `/${comments}`,
    body: JSON.stringify({ body }),
  });

  host.respond = () => ({ body: [{ id: 42, user: { type: "Bot" }, body: `${marker}\nOld.` }] });
  expect(await job.do(comment)).toEqual({ code: 0, output: "" });
  expect(host.requests.at(-1)).toMatchObject({
    method: "PATCH",
    url: "/repos/shop/alerts/issues/comments/42",
  });
});

it("warns when GitHub rejects the comment", async () => {
  const [job] = await Job.audited();
  host.respond = () => ({ status: 403, body: { message: "Resource not accessible by integration" } });
  expect(await job.do(comment)).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^::warning::The comment was not written: HTTP 403: .* It is in the summary of the job\.\n$/,
    ),
  });
});

it("comments and uploads also after findings, as far as there is a report", () => {
  expect(comment.if).toMatch(/!cancelled\(\) && .* steps\.audit\.outputs\.markdown != ''/);
  expect(upload.if).toMatch(/!cancelled\(\) && .* steps\.audit\.outputs\.sarif != ''/);
  expect(upload.with?.["sarif_file"]).toBe("${{ steps.audit.outputs.sarif }}");
});
