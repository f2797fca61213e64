/** Tests the workflows of this repository, the template and an example. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import { run } from "../../tools/setup/run";
import { repository } from "../engine/stack";
import { type Step } from "../examples/checkout";
import { temporaryFolder } from "../temporaryFolder";

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      Pick<Workflow, "permissions"> & {
        readonly steps: readonly Step[];
        readonly if?: string;
        readonly needs?: string | readonly string[];
        readonly env?: Readonly<Record<string, string>>;
        readonly environment?: string;
        readonly concurrency?: { readonly group: string };
      }
    >
  >;
}

const readText = (name: string): string => readFileSync(join(repository, name), "utf8");
const workflows = [
  ...["ci", "daily", "release"].map((name) => `.github/workflows/${name}.yml`),
  "examples/audit-in-pipeline/.github/workflows/alert-channels.yml",
  "template/.github/workflows/status.yml",
];

it("workflows are valid for GitHub's own parser", async () => {
  const program = join(__dirname, "checkWorkflow.mjs");
  const files = workflows.map((name) => join(repository, name));
  expect(await run(process.execPath, [program, ...files])).toMatchObject({ ok: true, stdout: "[]" });
});

it.each(workflows)("every third-party action is pinned by commit, with its version: %s", (name) => {
  for (const each of readText(name).match(/uses: .*/g) ?? [])
    expect(each).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it("workflows keep no credentials, and restore no cache where they publish", () => {
  const checkouts = workflows
    .flatMap((name) => Object.values((parse(readText(name)) as Workflow).jobs).flatMap(({ steps }) => steps))
    .filter(({ uses }) => uses?.startsWith("actions/checkout@"));
  expect(checkouts.length).toBeGreaterThan(5);
  for (const { with: given } of checkouts) expect(given).toMatchObject({ "persist-credentials": false });
  expect(readText(".github/workflows/release.yml")).not.toMatch(/^ +cache: |actions\/cache/m);
});

it("each token of a release is available to only one job, which runs no code of packages", () => {
  const { permissions, jobs } = parse(readText(".github/workflows/release.yml")) as Workflow;
  expect(permissions).toEqual({ contents: "read" });
  expect(jobs["build"]?.permissions).toBeUndefined();
  for (const { steps } of Object.values(jobs).filter((job) => job.permissions))
    for (const { uses = "", run = "" } of steps)
      expect(uses + run).not.toMatch(/checkout|npm (ci|install|run|exec)|npx|node /);
});

