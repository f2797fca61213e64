import type { AuditReport } from "../report";

/** The report as JSON, by `report.schema.json`, with one line for each finding, channel and rule. */
export function* json(report: AuditReport): Generator<string> {
  yield "{\n";
  const members = Object.entries<unknown>({ ...report }).filter(([, value]) => value !== undefined);
  for (const [index, [name, value]] of members.entries()) {
    yield `  ${JSON.stringify(name)}: `;
    if (Array.isArray(value)) yield* jsonList(value, (item) => item, "  ");
    else yield JSON.stringify(value);
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
    yield `${index > 0 ? "," : ""}\n${indent}  ${JSON.stringify(toJson(item))}`;
  }
  yield items.length > 0 ? `\n${indent}]` : "]";
}
