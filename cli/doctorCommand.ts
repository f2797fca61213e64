import type { Subcommand } from "./command/command";

export const doctorCommand: Subcommand = {
  summary: "check the settings, the service and its use of ids",

  usage: `Usage: monitoring doctor [--stack STACK] [--account NAME] [--format FORMAT]
                         [--post-to INCIDENT [--yes]]

Checks the settings, the way to the service, the key, the account, the alert
channels that it has by name, and this machine's clock. Without --post-to, it
only reads. It prints no secret.

  --stack STACK     read the settings of a stack too, by \`pulumi config\`
                    (default: the environment variables alone)
  --account NAME    account in monitoring:accounts (default: the default one)
  --post-to INCIDENT
                    find out what the service does with ids of updates, which
                    decides about the guarantee: post an update on this test
                    incident, then the same one with the same id again, which
                    may become a second line; nobody is emailed
  --yes             post without a question
  --format FORMAT   text or json (default: text)

Exit code: 0 nothing is wrong, 1 something is, or the posts failed, 2 invalid
usage.`,

  async run(args) {
    // Loaded on demand, so that \`monitoring sandbox\` starts faster.
    const { runDoctor } = await import("./doctor/doctorRun");
    const { env: environment, stdin, stdout, stderr } = process;
    return runDoctor(args, { environment, stdin, stdout, stderr });
  },
};
