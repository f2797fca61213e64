/** Runs the pipelines of the template, the guides and examples/audit-in-pipeline, with local servers instead of code hosts. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { toEnvironment } from "../cli/running";
import { create, formatEvents, createFact, type Printed } from "../cli/preview/previewing";
import { Page } from "../docs/markdown";
import { startTestSandbox } from "../sandbox/sandboxes";
import { repository } from "../engine/stack";
import { Checkout, type Ended } from "./checkout";
import { CodeHost, owner, sha } from "./codeHost";
import { WorkflowJob } from "./workflowJob";

const pipelines = new Page("docs/guides/other-pipelines.md");
const host = new CodeHost();
const example = join(repository, "examples/audit-in-pipeline");
const quickStart = join(repository, "examples/quickstart");
const template = join(repository, "template");
const posts: Printed = { steps: [create("a")], facts: [createFact("a", { text: "We keep watching." })] };

/** Adds a Pulumi that prints this output to the checkout. */
function withPulumi<Job extends Checkout>(job: Job, printed: Printed = posts): Job {
  const {
    steps = [],
    diagnostics,
    facts = [],
    stdout = formatEvents(steps, diagnostics),
    exitCode = 0,
  } = printed;
  job.write("printed.json", stdout);
  job.write("facts.jsonl", facts.map((fact) => `${JSON.stringify(fact)}\n`).join(""));
  job.program(
    "bin/pulumi",
    `cd "${job.folder}"\necho "$*" >> pulumi.log\n` +
      `cat facts.jsonl >> "$MONITORING_PREVIEW_FACTS"\ncat printed.json\nexit ${exitCode}`,
  );
  return withNpm(job);
}

/** Adds an npm for which all packages are already installed. */
function withNpm<Job extends Checkout>(job: Job): Job {
  job.program("bin/npm", ":");
  job.program("bin/npx", `shift\nPATH="${job.path("node_modules/.bin")}:$PATH" exec "$@"`);
  return job;
}

