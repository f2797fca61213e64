#!/usr/bin/env node
/** Runs the command `monitoring`: finds the subcommand, shows help, and converts errors to one line and an exit code. */
import "./requireNodeVersion";
import { version } from "../provider/packageManifest";
import { formatSuggestion, toOneLine } from "../provider/texts";
import { UsageError } from "./command";
import { commands as subcommands, type Subcommand } from "./commands";
import { exitCodes } from "./exitCodes";

const commands = new Map<string, Subcommand>(Object.entries(subcommands));

const usage = `Usage: monitoring <command> [options]

Commands:
${[...commands].map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`).join("\n")}

Run \`monitoring <command> --help\` for the options of a command.`;

const { env: environment, stdout, stderr } = process;
const context = { environment, stdout, stderr, now: new Date() };

async function main([name, ...args]: string[]): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") {
    console.log(usage);
    return exitCodes.success;
  }
  if (name === "--version") {
    console.log(version);
    return exitCodes.success;
  }
  const command = commands.get(name ?? "");
  if (name === undefined || command === undefined) {
    console.error(`${formatCommandProblem(name)} Run \`monitoring --help\`.`);
    return exitCodes.invalid;
  }
  // `--help` is only recognized as the first argument. Elsewhere it could be a value, and a pipeline would pass without running the
  // command.
  if (args[0] === "--help" || args[0] === "-h") {
    console.log(command.help);
    return exitCodes.success;
  }
  try {
    return await command.run(args, context);
  } catch (error) {
    // Print one line, because the whole help would hide the error.
    if (error instanceof UsageError)
      console.error(`${toOneLine(error.message)} Run \`monitoring ${name} --help\`.`);
    else console.error(formatInternalError(error));
    return exitCodes.invalid;
  }
}

function formatCommandProblem(name: string | undefined): string {
  const names = [...commands.keys()];
  if (name === undefined) return `A command is required, one of ${names.join(", ")}.`;
  return `Unknown command ${toOneLine(name)}${formatSuggestion(name, names)}.`;
}

function formatInternalError(error: unknown): string {
  const kind = error instanceof Error ? `${error.name}, ` : "";
  return (
    "monitoring: internal error in pulumi-monitoring-service; please report it " +
    `(${kind}version ${version}, Node ${process.versions.node}).`
  );
}

// Node would exit with 1, the exit code for findings.
process.once("uncaughtException", (error) => {
  console.error(formatInternalError(error));
  process.exit(exitCodes.invalid);
});

void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
