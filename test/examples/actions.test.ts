/** The actions in .github/actions, and the pipelines of the guides and of examples/audit-in-pipeline, with local servers in place of the hosts. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { environmentOf } from "../cli/running";
import { create, eventsOf, factOf, type Printed } from "../cli/preview/previewing";
import { Page } from "../docs/markdown";
import { version } from "../../provider/packageManifest";
import { sandboxWith } from "../sandbox/sandboxes";
import { ActionJob, actionOf, jobIn, untrusted } from "./actionJob";
import { repository } from "../engine/stack";
import { Checkout, type Ended } from "./checkout";
import { CodeHost, owner, sha } from "./codeHost";

const [audit, preview] = [actionOf("audit"), actionOf("preview")];
const releases = new Page("docs/releases.md");
const pipelines = new Page("docs/guides/pipelines.md");
const host = new CodeHost();
const example = join(repository, "examples/audit-in-pipeline");
const posts: Printed = { steps: [create("a")], facts: [factOf("a", { text: "We keep watching." })] };
const ofAudit = "<!-- monitoring: alert channel audit (audit.yaml) -->";
const ofPreview = "<!-- monitoring: preview -->";

async function auditJob(given: Record<string, string> = {}): Promise<ActionJob> {
  const sandbox = await sandboxWith();
  const job = new ActionJob(audit, host, sandbox, example);
  job.settings = {
    "inputs.base-url || env.MONITORING_BASE_URL": given["base-url"] ?? sandbox.url,
    "inputs.account-id || env.MONITORING_ACCOUNT_ID": given["account-id"] ?? "",
    "inputs.account-header || env.MONITORING_ACCOUNT_HEADER": given["account-header"] ?? "",
  };
  return job;
}

/** A job whose Pulumi prints this. */
async function previewJob({
  steps,
  diagnostics,
  facts = [],
  ...printed
}: Printed = posts): Promise<ActionJob> {
  const job = new ActionJob(preview, host, await sandboxWith(), join(repository, "examples/quickstart"));
  const { stdout = eventsOf(steps ?? [], diagnostics), exitCode = 0 } = printed;
  job.write("printed.json", stdout);
  job.write("facts.jsonl", facts.map((fact) => `${JSON.stringify(fact)}\n`).join(""));
  job.program(
    "bin/pulumi",
    `cd "${job.folder}"\necho "$*" >> pulumi.log\n` +
      'case "$*" in stack*) cat selected 2>/dev/null ;; *--json*) cat facts.jsonl >> "$MONITORING_PREVIEW_FACTS"; cat printed.json ;; esac\n' +
      `exit ${exitCode}`,
  );
  job.program("bin/npx", 'exec "$@"');
  return job;
}

describe.each([
  { name: "audit", action: audit, jobOf: () => auditJob(), code: 1 },
  { name: "preview", action: preview, jobOf: () => previewJob(), code: 0 },
])("the action $name", ({ name, action, jobOf, code: usual }) => {
  it("an action puts no input into a script", () => {
    for (const { run = "" } of action.steps) expect(run).not.toContain("${{");
  });

  it("an action is shown in this version, with all its inputs", () => {
    expect(releases.text).toContain(`uses: OWNER/REPOSITORY/.github/actions/${name}@v${version}\n`);
    for (const input of Object.keys(action.inputs)) expect(releases.text).toContain(`\`${input}\``);
  });

  it.each(untrusted)("an action does nothing for %s, and says so", async (_, source) => {
    const job = await jobOf();
    const { code, output } = await job.do({}, source);
    expect(code).toBe(0);
    expect(output).toMatch(/^::(notice|warning)::Nothing was done: .*\n$/);
    expect(existsSync(job.path("pulumi.log"))).toBe(false);
    expect([job.sandbox.requests, host.requests]).toEqual([[], []]);
  });

  it("an action installs its own version where the project has none, by its registry and without the key", async () => {
    const job = await jobOf();
    job.program("installed", `exec "${job.path("node_modules/.bin/monitoring")}" "$@"`);
    rmSync(job.path("node_modules/pulumi-monitoring-service"), { recursive: true });
    job.write(".npmrc", "registry=https://npm.example\n");
    expect(await job.do({ comment: "false" })).toMatchObject({ code: usual });
    const [command = "", key] = job.read("npm.log").split("\n");
    expect(command).toMatch(/^install .*--ignore-scripts --legacy-peer-deps /);
    expect(command.split(" ").at(-1)).toBe(`pulumi-monitoring-service@${version}`);
    expect(key).toBe("key: ");
    expect(job.read("monitoring/.npmrc")).toBe("registry=https://npm.example\n");
    // The comment isn't wanted.
    expect(host.requests).toEqual([]);
  });
});