describe("the benchmarks of a release", () => {
  const { jobs } = parse(readText(".github/workflows/release.yml")) as Workflow;
  const script = jobs["bench"]?.steps.find(({ run }) => run?.includes("bench"))?.run ?? "";
  const own = "benchmarks.md";

  it("nothing is published before the benchmarks, and the release contains their pages", () => {
    expect(jobs["publish"]?.needs).toContain("bench");
    const downloaded = jobs["release"]?.steps.map((step) => step.with?.["name"]);
    expect(downloaded).toContain(jobs["bench"]?.steps.at(-1)?.with?.["name"]);
  });

  it.each<[what: string, tags: string[], missedBy: string, pages: string[], ok?: boolean]>([
    ["the first release is measured without a comparison", ["", "v2.0.0"], "", [own]],
    [
      "a release is measured together with the last release",
      ["v1.0.0", "v2.0.0"],
      "",
      ["benchmarks-of-v1.0.0.md", own],
    ],
    [
      "a commit without a tag is measured together with the last release",
      ["v1.0.0"],
      "",
      ["benchmarks-of-v1.0.0.md", own],
    ],
    [
      "a limit that the last release misses stops nothing",
      ["v1.0.0"],
      "one",
      ["benchmarks-of-v1.0.0.md", own],
    ],
    ["a limit that the release misses stops it", ["v1.0.0"], "two", ["benchmarks-of-v1.0.0.md"], false],
  ])("%s", async (_, tags, missedBy, pages, ok = true) => {
    const folder = join(temporaryFolder(), "checkout");
    const bin = join(folder, "bin");
    mkdirSync(join(folder, "tools", "bench"), { recursive: true });
    mkdirSync(bin);
    const page = "tools/bench/README.md";
    // The benchmark's command writes its page, and fails if a limit is missed.
    const npm = `#!/bin/sh\n[ "$1" = ci ] || { echo measured >> ${page}; ! grep -q '^missed by ${missedBy || "none"}$' commit; }\n`;
    writeFileSync(join(bin, "npm"), npm, { mode: 0o755 });
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` };
    const git = async (...args: string[]) => {
      const author = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
      expect(await run("git", [...author, ...args], { cwd: folder, env })).toMatchObject({ ok: true });
    };
    await git("init", "--quiet");
    for (const [index, commit] of ["one", "two"].entries()) {
      writeFileSync(join(folder, "commit"), `missed by ${commit}\n`);
      writeFileSync(join(folder, page), `${commit}\n`);
      await git("add", "commit", page);
      await git("commit", "--quiet", "-m", commit);
      if (tags[index]) await git("tag", tags[index]);
    }
    expect(await run("bash", ["-e", "-c", script], { cwd: folder, env })).toMatchObject({ ok });
    expect(readdirSync(join(folder, "pages")).sort()).toEqual([...pages].sort());
    for (const name of pages)
      expect(readFileSync(join(folder, "pages", name), "utf8")).toBe(
        `${name === own ? "two" : "one"}\nmeasured\n`,
      );
  });
});

describe("the template's workflow", () => {
  const { jobs } = parse(readText("template/.github/workflows/status.yml")) as Workflow;
  const own = "shop/status";
  const pullRequest = (head: string, more: object = {}) => ({
    ...{ event_name: "pull_request", ref: "refs/pull/7/merge", actor: "ana" },
    event: { pull_request: { head: { repo: { full_name: head } } } },
    ...more,
  });
  const none = { event: { pull_request: { head: { repo: {} } } } };
  const manual = { ...none, event_name: "workflow_dispatch", ref: "refs/heads/main" };

  // Evaluates the conditions as JavaScript, because they only use the common subset of both languages.
  it.each<[string, object, string[], inputs?: object]>([
    ["publishes on main", { ...none, event_name: "push", ref: "refs/heads/main" }, ["up"]],
    ["publishes when a user starts it", manual, ["up"], { cancel: false }],
    [
      "first deletes a killed run's lock when a user requests that",
      manual,
      ["cancel", "up"],
      { cancel: true },
    ],
    ["publishes no other branch", { ...manual, ref: "refs/heads/draft" }, [], { cancel: true }],
    ["comments on a pull request", pullRequest(own), ["comment", "preview", "comment"]],
    ["does nothing for a fork", pullRequest("evil/status"), []],
    ["does nothing for Dependabot", pullRequest(own, { actor: "dependabot[bot]" }), []],
    // The default is required, because Jest would use a missing argument for its callback and wait for the call.
  ])("the template's workflow %s", (_, github, commands, inputs = {}) => {
    const context = { github: { ...github, repository: own }, inputs, always: () => true };
    const holds = (condition = "true") => runInNewContext(condition, context) === true;
    const steps = Object.values(jobs)
      .filter((job) => holds(job.if))
      .flatMap((job) => job.steps.filter((step) => holds(step.if)));
    const run = steps.flatMap((step) => / (comment|preview|cancel|up)\b/.exec(step.run ?? "")?.[1] ?? []);
    expect(run).toEqual(commands);
  });

  it("the template's workflow passes the resend code to a manually started run", () => {
    expect(jobs["publish"]?.env).toMatchObject({ MONITORING_RESEND: "${{ inputs.resend }}" });
  });

  it("the template's workflow reads publishing credentials from an environment that no pull request can use", () => {
    expect(jobs["publish"]?.environment).toBe("status-page");
    expect(jobs["preview"]?.environment).toBeUndefined();
  });

  it.each<[differs: string, github: object, vars: object]>([
    ["workflow", { workflow: "Status of labs" }, {}],
    ["stack", {}, { PULUMI_STACK: "labs" }],
  ])(
    "runs of the template's workflow wait for each other, but not for runs of another %s",
    (_, github, vars) => {
      const groups = [{}, { github, vars }].map((given: { github?: object; vars?: object }) => {
        const context = {
          github: { workflow: "Status page", ref: "refs/heads/main", ...given.github },
          vars: { PULUMI_STACK: "shop", ...given.vars },
        };
        return jobs["publish"]?.concurrency?.group.replace(
          /\$\{\{ (.*?) \}\}/g,
          (_match, expression: string) => String(runInNewContext(expression, context)),
        );
      });
      expect(groups[0]).toMatch(/shop/);
      expect(groups[1]).not.toBe(groups[0]);
    },
  );
});
