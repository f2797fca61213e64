/** The action in .github/actions/preview and the pipelines of the guide, with local servers in place of the hosts. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { create, eventsOf, factOf, type Printed } from "../cli/previewing";
import { Page } from "../docs/markdown";
import { version } from "../../provider/packageManifest";
import { sandboxWith } from "../sandbox/sandboxes";
import { ActionJob, actionOf, untrusted } from "./actionJob";
import { repository } from "../engine/stack";
import { type Ended, mistakesIn } from "./checkout";
import { CodeHost, owner, sha } from "./codeHost";

const action = actionOf("preview");
const guide = new Page("docs/guides/pipelines.md");
const host = new CodeHost();
const posts: Printed = { steps: [create("a")], facts: [factOf("a", { text: "We keep watching." })] };

/** A job whose Pulumi prints this. */
async function jobOf({ steps, diagnostics, facts = [], ...printed }: Printed = posts): Promise<ActionJob> {
  const job = new ActionJob(action, host, await sandboxWith(), join(repository, "examples/quickstart"));
  const { stdout = eventsOf(steps ?? [], diagnostics), exitCode = 0 } = printed;
  job.write("printed.json", stdout);
  job.write("facts.jsonl", facts.map((fact) => `${JSON.stringify(fact)}\n`).join(""));
  job.program(
    "bin/pulumi",
    `cd "${job.folder}"\necho "$*" >> pulumi.log\n` +
      'case "$*" in *--json*) cat facts.jsonl >> "$MONITORING_PREVIEW_FACTS"; cat printed.json ;; esac\n' +
      `exit ${exitCode}`,
  );
  job.program("bin/npx", 'exec "$@"');
  return job;
}

const marker = "<!-- monitoring: preview -->";

it("is an action, says GitHub's own parser, and so is the workflow of the guide that uses it", async () => {
  expect(await mistakesIn(action.file)).toEqual([]);
  const job = await jobOf();
  job.write("status.yml", guide.blockAfter("<!-- .github/workflows/status.yml -->"));
  expect(await mistakesIn(job.path("status.yml"))).toEqual([]);
  expect(guide.text).toContain(`uses: OWNER/REPOSITORY/.github/actions/preview@v${version}\n`);
  for (const name of Object.keys(action.inputs)) expect(guide.text).toContain(`\`${name}\``);
});

it("puts no input into a script", () => {
  for (const { run = "" } of action.steps) expect(run).not.toContain("${{");
});

it.each(untrusted)("does nothing for %s, and says so", async (_, source) => {
  const job = await jobOf();
  const { code, output } = await job.do({}, source);
  expect(code).toBe(0);
  expect(output).toMatch(/^::(notice|warning)::Nothing was done: .*\n$/);
  expect(existsSync(job.path("pulumi.log"))).toBe(false);
  expect(host.requests).toEqual([]);
});

it("previews for a push, without a comment", async () => {
  const job = await jobOf();
  const { code, output } = await job.do({}, { event: "push" });
  expect(code).toBe(0);
  expect(output).toContain("Preview of abc1234: 1 update will be posted\n");
  expect(host.requests).toEqual([]);
});

