/** The formats of a report. */
import type { AuditReport } from "../report";
import type { Format } from "./formatNames";
import { html } from "./html";
import { json } from "./json";
import { junit } from "./junit";
import { markdown } from "./markdown";
import { sarif } from "./sarif";
import { text } from "./text";

/** A report as one document that ends with a line break. */
export const formats = { text, json, markdown, sarif, junit, html } satisfies Record<
  Format,
  (report: AuditReport) => string
>;
