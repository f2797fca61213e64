import { parseArgs } from "node:util";
import { type Sandbox, SandboxError, startSandbox } from "../sandbox";
import { type Command, UsageError } from "./command";

const usualPort = 4010;

export const sandbox: Command = {
  summary: "run a monitoring service on this machine, with data to play with",

  usage: `Usage: monitoring sandbox [--port PORT] [--data FILE]

Runs a monitoring service on this machine until Ctrl-C.

  --port PORT   port of 127.0.0.1, 0 for any free one (default ${usualPort})
  --data FILE   JSON file that keeps the data between runs (default: in memory)`,

  async run(args) {
    const { values } = parseArgs({ args, options: { port: { type: "string" }, data: { type: "string" } } });
    const port = portOf(values.port);
    try {
      const running = await startSandbox({ port, data: values.data });
      const stopped = stopSignal();
      console.log(greeting(running, values.data));
      await stopped;
      await running.close();
      return 0;
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      console.error(error.message);
      return 1;
    }
  },
};

function portOf(text = String(usualPort)): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

function greeting({ url, apiKey, accountId, data }: Sandbox, file: string | undefined): string {
  const incident = data.accounts.find(({ id }) => id === accountId)?.statusPageIncidents[0];
  return `The sandbox is running. Everything in it is test data, its API key too. Ctrl-C stops it.

  Status page   ${url}/
  API           ${url}
  API key       ${apiKey}
  Account       ${accountId}
  An incident   ${incident === undefined ? "none" : `${incident.id} (${incident.name})`}
  Data          ${file ?? "in memory: gone when it stops"}

For the terminal that runs Pulumi:

  export MONITORING_BASE_URL=${url}
  export MONITORING_API_KEY=${apiKey}
  export MONITORING_ACCOUNT_ID=${accountId}
`;
}
