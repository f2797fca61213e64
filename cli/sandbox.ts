/** Runs `monitoring sandbox`: starts the service, prints how to connect to it, and stops on a signal. */
import { createOrigin } from "../provider/api";
import { Settings } from "../provider/connection";
import { deleteNotes } from "../provider/publishing";
import { type Sandbox, SandboxError, startSandbox } from "../sandbox";
import { type Arguments, type CommandContext, print } from "./command";
import type * as definitions from "./definitions";
import { exitCodes } from "./exitCodes";

/** SIGHUP is sent when the terminal is closed, SIGBREAK for Ctrl-Break on Windows. */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const;

export async function runSandbox(
  { values }: Arguments<typeof definitions.sandbox>,
  { environment, stdout, stderr }: CommandContext,
): Promise<number> {
  const { port, data, ids } = values;
  try {
    const running = await startSandbox({ port: Number(port), data, ids });
    // The records of opened incidents are stored under the ID of their page.
    const incidents = running.data.accounts.flatMap(({ statusPageIncidents, componentPages }) => [
      ...statusPageIncidents,
      ...componentPages.flatMap((page) => [...page.incidents, { id: page.id, statusPageId: page.id }]),
    ]);
    // A sandbox in memory lost the updates of earlier runs, so their records are obsolete.
    if (data === undefined)
      deleteNotes(
        incidents.map(({ id: containerId, ...incident }) => ({
          service: createOrigin(running.url),
          containerId,
          ...("statusPageId" in incident && { statusPageId: incident.statusPageId }),
        })),
        new Settings(() => undefined, environment).getLockDirectory(),
      );
    const stopped = waitForStopSignal();
    await print(`${formatGreeting(running, data)}\n`, stdout);
    await stopped;
    await running.close();
    return exitCodes.success;
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    stderr.write(`${error.message}\n`);
    return exitCodes.failed;
  }
}

function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of stopSignals) process.once(signal, () => resolve());
  });
}

function formatGreeting({ url, apiKey, accountId, data }: Sandbox, file: string | undefined): string {
  const incident = data.accounts.find(({ id }) => id === accountId)?.statusPageIncidents[0];
  return `The sandbox is running, with test data and a test API key. Press Ctrl-C to stop it.

  Status page   ${url}/
  API           ${url}
  API key       ${apiKey}
  Account       ${accountId}
  Incident      ${incident === undefined ? "none" : `${incident.id} (${incident.name})`}
  Data          ${file ?? "in memory, until it stops"}

In the terminal that runs Pulumi:

  export MONITORING_BASE_URL=${url}
  export MONITORING_API_KEY=${apiKey}
  export MONITORING_ACCOUNT_ID=${accountId}
`;
}
