/** Tests many short cases that are written as a table in text. */
import { parse } from "yaml";
import { RulesError } from "../../audit";

/** Splits a table into rows, one for each line, with ` → ` between the cells. */
export const rows = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/(?:^| +)→ ?/));

/** Splits rows whose first cell is a value in YAML and whose second cell is a list of messages, separated by ` ; `. */
export const cases = <Value = object>(text: string): [yaml: string, value: Value, messages: string[]][] =>
  rows(text).map(([yaml = "", messages = ""]) => [
    yaml,
    Object(parse(yaml)) as Value,
    messages === "" ? [] : messages.split(" ; "),
  ]);

/** Returns the lines of the RulesError that a function throws. Empty if it doesn't throw. */
export function errorLines(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof RulesError) return error.message.split("\n");
    throw error;
  }
  return [];
}
