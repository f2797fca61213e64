/** Two projects whose stacks have the same relative lock directory. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Service, words } from "../engine/service";
import { plugin } from "./adapters";
import { DrivenProject, type Ended } from "./drivenProject";

const service = new Service();

/** The engine runs a provider in the folder of the project. */
function projectIn(folder: string): DrivenProject {
  const preload = join(folder, "chdir.js");
  writeFileSync(preload, `process.chdir(${JSON.stringify(folder)});`);
  const made = new DrivenProject(plugin, service.sandbox);
  made.config["monitoring:lockDirectory"] = "~/locks";
  Object.assign(made.env, { MONITORING_LOCK_DIRECTORY: "", MONITORING_DEADLINE_MS: "3000" });
  made.env["NODE_OPTIONS"] = `--require ${preload}`;
  return made;
}

it("don't post an identical update each, because the directory is another one for each", async () => {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), "project-")));
  service.sandbox.faults.add({ kind: "lateVisibility", ms: 600_000 });
  const ended: Ended[] = [];
  for (const folder of folders) ended.push(await projectIn(folder).up(words));
  expect(service.posts.length).toBeLessThan(2);
  for (const { output } of ended) expect(output).toContain("must be an absolute path");
});
