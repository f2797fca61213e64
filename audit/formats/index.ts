/** The formats of a report. */
import { extname } from "node:path";
import type { AuditReport } from "../report";
import { html } from "./html";
import { json } from "./json";
import { junit } from "./junit";
import { markdown } from "./markdown";
import { sarif } from "./sarif";
import { text } from "./text";

interface ReportFormat {
  (report: AuditReport): string;
  /** Of its files. */
  readonly extension: `.${string}`;
}

/** A report as one document that ends with a line break. */
export const formats = { text, json, markdown, sarif, junit, html } satisfies Record<string, ReportFormat>;

export type Format = keyof typeof formats;

const isFormat = (name: string): name is Format => Object.hasOwn(formats, name);

export const formatNames: readonly Format[] = Object.keys(formats).filter(isFormat);

/** The format of a file, by its extension. */
export function formatOf(file: string): Format | undefined {
  return formatNames.find((format) => formats[format].extension === extname(file));
}
