/** The pipelines of examples/audit-in-pipeline: their files are right, and their commands do what is said of them. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { sandboxWith } from "../sandbox/sandboxes";
import { CodeHost } from "./codeHost";
import { repository } from "../engine/stack";
import { ActionJob, jobIn } from "./actionJob";
import { Checkout, type Ended } from "./checkout";

const example = join(repository, "examples/audit-in-pipeline");

const gitlab = parse(readFileSync(join(example, ".gitlab-ci.yml"), "utf8")) as {
  "alert-channels": {
    script: string[];
    artifacts: { when: string; paths: string[]; reports: { junit: string } };
  };
};

const host = new CodeHost();

const expectFindings = ({ code, output }: Ended): void => {
  expect(code).toBe(1);
  expect(output).toMatch(
    /^error +4106 legacy-hook +https-hook +config\.url: http, expected https\. Use the hook/m,
  );
};

it("an editor finds the schema that the rule file names in the package", () => {
  const [, schema = ""] = /\$schema=(\S+)/.exec(readFileSync(join(example, "audit.yaml"), "utf8")) ?? [];
  expect(existsSync(resolve(repository, schema))).toBe(true);
});

it("findings fail the job on GitHub, and are in its reports, whatever a branch brings along, or the comment has none", async () => {
  const workflow = jobIn(join(example, ".github/workflows/alert-channels.yml"));
  const job = new ActionJob(workflow, host, await sandboxWith(), example);
  const files = ["audit.sarif", "audit.md", "audit.html"];
  for (const name of files) job.write(name, "all is well");
  expectFindings(await job.do());
  const [sarif, markdown, html] = files.map((name) =>
    readFileSync(join(job.output("reports"), name), "utf8"),
  );
  expect(JSON.parse(sarif ?? "")).toMatchObject({ version: "2.1.0" });
  expect(html).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
  expect(markdown).toMatch(/^## Alert channel audit: \d+ errors/);
  expect(job.read("summary.md")).toBe(markdown);
  const marker = `<!-- monitoring: alert channel audit (${job.sandbox.accountId}) -->`;
  expect(job.comments.map(({ body }) => body.replace(/\n\n_.*_$/m, ""))).toEqual([`${marker}\n${markdown}`]);
  rmSync(job.path("audit.yaml"));
  rmSync(job.path("outputs"));
  expect(await job.do()).toMatchObject({ code: 2 });
  expect(host.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^<!-- .* -->\n## No alert channel audit \(.*\) of abc1234\n/),
  ]);
});

it("findings fail the job on GitLab, and are in the reports that it keeps", async () => {
  const { script, artifacts } = gitlab["alert-channels"];
  const job = new Checkout(await sandboxWith(), example);
  const [install, ...commands] = script;
  expect(install).toBe("npm ci");
  for (const name of ["audit.xml", "audit.html"]) job.write(name, "all is well");
  const { url, apiKey, accountId } = job.sandbox;
  const settings = {
    MONITORING_BASE_URL: url,
    MONITORING_API_KEY: apiKey,
    MONITORING_ACCOUNT_ID: accountId,
  };
  expectFindings(await job.run(commands.join("\n"), settings));
  expect(artifacts.when).toBe("always");
  for (const file of artifacts.paths) expect(job.read(file)).toMatch(/^<!doctype html>/);

  expect(job.read(artifacts.reports.junit)).toMatch(
    /<failure [^>]*message="sendFailure: false, expected true"/,
  );
});
