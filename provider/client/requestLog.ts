/** Logs a line for each attempt of a request, if a variable asks for it. The line has nothing of bodies, headers and queries. */
import { oneLine, type Problem } from "../texts";
import { type AttemptResult } from "./http";

export const logVariable = "MONITORING_LOG";

/** Prints where the engine shows what a provider or a program prints, and where a command prints no data. */
export function printToStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Returns whether requests are logged, and the problem of the variable. */
export function logSetting({ [logVariable]: value = "" }: Readonly<Record<string, string | undefined>>): {
  readonly isOn: boolean;
  readonly problem?: Problem;
} {
  const word = value.trim();
  if (word === "" || word === "requests") return { isOn: word !== "" };
  return { isOn: false, problem: { property: logVariable, reason: 'must be "requests" or unset' } };
}

/** @param title The operation and the ids, without an API key. */
export function logLine(
  title: string,
  result: AttemptResult,
  { ms, attempt }: { readonly ms: number; readonly attempt: number },
): string {
  const outcome = "status" in result ? `HTTP ${result.status}` : [result.at, result.code].join(" ").trim();
  return oneLine(`request ${title}: ${outcome}, ${ms} ms, attempt ${attempt}`);
}
