/** The action in .github/actions/preview and the pipelines of the guide, with local servers in place of the hosts. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { sandboxWith } from "../sandbox/sandboxes";
import { Page } from "../docs/markdown";
import { Checkout, type Ended, mistakesIn, repository, type Step } from "./checkout";
import { CodeHost } from "./codeHost";

const folder = join(repository, ".github/actions/preview");
const file = join(folder, "action.yml");
const { inputs, runs } = parse(readFileSync(file, "utf8")) as {
  inputs: Record<string, { default: string }>;
  runs: { steps: Step[] };
};
const [source, install, preview, comment] = runs.steps as [Step, Step, Step, Step];
const digest = readFileSync(join(repository, "docs/pictures/preview.json"), "utf8");
const guide = new Page("docs/guides/pipelines.md");
const host = new CodeHost();

/** A job for a pull request. Its Pulumi prints a recorded preview. */
class Job extends Checkout {
  static async start(printed = digest, exitCode = 0): Promise<Job> {
    const job = new Job(await sandboxWith(), join(repository, "examples/quickstart"));
    job.program(
      "bin/npm",
      'printf "%s\\n" "$*" "key: $MONITORING_API_KEY" > npm.log\nbin="$RUNNER_TEMP/monitoring/node_modules/.bin"\n' +
        'mkdir -p "$bin"\nln -sf "$PWD/node_modules/.bin/monitoring" "$bin"',
    );
    job.write("printed.json", printed);
    job.program(
      "bin/pulumi",
      `echo "$*" >> pulumi.log\ncase "$*" in stack*) exit 0 ;; *--json*) cat printed.json ;; esac\nexit ${exitCode}`,
    );
    job.program(
      "bin/npx",
      'case "$1" in monitoring) shift; exec node_modules/.bin/monitoring "$@" ;; esac\nexec "$@"',
    );
    return job;
  }

  /** Runs a step of the action with these inputs. */
  do(step: Step, given: Record<string, string> = {}): Promise<Ended> {
    const values = Object.entries(inputs).map(([name, { default: value }]) => [name, given[name] ?? value]);
    const settings = Object.fromEntries([
      ...values.map(([name, value]) => [`inputs.${name}`, value]),
      ["github.server_url", "https://github.example"],
      ["github.run_id", "99"],
      ["github.event.pull_request.number", "7"],
      ["github.event.pull_request.head.repo.full_name", given["head"] ?? "shop/alerts"],
      ["steps.preview.outputs.markdown", this.output("markdown")],
    ]) as Record<string, string>;
    return this.step(step, settings, {
      GITHUB_ACTION_PATH: folder,
      GITHUB_API_URL: host.url,
      GITHUB_OUTPUT: this.path("outputs"),
      GITHUB_REPOSITORY: "shop/alerts",
      RUNNER_TEMP: this.folder,
      MONITORING_API_KEY: "key",
    });
  }

  /** The job after its preview. */
  async previewed(given?: Record<string, string>): Promise<Ended> {
    await this.do(install);
    return this.do(preview, given);
  }

  output(name: string): string {
    const text = existsSync(this.path("outputs")) ? this.read("outputs") : "";
    return new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1] ?? "";
  }
}

const marker = "<!-- preview of incident updates: .  -->";
const failing = JSON.stringify({
  diagnostics: [{ severity: "error", message: "error: IncidentUpdate on incident i: no.\n" }],
}).replace('"severity":', '"severity": ');

it("is an action, says GitHub's own parser, and so is the workflow of the guide that uses it", async () => {
  expect(await mistakesIn(file)).toEqual([]);
  const job = await Job.start();
  job.write("status.yml", guide.blockAfter("<!-- .github/workflows/status.yml -->"));
  expect(await mistakesIn(job.path("status.yml"))).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    version: string;
  };
  expect(guide.text).toContain(`uses: OWNER/REPOSITORY/.github/actions/preview@v${version}\n`);
  for (const name of Object.keys(inputs)) expect(guide.text).toContain(`\`${name}\``);
});

