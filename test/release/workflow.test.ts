/** Workflows and actions are right. The release workflow: permissions of its jobs, and its steps that run without GitHub. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { releasesOf } from "../../tools/generate/schema/package";
import { mistakesIn, type Step } from "../examples/checkout";
import { clone, writeIn } from "../tools/fakePrograms";
import { temporaryFolder } from "../temporaryFolder";

interface Job {
  permissions?: Record<string, string>;
  steps: Step[];
}

const source = fs.readFileSync(path.join(clone, ".github/workflows/release.yml"), "utf8");
const workflow = parse(source) as {
  permissions: Record<string, string>;
  jobs: Record<"build" | "publish" | "release", Job>;
};
const { build, publish, release } = workflow.jobs;
const runs = build.steps.flatMap(({ run }) => run ?? []);

let root: string;

beforeEach(() => {
  root = temporaryFolder();
  write("package.json", JSON.stringify({ name: "p", version: "1.2.3" }));
});

const files = [
  ...["ci.yml", "daily.yml", "release.yml"].map((name) => `.github/workflows/${name}`),
  ...["audit", "preview"].map((name) => `.github/actions/${name}/action.yml`),
  "examples/audit-in-pipeline/.github/workflows/alert-channels.yml",
];

it.each([...files, ...["pipelines.md", "auditing.md"].map((name) => `docs/guides/${name}`)])(
  "%s pins every action of others by commit, and says its version",
  (name) => {
    const used = fs.readFileSync(path.join(clone, name), "utf8").match(/uses: .*/g) ?? [];
    for (const each of used.filter((action) => !action.includes("OWNER/REPOSITORY")))
      expect(each).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  },
);

it("workflows and actions are such, says GitHub's own parser", async () => {
  expect(await mistakesIn(...files.map((name) => path.join(clone, name)))).toEqual([]);
});

it("gives each token to one job, which runs no code of packages", () => {
  expect(workflow.permissions).toEqual({ contents: "read" });
  expect(build.permissions).toBeUndefined();
  expect(publish.permissions).toEqual({ "id-token": "write" });
  expect(release.permissions).toEqual({ contents: "write", "id-token": "write", attestations: "write" });
  for (const { uses = "", run = "" } of [...publish.steps, ...release.steps])
    expect(uses + run).not.toMatch(/checkout|npm (ci|install|run|exec)|npx|node /);
});

it("attests the provenance of every file of the release before it creates the release", () => {
  const attest = release.steps.find(({ uses }) => uses?.startsWith("actions/attest-build-provenance@"));
  expect(attest?.with).toEqual({ "subject-path": "release/*" });
});

it("runs all checks, and generates the schema and the SDKs that it packs", () => {
  expect(runs).toEqual(expect.arrayContaining([".ci/run", "npm run update", "npm run sdks", "npm pack"]));
});

it.each([
  ["v1.2.3", 0],
  ["v1.2.4", 1],
  ["1.2.3", 1],
])("takes the tag %s of version 1.2.3 with exit code %d", (tag, status) => {
  expect(run(build, "Check that the tag matches the version", { GITHUB_REF_NAME: tag })).toBe(status);
});

it("adds the repository to the package, as provenance requires, and to the schema", () => {
  const address = {
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "team/package",
    GITHUB_REF_NAME: "v1.2.3",
  };
  expect(run(build, "Add the URL of this repository", address)).toBe(0);
  const { homepage, repository } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
    homepage: string;
    repository: { url: string };
  };
  expect(homepage).toBe("https://github.com/team/package/blob/v1.2.3/README.md");
  expect(repository).toEqual({ type: "git", url: "git+https://github.com/team/package.git" });
  expect(releasesOf(repository)).toEqual({
    repository: "https://github.com/team/package",
    pluginDownloadURL: "github://api.github.com/team/package",
  });
});

it("attaches the archives, their checksums, the schema and the SDKs to the release", () => {
  const archives = ["dist-plugin/plugin.tar.gz", "dist-plugin/checksums.txt", "sdks/python.tar.gz"];
  for (const each of [...archives, "sdks/python/setup.py", "plugin/schema.json", "plugin/launcher"])
    write(each);
  expect(run(build, "Collect the files of the release")).toBe(0);
  write("bin/gh", '#!/bin/sh\nprintf "%s\\n" "$@" > gh.log\n');
  fs.chmodSync(path.join(root, "bin/gh"), 0o755);
  const PATH = [path.join(root, "bin"), process.env["PATH"]].join(path.delimiter);
  expect(run(release, "Create the release", { PATH, GITHUB_REF_NAME: "v1.2.3", NOTES: "Changes" })).toBe(0);
  expect(fs.readFileSync(path.join(root, "gh.log"), "utf8").trimEnd().split("\n")).toEqual([
    ...["release", "create", "v1.2.3"],
    ...["checksums.txt", "plugin.tar.gz", "python.tar.gz", "schema.json"].map((name) => `release/${name}`),
    ...["--verify-tag", "--title", "v1.2.3", "--notes", "Changes"],
  ]);
});

function write(name: string, text = ""): void {
  writeIn(root, name, text);
}

/** The exit code of a step, run in a small package. */
function run({ steps }: Job, name: string, env: NodeJS.ProcessEnv = {}): number | null {
  const script = steps.find((each) => each.name === name)?.run ?? "exit 100";
  return spawnSync("bash", ["-e", "-c", script], { cwd: root, env: { ...process.env, ...env } }).status;
}
