/** One page for people: whole in itself, readable without script, safe to open and to pass on. */
import { createHash } from "node:crypto";
import type { AuditReport } from "../../report";
import { type Markup, markup, trusted } from "../markup";
import { type Row, rowsOf, type Tone } from "../matrix";
import { amount, verdict } from "../words";
import { findingsSection, notEvaluableSection, rulesSection, waivedSection } from "./details";
import { filter, matrix } from "./table";
import { script } from "./script";
import { style } from "./style";

/** More would be a page that no browser likes and nobody reads. The worst come first. */
const mostRows = 1_000;
const order: readonly Tone[] = ["error", "warning", "clean"];

export function html(report: AuditReport): string {
  const rows = rowsOf(report).sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
  const shown = rows.slice(0, mostRows);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Alert channel audit: ${verdict(report.counts)}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#channels">Skip to the channels</a>
${header(report, rows)}
<main>
<section aria-labelledby="channels">
<h2 id="channels">Channels by rules</h2>
${filter(shown)}
${matrix(shown, report.rules)}
${more(rows.length - shown.length)}
</section>
${findingsSection(shown, report)}
${waivedSection(report)}
${notEvaluableSection(report)}
${rulesSection(report)}
</main>
<footer><p>Made by pulumi-monitoring-service. There is no credential in this page.</p></footer>
<script>${trusted(script)}</script>
</body>
</html>
`.text;
}

/** Nothing is loaded, nothing is sent, and nothing runs but what is written in the page. */
const policy = [
  "default-src 'none'",
  "img-src data:",
  `style-src '${digest(style)}'`,
  `script-src '${digest(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

const time = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

function header(report: AuditReport, rows: readonly Row[]): Markup {
  const { auditedAt, rules, counts } = report;
  const file = rules.find(({ location }) => location)?.location?.file;
  const clean = rows.filter(({ channel, tone }) => channel !== undefined && tone === "clean").length;
  return markup`<header>
<h1>Alert channel audit</h1>
<p class="quiet"><time datetime="${auditedAt}">${time.format(new Date(auditedAt))} UTC</time>${
    file === undefined ? "" : markup` · rules of <code>${file}</code>`
  }</p>
<dl class="counts">
${tile("Channels", counts.channels, "")}
${tile("Without findings", clean, "clean")}
${tile("Errors", counts.errors, "error")}
${tile("Warnings", counts.warnings, "warning")}
${tile("Waived", counts.waived, "waived")}
${tile("Not evaluable", counts.notEvaluable, "open")}
${counts.unreadable > 0 ? tile("Not read", counts.unreadable, "error") : ""}
</dl>
</header>`;
}

function tile(label: string, count: number, tone: string): Markup {
  const look = count === 0 ? "none" : tone;
  return markup`<div class="${look}"><dt>${label}</dt><dd>${count.toLocaleString("en")}</dd></div>`;
}

function more(left: number): Markup | string {
  return left > 0
    ? markup`<p class="quiet">and ${amount(left, "more channel")}: the json report has all.</p>`
    : "";
}
