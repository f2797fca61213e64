/** A report as text, for people and for the tools of a pipeline. */
import type { AuditReport } from "../report";
import { html } from "./html";
import { json } from "./json";
import { junit } from "./junit";
import { markdown } from "./markdown";
import { sarif } from "./sarif";
import { text, type TextOptions } from "./text";

export const formatNames = ["text", "json", "markdown", "sarif", "junit", "html"] as const;
export type Format = (typeof formatNames)[number];

/** A report piece by piece: with very many channels the whole would take more memory than all the rest. */
export const pieces = {
  text,
  json,
  markdown: (report) => [markdown(report)],
  sarif,
  junit,
  html: (report) => [html(report)],
} satisfies Record<Format, (report: AuditReport, options: TextOptions) => Iterable<string>>;

/** A report as a whole document, which ends with a line break. */
export const formats = {
  text: (report: AuditReport, options?: TextOptions) => whole(text(report, options)),
  json: (report: AuditReport) => whole(json(report)),
  markdown,
  sarif: (report: AuditReport) => whole(sarif(report)),
  junit: (report: AuditReport) => whole(junit(report)),
  html,
} satisfies Record<Format, (report: AuditReport) => string>;

function whole(pieces: Iterable<string>): string {
  return [...pieces].join("");
}
