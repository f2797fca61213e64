/** The formats of a report. */
import type { AuditReport } from "../report";
import { html } from "./html";
import { json } from "./json";
import { junit } from "./junit";
import { markdown } from "./markdown";
import { sarif } from "./sarif";
import { text, type TextOptions } from "./text";

export const formatNames = ["text", "json", "markdown", "sarif", "junit", "html"] as const;
export type Format = (typeof formatNames)[number];

/** A report in chunks, because the whole text for many channels takes more memory than everything else. */
export const pieces = {
  text,
  json,
  markdown: (report) => [markdown(report)],
  sarif,
  junit,
  html: (report) => [html(report)],
} satisfies Record<Format, (report: AuditReport, options: TextOptions) => Iterable<string>>;

/** A report as one document that ends with a line break. */
export const formats = {
  text: (report: AuditReport, options?: TextOptions) => join(text(report, options)),
  json: (report: AuditReport) => join(json(report)),
  markdown,
  sarif: (report: AuditReport) => join(sarif(report)),
  junit: (report: AuditReport) => join(junit(report)),
  html,
} satisfies Record<Format, (report: AuditReport) => string>;

function join(pieces: Iterable<string>): string {
  return [...pieces].join("");
}
