/** Writes a report as JSON, with one line for each finding, channel and rule. */
import { escapedJson } from "../../provider/texts";
import type { AuditReport } from "../report";

export function json(report: AuditReport): string {
  const members = Object.entries<unknown>({ ...report })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = Array.isArray(value) ? jsonList(value, "  ") : escapedJson(value);
      return `  ${escapedJson(name)}: ${text}`;
    });
  return `{\n${members.join(",\n")}\n}\n`;
}

json.extension = ".json" as const;

/** Formats a list with one line for each item. */
export function jsonList(items: readonly unknown[], indent: string): string {
  if (items.length === 0) return "[]";
  return `[\n${items.map((item) => `${indent}  ${escapedJson(item)}`).join(",\n")}\n${indent}]`;
}
