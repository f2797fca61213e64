/** A report as text, for people and for the tools of a pipeline. */
import type { AuditReport } from "../report";
import { html } from "./html";
import { json } from "./json";
import { junit } from "./junit";
import { markdown } from "./markdown";
import { sarif } from "./sarif";
import { text } from "./text";

export const formatNames = ["text", "json", "markdown", "sarif", "junit", "html"] as const;
export type Format = (typeof formatNames)[number];

/** A report piece by piece: with very many channels the whole would take more memory than all the rest. */
export const pieces: Readonly<Record<Format, (report: AuditReport) => Iterable<string>>> = {
  text: (report) => [text(report)],
  json,
  markdown: (report) => [markdown(report)],
  sarif,
  junit,
  html: (report) => [html(report)],
};

const whole = (format: Format) => (report: AuditReport) => [...pieces[format](report)].join("");

/** A report as a whole document, which ends with a line break. */
export const formats = {
  text,
  json: whole("json"),
  markdown,
  sarif: whole("sarif"),
  junit: whole("junit"),
  html,
} satisfies Record<Format, (report: AuditReport) => string>;
