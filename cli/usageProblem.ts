/** What is printed about invalid arguments: one line, as the help would hide the mistake. */
import { nearestOf } from "../provider/texts/didYouMean";
import { oneLine } from "../provider/texts/printable";
import type { Subcommand } from "./command/command";

/** @param message of a `UsageError`, or of `parseArgs` */
export function usageProblem(message: string, name: string, { usage }: Pick<Subcommand, "usage">): string {
  return `${withSuggestion(oneLine(message), usage)} Run \`monitoring ${name} --help\`.`;
}

/** An unknown option has the one that is probably meant, in place of the advice on positional arguments. */
function withSuggestion(message: string, usage: string): string {
  const [, option] = /^Unknown option '(--?.*?)'/.exec(message) ?? [];
  if (option === undefined) return message.replace(/[^.?!]$/, "$&.");
  const options = [...usage.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = ""]) => name);
  const nearest = nearestOf(option.replace(/^-+/, ""), options);
  return `Unknown option ${option}${nearest === undefined ? "" : ` (did you mean "--${nearest}"?)`}.`;
}
