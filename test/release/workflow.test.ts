/** The steps of the release workflow that run without GitHub. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { temporaryFolder } from "./fakePrograms";

interface Job {
  permissions?: Record<string, string>;
  steps: { name?: string; uses?: string; run?: string }[];
}

const clone = path.resolve(__dirname, "../..");
const workflow = parse(fs.readFileSync(path.join(clone, ".github/workflows/release.yml"), "utf8")) as {
  permissions: Record<string, string>;
  jobs: Record<"build" | "publish", Job>;
};
const { build, publish } = workflow.jobs;

let root: string;

beforeEach(() => {
  root = temporaryFolder();
  fs.writeFileSync(path.join(root, "package.json"), JSON.stringify({ name: "p", version: "1.2.3" }));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

it("gives an identity for the registry only to the job that publishes the tarball", () => {
  expect(workflow.permissions).toEqual({ contents: "read" });
  expect(build.permissions).toBeUndefined();
  expect(publish.permissions).toEqual({ "id-token": "write" });
  expect(publish.steps.map(({ uses, run }) => uses?.split("@")[0] ?? run)).toEqual([
    "actions/setup-node",
    "actions/download-artifact",
    "npm publish ./*.tgz --provenance --access public",
  ]);
});

it("runs all checks before it packs", () => {
  const runs = build.steps.flatMap(({ run }) => run ?? []);
  expect(runs.indexOf(".ci/run")).toBeLessThan(runs.findIndex((run) => run.includes("npm pack")));
  expect(runs).toContain(".ci/run");
});

it.each([
  ["v1.2.3", 0],
  ["v1.2.4", 1],
  ["1.2.3", 1],
])("takes the tag %s of version 1.2.3 with exit code %d", (tag, status) => {
  expect(step("Check that the tag matches the version", { GITHUB_REF_NAME: tag })).toBe(status);
});

it("adds the repository to the package, as provenance requires", () => {
  const address = { GITHUB_SERVER_URL: "https://github.example", GITHUB_REPOSITORY: "team/package" };
  expect(step("Pack, with the URL of this repository", address)).toBe(0);
  expect(fs.existsSync(path.join(root, "p-1.2.3.tgz"))).toBe(true);
  expect(JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))).toMatchObject({
    repository: { type: "git", url: "git+https://github.example/team/package.git" },
  });
});

/** The exit code of a step, run in a small package. */
function step(name: string, env: NodeJS.ProcessEnv): number | null {
  const script = build.steps.find((each) => each.name === name)?.run ?? "exit 100";
  return spawnSync("bash", ["-e", "-c", script], { cwd: root, env: { ...process.env, ...env } }).status;
}
