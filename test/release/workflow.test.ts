/** The workflows and actions: those of this repository, and those that guides and examples show. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { Page } from "../docs/markdown";
import { run } from "../../tools/setup/run";
import { repository } from "../engine/stack";
import { type Step } from "../examples/checkout";
import { temporaryFolder } from "../temporaryFolder";

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, Pick<Workflow, "permissions"> & { readonly steps: readonly Step[] }>
  >;
}

const textOf = (name: string): string => readFileSync(join(repository, name), "utf8");
const workflows = [
  ...["ci", "daily", "release"].map((name) => `.github/workflows/${name}.yml`),
  "examples/audit-in-pipeline/.github/workflows/alert-channels.yml",
  "template/.github/workflows/status.yml",
];
const files = [...workflows, ...["audit", "preview"].map((name) => `.github/actions/${name}/action.yml`)];
const page = "docs/releases.md";
const shown = new Page(page).blocks.flatMap(({ file = "", text }) =>
  file.startsWith(".github/workflows/") ? [text] : [],
);

it("workflows and actions are such by GitHub's own parser", async () => {
  expect(shown).toHaveLength(2);
  const ofPage = shown.map((text) => {
    const file = join(temporaryFolder(), "workflow.yml");
    writeFileSync(file, text);
    return file;
  });
  const program = join(__dirname, "checkWorkflow.mjs");
  const all = [...files.map((name) => join(repository, name)), ...ofPage];
  expect(await run(process.execPath, [program, ...all])).toMatchObject({ ok: true, stdout: "[]" });
});

it.each([...files, page])("every action of others is pinned by commit, with its version: %s", (name) => {
  const used = textOf(name).match(/uses: .*/g) ?? [];
  for (const each of used.filter((action) => !action.includes("OWNER/REPOSITORY")))
    expect(each).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it("workflows keep no credentials, and restore no cache where they publish", () => {
  const checkouts = [...workflows.map(textOf), ...shown]
    .flatMap((text) => Object.values((parse(text) as Workflow).jobs).flatMap(({ steps }) => steps))
    .filter(({ uses }) => uses?.startsWith("actions/checkout@"));
  expect(checkouts.length).toBeGreaterThan(5);
  for (const { with: given } of checkouts) expect(given).toMatchObject({ "persist-credentials": false });
  expect(textOf(".github/workflows/release.yml")).not.toMatch(/^ +cache: |actions\/cache/m);
});

it("each token of a release is given to one job, which runs no code of packages", () => {
  const { permissions, jobs } = parse(textOf(".github/workflows/release.yml")) as Workflow;
  expect(permissions).toEqual({ contents: "read" });
  expect(jobs["build"]?.permissions).toBeUndefined();
  for (const { steps } of Object.values(jobs).filter((job) => job.permissions))
    for (const { uses = "", run = "" } of steps)
      expect(uses + run).not.toMatch(/checkout|npm (ci|install|run|exec)|npx|node /);
});
