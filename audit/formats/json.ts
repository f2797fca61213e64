/** Writes a report as JSON, with one line for each finding, channel and rule. */
import { escapedJson } from "../../provider/texts";
import { reportFormat } from "./format";

export const json = reportFormat(".json", function* (report) {
  let start = "{\n";
  for (const [name, value] of Object.entries<unknown>({ ...report })) {
    if (value === undefined) continue;
    yield `${start}  ${escapedJson(name)}: `;
    if (Array.isArray(value)) yield* jsonList(value, "  ");
    else yield escapedJson(value);
    start = ",\n";
  }
  yield "\n}\n";
});

/** Yields a list with one line for each item. */
export function* jsonList(items: Iterable<unknown>, indent: string): Generator<string> {
  let start = "[\n";
  for (const item of items) {
    yield `${start}${indent}  ${escapedJson(item)}`;
    start = ",\n";
  }
  yield start === "[\n" ? "[]" : `\n${indent}]`;
}
