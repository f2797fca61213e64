import type { Subcommand } from "./command/command";

export const updatesCommand: Subcommand = {
  summary: "list the updates of a status-page incident",

  usage: `Usage: monitoring updates --incident ID [--format FORMAT] [--limit NUMBER]

Reads a status-page incident and lists its updates, newest first. Posts nothing.

  --incident ID     status-page incident
  --format FORMAT   text, json or markdown (default: text)
  --limit NUMBER    number of updates to list (default: 100); a service may
                    return only the 100 latest updates

Text and markdown shorten long descriptions; json contains all of each.

Set MONITORING_BASE_URL and MONITORING_API_KEY, and optionally
MONITORING_ACCOUNT_ID, to connect to the service.

Exit code: 0 success, 2 invalid usage or configuration, 3 the incident could not
be read.`,

  async run(args) {
    // Loaded on demand, so that `monitoring sandbox` starts faster.
    const { runUpdates } = await import("./updatesRun");
    const { env: environment, stdout, stderr } = process;
    return runUpdates(args, { environment, stdout, stderr });
  },
};
