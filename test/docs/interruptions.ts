/** Interrupts the runs in a guide. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { descendantsOf, signalIfThere } from "../../tools/pulumi";
import { engineEnvironment, prepareEngine } from "../../tools/setup/engine";
import { until } from "../client/services";
import type { Service } from "../engine/service";

/** The events in the guide on interrupted runs. */
export const interruptions = (service: Service) => ({
  "run killed while it posts": (folder: string) => killRun(service, folder),
  "Ctrl-C is pressed while the update is posted": () => {
    const before = service.posts.length;
    void pressCtrlC(() => service.posts.length > before);
  },
});

/** Kills the engine and its child processes after the service has stored the update and before it responds. */
async function killRun(service: Service, folder: string): Promise<void> {
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

/** Sends the signal of Ctrl-C to the running engine as soon as an update is being posted. */
async function pressCtrlC(isPosting: () => boolean): Promise<void> {
  await until(isPosting);
  for (const { pid, command } of descendantsOf(process.pid))
    if (/^\S*pulumi up /.test(command)) signalIfThere(pid, "SIGINT");
}
