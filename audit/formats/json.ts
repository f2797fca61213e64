import type { AuditReport } from "../report";
import { escapedJson } from "./escapedJson";

/** The report as JSON, by `report.schema.json`, with one line for each finding, channel and rule. */
export function* json(report: AuditReport): Generator<string> {
  yield "{\n";
  const members = Object.entries<unknown>({ ...report }).filter(([, value]) => value !== undefined);
  for (const [index, [name, value]] of members.entries()) {
    yield `  ${escapedJson(name)}: `;
    if (Array.isArray(value)) yield* jsonList(value, (item) => item, "  ");
    else yield escapedJson(value);
    yield index < members.length - 1 ? ",\n" : "\n";
  }
  yield "}\n";
}

/** A list with one line for each item. */
export function* jsonList<Item>(
  items: readonly Item[],
  toJson: (item: Item) => unknown,
  indent: string,
): Generator<string> {
  yield "[";
  for (const [index, item] of items.entries()) {
    yield `${index > 0 ? "," : ""}\n${indent}  ${escapedJson(toJson(item))}`;
  }
  yield items.length > 0 ? `\n${indent}]` : "]";
}