describe("the audit's action", () => {
  it("the audit's action reports findings on the log, in the summary, in files and in a comment, and fails", async () => {
    const job = await auditJob();
    const { code, output } = await job.do();
    expect(code).toBe(1);
    expect(output).toMatch(/^error +4106 legacy-hook +https-hook /m);
    expect(job.output("exit-code")).toBe("1");
    const markdown = readFileSync(job.output("markdown"), "utf8");
    expect(markdown).toMatch(/^## Alert channel audit: 3 errors/);
    expect(job.read("summary.md")).toBe(markdown);
    expect(JSON.parse(readFileSync(job.output("sarif"), "utf8"))).toMatchObject({ version: "2.1.0" });
    expect(job.comments).toEqual([
      {
        to: "POST /repos/shop/alerts/issues/7/comments",
        body: `${ofAudit}\n${markdown.replace("\n\n", "\n\n_audit.yaml_\n\n")}`,
      },
    ]);
  });

  it("the audit's action has a comment and a category for each account, and says which", async () => {
    const accounts: Record<string, string>[] = [
      { "account-id": "eu_1" },
      { "account-id": "us_1" },
      { "account-id": "us_1", name: "labs" },
    ];
    const categories: string[] = [];
    for (const given of accounts) {
      const job = await auditJob(given);
      await job.do(given);
      categories.push(job.output("category"));
    }
    const names = ["eu_1", "us_1", "labs"];
    expect(categories).toEqual(names.map((name) => `alert-channels/audit.yaml/${name}`));
    expect(host.comments.map(({ body }) => body.split("\n")[0])).toEqual(
      names.map((name) => `<!-- monitoring: alert channel audit (audit.yaml, ${name}) -->`),
    );
    expect(host.comments.at(-1)?.body).toMatch(
      /\n_audit\.yaml, labs_\n|\n## No alert channel audit \(audit\.yaml, labs\)/,
    );
  });

  it("the audit's action writes no report without a rule file, and says so in the comment", async () => {
    const job = await auditJob();
    expect(await job.do({ rules: "none.yaml" })).toMatchObject({ code: 2 });
    expect([job.output("exit-code"), job.output("markdown")]).toEqual(["2", ""]);
    expect(job.comments.at(-1)?.body).toContain("## No alert channel audit (none.yaml) of abc1234");
  });
});

describe("the preview's action", () => {
  it("the preview's action shows the preview in the log, the summary and the stack's comment, by the project's own command", async () => {
    const job = await previewJob({ ...posts, diagnostics: [{ message: "::error::x\n", severity: "info" }] });
    const { code, output } = await job.do({ stack: "my stack" });
    expect(code).toBe(0);
    expect(existsSync(job.path("npm.log"))).toBe(false);
    expect(job.read("pulumi.log")).toBe("preview --json --non-interactive --color=never --stack my stack\n");
    expect(output).toContain("\n| ::error::x\n");
    expect(output).not.toMatch(/^\s*(::|##)/m);
    const markdown = job.read("summary.md");
    expect(markdown).toMatch(/^## Preview \(dev\) of abc1234: 1 update will be posted\n/);
    expect(markdown).toContain(
      `_commit ${sha}, [log](<https://github.example/shop/alerts/actions/runs/99>)_`,
    );
    expect(job.output("exit-code")).toBe("0");
    expect(readFileSync(job.output("markdown"), "utf8")).toBe(markdown);
    expect(job.comments.at(-1)).toEqual({
      to: "PATCH /repos/shop/alerts/issues/comments/1001",
      body: `<!-- monitoring: preview (my stack) -->\n${markdown.replace("\n\n", "\n\n_my stack_\n\n")}`,
    });
  });

  it("the preview's action has a comment for the selected stack where nothing names one", async () => {
    const job = await previewJob();
    job.write("selected", "A new version of Pulumi is available.\neu\n");
    expect(await job.do()).toMatchObject({ code: 0 });
    expect(job.read("pulumi.log")).toMatch(/^stack --show-name /);
    const [pending, ...others] = job.comments.map(({ body }) => body.split("\n")[0]);
    expect([pending, ...others]).toEqual(Array(2).fill("<!-- monitoring: preview (eu) -->"));
  });

  it("the preview's action replaces the comment of an earlier commit on PULUMI_STACK before it previews, which fails without Pulumi", async () => {
    const marker = "<!-- monitoring: preview (eu) -->";
    host.comments = [{ id: 42, by: owner.github, body: `${marker}\n## Preview of 0000000` }];
    const job = await previewJob();
    const given = { pulumi: "no-such-command" };
    expect(await job.do(given, { stack: "eu" })).toMatchObject({ code: 2 });
    expect(job.output("exit-code")).toBe("2");
    const said = `${marker}\n## No preview (eu) of abc1234\n\nSee the log.\n\n_commit ${sha}, [log](<https://github.example/shop/alerts/actions/runs/99>)_\n`;
    const to = "PATCH /repos/shop/alerts/issues/comments/42";
    expect(job.comments).toEqual([
      { to, body: said },
      { to, body: said },
    ]);
  });
});

/** A job that runs the commands of the guide. */
async function guideJob(printed?: Printed): Promise<ActionJob> {
  const job = await previewJob(printed);
  job.program("bin/npm", ":");
  job.program("bin/npx", `shift\nPATH="${job.path("node_modules/.bin")}:$PATH" exec "$@"`);
  return job;
}

describe("the guide's job on GitLab", () => {
  const { preview } = parse(pipelines.blockAfter("<!-- .gitlab-ci.yml -->")) as {
    preview: { script: string[]; after_script: string[] };
  };

  /** As a runner: `after_script` also follows a script that fails, in a shell of its own. */
  async function run(printed?: Printed): Promise<Ended & { job: ActionJob }> {
    const job = await guideJob(printed);
    const environment = host.gitlabJob();
    const { code, output } = await job.run(preview.script.join("\n"), environment);
    const after = await job.run(preview.after_script.join("\n"), environment);
    return { code, output: output + after.output, job };
  }

  const notes = "/projects/42/merge_requests/7/notes";
  beforeEach(() => {
    host.kind = "gitlab";
    host.comments = [
      { id: 1, by: "6", body: `${ofPreview}\nOld.` },
      { id: 2, by: owner.gitlab, body: `${ofPreview}\nOld.` },
    ];
  });

  it("the guide's job on GitLab changes its note first, and when it has the preview", async () => {
    const { code, output, job } = await run();
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("1 update will be posted") });
    expect(job.read("pulumi.log")).toMatch(/^preview --json /);
    expect(job.comments.map(({ to, body }) => [to, body.split("\n")[1]])).toEqual([
      [`PUT ${notes}/2`, "## No preview of abc1234"],
      [`PUT ${notes}/2`, "## Preview (dev) of abc1234: 1 update will be posted"],
    ]);
  });

  it("the guide's job on GitLab comments also when the preview fails, and goes on without a note", async () => {
    const { code, job } = await run({ stdout: "", exitCode: 255 });
    expect(code).toBe(1);
    expect(job.comments.at(-1)?.body).toContain("## The preview of abc1234 failed");
    host.respond = () => ({ status: 403, body: {} });
    expect(await run()).toMatchObject({ code: 0 });
  });
});

it("the preview that the guide's job on Jenkins keeps is written", async () => {
  const [, script = ""] = /sh '(.* preview .*)'/.exec(pipelines.blockAfter("<!-- Jenkinsfile -->")) ?? [];
  const job = await guideJob();
  await job.run(script, { GIT_COMMIT: sha, BUILD_URL: "https://jenkins.example/1/" });
  expect(job.read("preview.txt")).toMatch(
    /^Preview \(dev\) of abc1234: 1 update .*\n\ncommit abc1234.*\nlog https:\/\/jenkins\.example\/1\/\n$/s,
  );
});

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
  const file = readFileSync(join(example, ".gitlab-ci.yml"), "utf8");
  const { "alert-channels": ofGitlab } = parse(file) as {
    "alert-channels": {
      script: string[];
      artifacts: { when: string; paths: string[]; reports: { junit: string } };
    };
  };
  const { script, artifacts } = ofGitlab;
  const job = new Checkout(await sandboxWith(), example);
  const [install, ...commands] = script;
  expect(install).toBe("npm ci");
  for (const name of ["audit.xml", "audit.html"]) job.write(name, "all is well");
  expectFindings(await job.run(commands.join("\n"), environmentOf(job.sandbox)));
  expect(artifacts.when).toBe("always");
  for (const page of artifacts.paths) expect(job.read(page)).toMatch(/^<!doctype html>/);

  expect(job.read(artifacts.reports.junit)).toMatch(
    /<failure [^>]*message="sendFailure: false, expected true"/,
  );
});