it("puts no input into a script, and runs each step but the first only when it may", () => {
  for (const { run = "" } of runs.steps) expect(run).not.toContain("${{");
  for (const step of [install, preview]) expect(step.if).toBe("steps.source.outputs.trusted == 'true'");
  expect(comment.if).toMatch(/!cancelled\(\) && .* steps\.preview\.outputs\.markdown != ''/);
});

it("previews nothing for a fork, and says so", async () => {
  const job = await Job.start();
  expect(await job.do(source, { head: "somebody/alerts" })).toEqual({
    code: 0,
    output:
      "::notice::Nothing is previewed: a pull request from a fork (somebody/alerts) has no access to secrets.\n",
  });
  expect(job.output("trusted")).toBe("");
  expect(await job.do(source)).toEqual({ code: 0, output: "" });
  expect(await job.do(source, { head: "" })).toEqual({ code: 0, output: "" });
  expect(job.output("trusted")).toBe("true");
});

it("shows the preview in the log and the summary, and gives the comment to later steps", async () => {
  const job = await Job.start();
  const { code, output } = await job.previewed({ stack: "my stack", pulumi: "npx pulumi" });
  expect(code).toBe(0);
  expect(job.read("npm.log")).toMatch(/pulumi-monitoring-service@\S+\nkey: \n/);
  expect(job.read("pulumi.log")).toBe("preview --json --non-interactive --stack my stack\n");
  expect(output).toContain("  | We rolled the release back. Checkout is fast again; we keep watching it.\n");
  const markdown = readFileSync(job.output("markdown"), "utf8");
  expect(markdown).toMatch(/^## Preview: 1 update will be posted/);
  expect(job.read("summary.md")).toBe(markdown);
  expect(job.output("exit-code")).toBe("0");
});

it.each([
  ["for an update", failing, "IncidentUpdate on incident i: no.", 1],
  [
    "before the preview",
    "",
    "Pulumi failed: see [the log](<https://github.example/shop/alerts/actions/runs/99>).",
    2,
  ],
  ["for a reason that its JSON lacks", digest, "Pulumi failed: see [the log]", 2],
])("fails when Pulumi fails %s, and comments on it", async (_, printed, text, runsOfPulumi) => {
  const job = await Job.start(printed, 255);
  expect(await job.previewed()).toMatchObject({ code: 1 });
  const markdown = readFileSync(job.output("markdown"), "utf8");
  expect(markdown).toMatch(/^## The preview fails\n/);
  expect(markdown).toContain(text);
  expect(job.read("pulumi.log").trim().split("\n")).toHaveLength(runsOfPulumi);
});

it("fails without a comment for what isn't a preview", async () => {
  const job = await Job.start("Updating (dev):");
  const { code, output } = await job.previewed();
  expect(code).toBe(2);
  expect(output).toContain("isn't what `pulumi preview --json` prints: it is not JSON");
  expect(job.output("markdown")).toBe("");
});

describe("its comment", () => {
  const path = "/repos/shop/alerts/issues/7/comments";
  let job: Job;
  beforeEach(async () => {
    job = await Job.start();
    await job.previewed();
  });

  it("is created, with the token of the job", async () => {
    host.respond = () => ({ body: [] });
    expect(await job.do(comment)).toEqual({ code: 0, output: "" });
    expect(host.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${path}?per_page=100&page=1`,
      `POST ${path}`,
    ]);
    const [, post] = host.requests;
    expect(post?.headers.authorization).toBe("Bearer token");
    expect(JSON.parse(post?.body ?? "")).toEqual({
      body: `${marker}\n${readFileSync(job.output("markdown"), "utf8")}`,
    });
  });

  it("is changed in later runs, however many comments there are", async () => {
    const others = Array.from({ length: 99 }, (_, id) => ({ id, user: null, body: null }));
    const ofUser = { id: 100, user: { type: "User" }, body: marker };
    const ours = { id: 101, user: { type: "Bot" }, body: `${marker}\nOld.` };
    host.respond = ({ url }) => ({ body: url.endsWith("page=1") ? [...others, ofUser] : [ours] });
    expect(await job.do(comment)).toEqual({ code: 0, output: "" });
    expect(host.requests.at(-1)).toMatchObject({
      method: "PATCH",
      url: "/repos/shop/alerts/issues/comments/101",
      body: expect.stringContaining("## Preview: 1 update will be posted"),
    });
  });

  it.each([
    [
      403,
      /The comment was not written: HTTP 403: .*Not accessible.* needs the permission `pull-requests: write`/,
    ],
    [422, /The comment was not written: HTTP 422: .*Not accessible.*" ?\}\. It is in the summary/],
    [500, /HTTP 500/],
  ])("that GitHub answers with %i is a warning in one line, and the job goes on", async (status, message) => {
    host.respond = () => ({ status, body: { message: "Not accessible\n::error::x" } });
    const { code, output } = await job.do(comment);
    expect(code).toBe(0);
    expect(output).toMatch(/^::warning::[^\n]+\n$/);
    expect(output).toMatch(message);
  });

  it("is not sent when it is longer than GitHub allows, or to nobody", async () => {
    job.write("long.md", "x".repeat(65_536));
    job.write("outputs", `markdown=${job.path("long.md")}\n`);
    expect((await job.do(comment)).output).toMatch(
      /^::warning::.* it has 655\d\d characters, more than 65536\./,
    );
    expect(host.requests).toEqual([]);
    await host.stop();
    job.write("long.md", "x");
    expect(await job.do(comment)).toEqual({
      code: 0,
      output: expect.stringMatching(/^::warning::.*ECONNREFUSED/),
    });
  });
});

describe("the guide's job on GitLab", () => {
  const job = parse(guide.blockAfter("<!-- .gitlab-ci.yml -->")) as { preview: { script: string[] } };
  const notes = "/projects/42/merge_requests/7/notes";

  async function run(printed = digest, exitCode = 0): Promise<Ended & { job: Job }> {
    const started = await Job.start(printed, exitCode);
    for (const name of ["pipeline.sh", "note.sh"]) started.write(name, guide.blockAfter(`<!-- ${name} -->`));
    const ended = await started.run(job.preview.script.join("\n"), {
      STACK: "production",
      RUNNER_TEMP: started.folder,
      CI_API_V4_URL: host.url,
      CI_PROJECT_ID: "42",
      CI_MERGE_REQUEST_IID: "7",
      CI_JOB_URL: "https://gitlab.example/job/1",
      GITLAB_TOKEN: "token",
    });
    return { ...ended, job: started };
  }

  it("creates a note", async () => {
    host.respond = () => ({ body: [{ id: 1, body: "Looks good." }] });
    const { code, output, job: ran } = await run();
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining("  | We rolled the release back."),
    });
    expect(ran.read("pulumi.log")).toBe("stack select --create production\npreview --json\n");
    const [list, create] = host.requests;
    expect(list).toMatchObject({
      method: "GET",
      url: `${notes}?per_page=100`,
      headers: { "private-token": "token" },
    });
    expect(create).toMatchObject({ method: "POST", url: notes, headers: { "private-token": "token" } });
    expect(new URLSearchParams(create?.body).get("body")).toBe(
      `<!-- preview of incident updates -->\n${ran.read("preview.md")}`,
    );
  });

  it("changes the note of an earlier run, also when the preview fails", async () => {
    host.respond = () => ({
      body: [
        { id: 1, body: "x" },
        { id: 2, body: "<!-- preview of incident updates -->\nOld." },
      ],
    });
    expect(await run(failing, 255)).toMatchObject({ code: 1 });
    const [, change] = host.requests;
    expect(change).toMatchObject({ method: "PUT", url: `${notes}/2` });
    expect(new URLSearchParams(change?.body).get("body")).toContain(
      "## The preview fails\n\n- 🔴 IncidentUpdate on",
    );
  });

  it("goes on without a note", async () => {
    host.respond = () => ({ status: 403, body: {} });
    const { code, output } = await run();
    expect(code).toBe(0);
    expect(output).toMatch(/403\nNo note was written\.\n$/);
  });
});
