/** Runs `monitoring sandbox`: starts the service, says how to connect to it, and ends with a signal. */
import { parseArgs } from "node:util";
import { originOf } from "../provider/api";
import { Settings } from "../provider/connection";
import { forgetNotes } from "../provider/publishing";
import { kindsOfIds, type Sandbox, SandboxError, startSandbox } from "../sandbox";
import { choiceOf, UsageError } from "./command";
import { exitCodes } from "./exitCodes";

const defaultPort = 4010;
/** SIGHUP arrives if the terminal is closed, SIGBREAK for Ctrl-Break on Windows. */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const;

/** @throws UsageError for invalid arguments, which `parseArgs` reports otherwise */
export async function runSandbox(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string" },
      data: { type: "string" },
      "account-header": { type: "string" },
      ids: { type: "string" },
    },
  });
  const { data, "account-header": accountHeader } = values;
  const ids = values.ids === undefined ? undefined : choiceOf(kindsOfIds, "--ids", values.ids);
  const port = portOf(values.port);
  try {
    const running = await startSandbox({ port, data, accountHeader, ids });
    const incidents = running.data.accounts.flatMap(({ statusPageIncidents }) => statusPageIncidents);
    // A sandbox in memory has lost the updates of earlier runs, so their notes are obsolete.
    if (data === undefined)
      forgetNotes(
        originOf(running.url),
        incidents.map(({ id }) => id),
        new Settings(() => undefined, process.env).lockDirectory(),
      );
    const stopped = stopSignal();
    console.log(greeting(running, data, accountHeader));
    await stopped;
    await running.close();
    return exitCodes.success;
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    console.error(error.message);
    return exitCodes.failed;
  }
}

function portOf(text = String(defaultPort)): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of stopSignals) process.once(signal, () => resolve());
  });
}

function greeting(
  { url, apiKey, accountId, data }: Sandbox,
  file: string | undefined,
  accountHeader: string | undefined,
): string {
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
${accountHeader === undefined ? "" : `  export MONITORING_ACCOUNT_HEADER=${accountHeader}\n`}`;
}
