/** Lists the report formats. Each one writes a report as one document that ends with a line break. */
import { html } from "./html";
import { json } from "./json";
import { junit } from "./junit";
import { markdown } from "./markdown";
import { type Format } from "./names";
import { sarif } from "./sarif";
import { text } from "./text";

export const formats = { text, json, markdown, sarif, junit, html } satisfies Record<Format, unknown>;
