import type { Subcommand } from "./command/command";

export const previewCommand: Subcommand = {
  summary: "turn a preview into a comment on a pull request",

  usage: `Usage: monitoring preview [FILE] [--output FILE] [--log URL] [--exit-code CODE]

Turns what \`pulumi preview --json\` prints into a comment in Markdown: which
updates would be posted to which incidents, whether subscribers are emailed, and
the text of each, as it will be public. Sends no request.

  FILE              what \`pulumi preview --json > FILE\` wrote (default: standard
                    input)
  --output FILE     file for the comment (default: standard output); standard
                    output then shows the whole preview
  --log URL         address of the job's log, for links
  --exit-code CODE  exit code of \`pulumi preview\`: it may fail for a reason that
                    FILE lacks, such as a policy

Exit code: 0 success, 1 the preview failed, 2 invalid usage or input.`,

  async run(args) {
    // Loaded on demand, so that `monitoring sandbox` starts faster.
    const { runPreview } = await import("./previewRun");
    const { stdin, stdout, stderr } = process;
    return runPreview(args, { stdin, stdout, stderr });
  },
};
