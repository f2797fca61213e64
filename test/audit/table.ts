/** Tests of many short cases as a text table. */
import { parse } from "yaml";
import { RulesError } from "../../audit";

/** Rows of a table, one a line, with ` → ` between the cells. */
export const rows = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/(?:^| +)→ ?/));

/** Rows whose first cell is a value in YAML, and the second one a list of messages, with ` ; ` between them. */
export const cases = <Value = object>(text: string): [yaml: string, value: Value, messages: string[]][] =>
  rows(text).map(([yaml = "", messages = ""]) => [
    yaml,
    Object(parse(yaml)) as Value,
    messages === "" ? [] : messages.split(" ; "),
  ]);

/** Lines of the RulesError that a function throws; none when it throws nothing. */
export function errorLines(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof RulesError) return error.message.split("\n");
    throw error;
  }
  return [];
}
