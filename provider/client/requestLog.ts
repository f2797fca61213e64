/** Logs a line for each attempt of a request if a variable enables it. The line contains nothing from bodies, headers or queries. */
import { toOneLine, type Problem } from "../texts";
import { type AttemptResult } from "./http";

export const logVariable = "MONITORING_LOG";

/** Prints to standard error: the engine shows it for a provider or a program, and a command keeps standard output for data. */
export function printToStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Returns whether requests are logged, and the problem of the variable. */
export function readLogSetting({ [logVariable]: value = "" }: Readonly<Record<string, string | undefined>>): {
  readonly isOn: boolean;
  readonly problem?: Problem;
} {
  const word = value.trim();
  if (word === "" || word === "requests") return { isOn: word !== "" };
  return { isOn: false, problem: { property: logVariable, reason: 'must be "requests" or unset' } };
}

/** @param title The operation and the IDs, without an API key. */
export function formatLogLine(
  title: string,
  result: AttemptResult,
  { ms, attempt }: { readonly ms: number; readonly attempt: number },
): string {
  const outcome = "status" in result ? `HTTP ${result.status}` : [result.kind, result.code].join(" ").trim();
  return toOneLine(`request ${title}: ${outcome}, ${ms} ms, attempt ${attempt}`);
}