it("shows the preview in the log, the summary and the comment, by the project's own command", async () => {
  const job = await jobOf({ ...posts, diagnostics: [{ message: "::error::x\n", severity: "info" }] });
  const { code, output } = await job.do({ stack: "my stack" });
  expect(code).toBe(0);
  expect(existsSync(job.path("npm.log"))).toBe(false);
  expect(job.read("pulumi.log")).toBe("preview --json --non-interactive --color=never --stack my stack\n");
  expect(output).toContain("\n| ::error::x\n");
  expect(output).not.toMatch(/^\s*(::|##)/m);
  const markdown = job.read("summary.md");
  expect(markdown).toMatch(/^## Preview of abc1234: 1 update will be posted\n/);
  expect(markdown).toContain(`_commit ${sha}, [log](<https://github.example/shop/alerts/actions/runs/99>)_`);
  expect(job.output("exit-code")).toBe("0");
  expect(readFileSync(job.output("markdown"), "utf8")).toBe(markdown);
  expect(job.comments.at(-1)).toEqual({
    to: "PATCH /repos/shop/alerts/issues/comments/1001",
    body: `<!-- monitoring: preview (my stack) -->\n${markdown}`,
  });
});

it("installs a command where the project has none, by the registry of the repository and without the key", async () => {
  const job = await jobOf();
  job.program("installed", `exec "${job.path("node_modules/.bin/monitoring")}" "$@"`);
  rmSync(job.path("node_modules/pulumi-monitoring-service"), { recursive: true });
  job.write(".npmrc", "registry=https://npm.example\n");
  expect(await job.do()).toMatchObject({ code: 0 });
  const [command = "", key] = job.read("npm.log").split("\n");
  expect(command).toMatch(/^install .*--ignore-scripts --legacy-peer-deps .* pulumi-monitoring-service@\d/);
  expect(key).toBe("key: ");
  expect(job.read("monitoring/.npmrc")).toBe("registry=https://npm.example\n");
});

it("replaces the comment of an earlier commit before it previews, and after that", async () => {
  host.comments = [{ id: 42, by: owner.github, body: `${marker}\n## Preview of 0000000` }];
  const job = await jobOf();
  expect(await job.do()).toMatchObject({ code: 0 });
  expect(job.comments.map(({ to, body }) => [to, body.split("\n")[1]])).toEqual([
    ["PATCH /repos/shop/alerts/issues/comments/42", "## No preview of abc1234"],
    ["PATCH /repos/shop/alerts/issues/comments/42", "## Preview of abc1234: 1 update will be posted"],
  ]);
});

it("fails, and comments on it, when the service can't be read", async () => {
  const job = await jobOf({ ...posts, facts: [factOf("a", { unread: "HTTP 503.", effect: "unknown" })] });
  expect(await job.do()).toMatchObject({ code: 3 });
  expect(job.output("exit-code")).toBe("3");
  const { body = "" } = job.comments.at(-1) ?? {};
  expect(body.split("\n")[1]).toBe("## Preview of abc1234, not verified: 1 update may be posted");
});

it("says that the commit has no preview when the command can't be used", async () => {
  const job = await jobOf();
  expect(await job.do({ pulumi: "no-such-command" })).toMatchObject({ code: 2 });
  expect(job.comments.at(-1)?.body).toBe(
    `${marker}\n## No preview of abc1234\n\nSee the log.\n\n_commit ${sha}, [log](<https://github.example/shop/alerts/actions/runs/99>)_\n`,
  );
});

it("goes on when GitHub rejects the comment, and without one if none is wanted", async () => {
  host.respond = () => ({ status: 403, body: { message: "Not accessible\n::error::x" } });
  const job = await jobOf();
  const { code, output } = await job.do();
  expect(code).toBe(0);
  expect(output.match(/^::.*$/gm)).toEqual(
    Array(2).fill(expect.stringMatching(/^::warning::The comment was not written: HTTP 403: /)),
  );
  host.requests.length = 0;
  expect(await job.do({ comment: "false" })).toMatchObject({ code: 0 });
  expect(host.requests).toEqual([]);
});

/** A job that runs the commands of the guide. */
async function guideJob(printed?: Printed): Promise<ActionJob> {
  const job = await jobOf(printed);
  job.program("bin/npm", ":");
  job.program("bin/npx", `shift\nPATH="${job.path("node_modules/.bin")}:$PATH" exec "$@"`);
  return job;
}

describe("the guide's job on GitLab", () => {
  const { preview } = parse(guide.blockAfter("<!-- .gitlab-ci.yml -->")) as {
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
      { id: 1, by: "6", body: `${marker}\nOld.` },
      { id: 2, by: owner.gitlab, body: `${marker}\nOld.` },
    ];
  });

  it("changes its note first, and when it has the preview", async () => {
    const { code, output, job } = await run();
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("1 update will be posted") });
    expect(job.read("pulumi.log")).toMatch(/^preview --json /);
    expect(job.comments.map(({ to, body }) => [to, body.split("\n")[1]])).toEqual([
      [`PUT ${notes}/2`, "## No preview of abc1234"],
      [`PUT ${notes}/2`, "## Preview of abc1234: 1 update will be posted"],
    ]);
  });

  it("comments also when the preview fails", async () => {
    const { code, job } = await run({ stdout: "", exitCode: 255 });
    expect(code).toBe(1);
    expect(job.comments.at(-1)?.body).toContain("## The preview of abc1234 failed");
  });

  it("goes on without a note", async () => {
    host.respond = () => ({ status: 403, body: {} });
    const { code, output } = await run();
    expect(code).toBe(0);
    expect(output).toContain("The comment was not written: HTTP 403");
  });
});

it("writes the preview that the guide's job on Jenkins keeps", async () => {
  const [, script = ""] = /sh '(.* preview .*)'/.exec(guide.blockAfter("<!-- Jenkinsfile -->")) ?? [];
  const job = await guideJob();
  await job.run(script, { GIT_COMMIT: sha, BUILD_URL: "https://jenkins.example/1/" });
  expect(job.read("preview.txt")).toMatch(
    /^Preview of abc1234: 1 update .*\n\ncommit abc1234.*\nlog https:\/\/jenkins\.example\/1\/\n$/s,
  );
});
