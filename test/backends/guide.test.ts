/** The guide on shared state works as it is written, with its state on a PostgreSQL server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { engineEnvironment, prepareEngine } from "../../tools/setup/engine";
import { until } from "../client/services";
import { followGuideWithStack } from "../docs/walkthrough";
import { Service } from "../engine/service";
import { startPostgres } from "./servers";

const shown = "postgres://pulumi@127.0.0.1:5432/pulumi?sslmode=disable";
const service = new Service();

/** Kills the engine and all that it started, after the service has the update and before it responds. */
async function killJob(folder: string): Promise<void> {
  const { sandbox, applied } = service;
  sandbox.faults.add({ kind: "hang", operation: "createIncidentUpdate", applied: true, times: 1 });
  const job = spawn(
    "bash",
    ["-c", 'source "$0"; exec pulumi up --yes --skip-preview', join(folder, ".env-of-reader")],
    { cwd: folder, env: engineEnvironment(await prepareEngine(), {}), detached: true, stdio: "ignore" },
  );
  const exit = once(job, "exit");
  await until(() => job.exitCode !== null || service.applied > applied);
  expect(job.exitCode).toBeNull();
  process.kill(-(job.pid ?? 0), "SIGKILL");
  await exit;
}

it("the guide shared-state moves a stack, fresh runners continue, and a killed job's update is posted once", async () => {
  const backend = await startPostgres();
  try {
    await followGuideWithStack("docs/guides/shared-state.md", {
      url: service.sandbox.url,
      replaced: { [shown]: backend.url },
      events: { "a job is killed while it posts": killJob },
    });
  } finally {
    await backend.close();
  }
  expect(service.published().map(({ status }) => status)).toEqual(["MONITORING", "RESOLVED"]);
  expect(service.posts).toHaveLength(2);
});