describe("the template's workflow", () => {
  const workflow = join(template, ".github/workflows/status.yml");
  const jobThat = async (printed?: Printed) =>
    withPulumi(new WorkflowJob(workflow, host, await startTestSandbox(), template), printed);
  const marker = "<!-- monitoring: preview (dev) -->\n";

  it("the template's workflow shows the preview in the log, and in the stack's comment with the job's commit", async () => {
    const job = await jobThat({ ...posts, diagnostics: [{ message: "::error::x\n", severity: "info" }] });
    const { code, output } = await job.do();
    expect(code).toBe(0);
    expect(output).toContain("\n| ::error::x\n");
    expect(output).not.toMatch(/^\s*(::|##)/m);
    const said = job.read("preview.md");
    expect(said).toMatch(/^## Preview \(dev\) of abc1234: 1 update will be posted\n/);
    expect(said).toContain(`_commit ${sha}, [log](<https://github.example/shop/alerts/actions/runs/99>)_`);
    expect(host.comments).toEqual([{ id: 1001, by: owner.github, body: marker + said }]);
  });

  it("the template's workflow replaces the comment of an earlier commit, even if the preview fails", async () => {
    host.comments = [{ id: 42, by: owner.github, body: `${marker}## Preview of 0000000` }];
    const job = await jobThat({ stdout: "", exitCode: 255 });
    expect(await job.do()).toMatchObject({ code: 1 });
    expect(host.headings).toEqual([
      "## No preview (dev) of abc1234",
      "## The preview (dev) of abc1234 failed",
    ]);
    expect(host.comments.map(({ id }) => id)).toEqual([42]);
  });
});

describe("the guide's job on GitLab", () => {
  const { preview } = parse(pipelines.blockAfter("<!-- .gitlab-ci.yml -->")) as {
    preview: { script: string[]; after_script: string[] };
  };

  /** Runs the job as a runner does. `after_script` also runs after a failed script, in a separate shell. */
  async function run(printed?: Printed): Promise<Ended> {
    const job = withPulumi(new Checkout(await startTestSandbox(), quickStart), printed);
    const environment = host.gitlabJob();
    const { code, output } = await job.run(preview.script.join("\n"), environment);
    const after = await job.run(preview.after_script.join("\n"), environment);
    return { code, output: output + after.output };
  }

  const notes = "/projects/42/merge_requests/7/notes";
  const marker = "<!-- monitoring: preview -->";
  beforeEach(() => {
    host.kind = "gitlab";
    host.comments = [
      { id: 1, by: "6", body: `${marker}\nOld.` },
      { id: 2, by: owner.gitlab, body: `${marker}\nOld.` },
    ];
  });

  it("the guide's job on GitLab changes its note at the start and after the preview", async () => {
    const { code, output } = await run();
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("1 update will be posted") });
    expect(host.writes).toEqual(Array(2).fill(`PUT ${notes}/2`));
    expect(host.headings).toEqual([
      "## No preview of abc1234",
      "## Preview (dev) of abc1234: 1 update will be posted",
    ]);
  });

  it("the guide's job on GitLab comments even if the preview fails, and continues without a note", async () => {
    expect(await run({ stdout: "", exitCode: 255 })).toMatchObject({ code: 1 });
    expect(host.headings.at(-1)).toBe("## The preview of abc1234 failed");
    host.respond = () => ({ status: 403, body: {} });
    expect(await run()).toMatchObject({ code: 0 });
  });
});

it("the guide's job on Jenkins writes the preview that it archives", async () => {
  const [, script = ""] = /sh '(.* preview .*)'/.exec(pipelines.blockAfter("<!-- Jenkinsfile -->")) ?? [];
  const job = withPulumi(new Checkout(await startTestSandbox(), quickStart));
  await job.run(script, { GIT_COMMIT: sha, BUILD_URL: "https://jenkins.example/1/" });
  expect(job.read("preview.txt")).toMatch(
    /^Preview \(dev\) of abc1234: 1 update .*\n\ncommit abc1234.*\nlog https:\/\/jenkins\.example\/1\/\n$/s,
  );
});

const expectFindings = ({ code, output }: Ended): void => {
  expect(code).toBe(1);
  expect(output).toMatch(
    /^error +4106 legacy-hook +WEBHOOK +https-hook +config\.url: http, expected https\. Use the webhook/m,
  );
};

it("an editor finds the schema in the package under the path in the rule file", () => {
  const [, schema = ""] = /\$schema=(\S+)/.exec(readFileSync(join(example, "audit.yaml"), "utf8")) ?? [];
  expect(existsSync(resolve(repository, schema))).toBe(true);
});

it("findings fail the job on GitHub and appear in its reports, whatever a branch contains, or the comment reports none", async () => {
  const workflow = join(example, ".github/workflows/alert-channels.yml");
  const job = withNpm(new WorkflowJob(workflow, host, await startTestSandbox(), example));
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
  expect(host.comments.map(({ body }) => body.replace(/\n\n_.*_$/m, ""))).toEqual([`${marker}\n${markdown}`]);
  rmSync(job.path("audit.yaml"));
  rmSync(job.path("outputs"));
  expect(await job.do()).toMatchObject({ code: 2 });
  expect(host.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^<!-- .* -->\n## No alert channel audit \(.*\) of abc1234\n/),
  ]);
});

it("findings fail the job on GitLab, and appear in the reports that it keeps", async () => {
  const file = readFileSync(join(example, ".gitlab-ci.yml"), "utf8");
  const { "alert-channels": ofGitlab } = parse(file) as {
    "alert-channels": {
      script: string[];
      artifacts: { when: string; paths: string[]; reports: { junit: string } };
    };
  };
  const { script, artifacts } = ofGitlab;
  const job = new Checkout(await startTestSandbox(), example);
  const [install, ...commands] = script;
  expect(install).toBe("npm ci --omit=peer");
  for (const name of ["audit.xml", "audit.html"]) job.write(name, "all is well");
  expectFindings(await job.run(commands.join("\n"), toEnvironment(job.sandbox)));
  expect(artifacts.when).toBe("always");
  for (const page of artifacts.paths) expect(job.read(page)).toMatch(/^<!doctype html>/);

  expect(job.read(artifacts.reports.junit)).toMatch(
    /<failure [^>]*message="sendFailure: false, expected true"/,
  );
});
