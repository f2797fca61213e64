/** A self-contained HTML page without JavaScript. */
import { channelKey, channelLabel, type ChannelReference } from "../channel";
import { type AuditReport, type Finding, type NotEvaluableResult, type RuleResult } from "../report";
import { markup, type Markup, trusted, amount } from "../../provider/texts";
import { type Cell, keyOf, type Row, rowsOf, type Status, type Tone } from "./matrix";
import {
  capital,
  findingText,
  fixOf,
  notEvaluableGroups,
  notEvaluableText,
  scopeOfRules,
  verdict,
  waiverText,
} from "./reportText";
import { createHash } from "node:crypto";

/** Colors have a contrast of at least 4.5 : 1, and no information depends on color alone. */
const reportStyle = `
:root {
  color-scheme: light;
  --back: #f6f7f9; --card: #ffffff; --line: #dde2e9; --text: #111827; --quiet: #4b5563; --link: #1d4ed8;
  --error: #b91c1c; --error-back: #fee2e2; --warning: #92400e; --warning-back: #fef3c7;
  --clean: #15803d; --waived: #5b21b6; --waived-back: #ede9fe; --open: #1e40af; --open-back: #dbeafe;
  --faint: #6b7280;
}
@media (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --back: #0d1117; --card: #161b22; --line: #2d3540; --text: #e6edf3; --quiet: #a3afbc; --link: #8ab4ff;
    --error: #ff9a94; --error-back: #4a1d1f; --warning: #f0c14b; --warning-back: #40320f;
    --clean: #4ade80; --waived: #c4b5fd; --waived-back: #322a56; --open: #93c5fd; --open-back: #172f55;
    --faint: #8b97a5;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto; max-width: 90rem; padding: 0 1.25rem 3rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  -webkit-text-size-adjust: 100%;
}
h1, h2, h3, p, ul, dl, dd { margin: 0; padding: 0; }
ul { list-style: none; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1rem; line-height: 1.35; overflow-wrap: anywhere; }
header { padding-top: 2.5rem; }
footer { margin-top: 3rem; color: var(--quiet); font-size: .9rem; }
a { color: var(--link); text-underline-offset: .15em; }
code { font: .9em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--card); }
.skip:focus { left: 1rem; top: 1rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }

.error { --tone: var(--error); --ground: var(--error-back); }
.warning { --tone: var(--warning); --ground: var(--warning-back); }
.clean { --tone: var(--clean); --ground: transparent; }
.waived { --tone: var(--waived); --ground: var(--waived-back); }
.open { --tone: var(--open); --ground: var(--open-back); }
.none { --tone: var(--faint); --ground: transparent; }

.verdict { display: flex; align-items: baseline; gap: .6rem; margin: 1rem 0 .25rem; font-size: 1.25rem; color: var(--tone); }
.verdict .sign { flex: none; }
.phone { display: none; }

.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin-bottom: .75rem; color: var(--quiet); font-size: .9rem; }
.sign {
  display: inline-block; width: 1.5rem; border-radius: .3rem; text-align: center; font-weight: 700;
  color: var(--tone); background: var(--ground);
}

.scroll {
  position: relative; overflow: auto; background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
  /* The header can only stick to the box that scrolls sideways, so this one scrolls down as well. */
  max-height: max(24rem, 92svh);
  /* Keeps focused cells clear of the sticky header and first column. */
  scroll-padding: 13rem 0 0 21rem;
}
table { border-collapse: separate; border-spacing: 0; }
.matrix { min-width: 100%; }
.matrix thead th { position: sticky; top: 0; z-index: 2; background: var(--card); padding: .75rem 0 .5rem; vertical-align: bottom; text-align: center; border-bottom: 2px solid var(--line); }
.matrix thead a { display: inline-block; color: var(--text); font-size: .85rem; font-weight: 500; text-decoration: none; }
.matrix thead a:hover { text-decoration: underline; }
.matrix thead span { display: block; writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; }
.matrix .corner, .matrix tbody th {
  position: sticky; left: 0; z-index: 1; padding: .4rem 1rem; text-align: left; background: var(--card);
  border-right: 1px solid var(--line);
}
.matrix .corner { z-index: 3; font-size: .85rem; padding-bottom: .6rem; }
.matrix tbody th { min-width: 11rem; max-width: 20rem; font-weight: 400; line-height: 1.3; }
.matrix b { display: block; font-weight: 600; overflow-wrap: anywhere; }
.matrix small { color: var(--quiet); font-size: .8rem; white-space: nowrap; }
.matrix td { padding: 2px; min-width: 2.25rem; height: 2.75rem; text-align: center; font-weight: 700; color: var(--tone); }
.matrix td.clean { font-weight: 400; }
.matrix td > * { border-radius: .35rem; }
.matrix td a, .matrix td > span:first-child {
  display: grid; place-content: center; height: 100%; min-height: 2.25rem; color: inherit; background: var(--ground);
  text-decoration: none; border-radius: .35rem;
}
.matrix td a:hover { outline: 2px solid var(--tone); }
.matrix tbody tr + tr > * { border-top: 1px solid var(--line); }
.matrix tbody tr:hover > * { background-color: color-mix(in srgb, var(--line) 35%, var(--card)); }

.card { padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.card + .card { margin-top: .75rem; }
.card:target { border-color: var(--link); box-shadow: 0 0 0 2px var(--link); }
.card h3 small { margin-left: .4rem; color: var(--quiet); font-weight: 400; }
.findings p { max-width: 48rem; }
.findings li { margin-top: .75rem; padding-left: .9rem; border-left: .25rem solid var(--tone); }
.badge {
  padding: .05rem .5rem; border-radius: 1rem; color: var(--tone); background: var(--ground); font-size: .8rem; font-weight: 650;
}
.questions li + li { margin-top: .6rem; padding-top: .6rem; border-top: 1px solid var(--line); }
.rules { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: .75rem; }
.rules .card { margin: 0; }
.rules p { margin-top: .4rem; }

@media (max-width: 40rem) {
  body { padding: 0 .9rem 2rem; }
  header { padding-top: 1.5rem; }
  h1 { font-size: 1.6rem; }
  .matrix .passing { display: none; }
  .phone { display: block; margin-top: .5rem; }
  .matrix tbody th, .matrix .corner { min-width: 8.5rem; max-width: 8.5rem; padding-left: .75rem; padding-right: .5rem; }
  .matrix small { white-space: normal; }
  .scroll { scroll-padding-left: 9rem; }
}
@media print {
  @page { size: A4 landscape; margin: 12mm; }
  :root {
    color-scheme: light;
    --back: #fff; --card: #fff; --line: #999; --text: #000; --quiet: #333; --link: #000; --faint: #555;
    --error: #900; --error-back: #fdd; --warning: #630; --warning-back: #feb; --clean: #060;
    --waived: #407; --waived-back: #eef; --open: #036; --open-back: #def;
  }
  body { padding: 0; max-width: none; font-size: 10pt; }
  .skip, footer { display: none; }
  .scroll { overflow: visible; max-height: none; border: 0; }
  .matrix thead th, .matrix tbody th { position: static; }
  a { text-decoration: none; }
  .matrix thead { display: table-header-group; }
  .matrix td, .matrix tbody th { height: auto; padding: 1pt 3pt; }
  .matrix td a, .matrix td > span:first-child { min-height: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .matrix td { min-width: 0; }
  .matrix thead span { font-size: 8pt; }
  tr, .card, .findings li { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
`;

// The matrix of channels by rules.

const looks: Readonly<Record<Status, { sign: string; look: string; means: string }>> = {
  error: { sign: "✕", look: "error", means: "error" },
  warning: { sign: "!", look: "warning", means: "warning" },
  waived: { sign: "w", look: "waived", means: "waived" },
  known: { sign: "k", look: "waived", means: "known" },
  "not evaluable": { sign: "?", look: "open", means: "not evaluable" },
  passed: { sign: "✓", look: "clean", means: "passed" },
};

const notApplicable = { sign: "·", look: "none", means: "does not apply" };

function matrix(rows: readonly Row[], rules: readonly RuleResult[]): Markup {
  const columns = rules.filter(({ id }) => rows.some((row) => row.cell(id)));
  const quiet = new Set(
    columns.map(({ id }) => id).filter((id) => !rows.some((row) => isFinding(row.cell(id)))),
  );
  return markup`${legend()}
<div class="scroll" role="region" aria-labelledby="caption" tabindex="0">
<table class="matrix">
<caption id="caption" class="unseen">The result of each rule for each channel. Findings link to their details above.</caption>
<thead><tr>
<th scope="col" class="corner">Channel</th>
${columns.map((rule) => markup`<th scope="col"${quiet.has(rule.id) ? markup` class="passing"` : ""}><a href="#rule-${anchor(rule.id)}"><span>${rule.id}</span></a></th>`)}
</tr></thead>
<tbody>
${rows.map((row) => rowOf(row, columns, quiet))}
</tbody>
</table>
</div>
${quiet.size > 0 ? markup`<p class="quiet phone">${amount(quiet.size, "rule")} without findings ${quiet.size === 1 ? "is" : "are"} left out on this screen.</p>` : ""}`;
}

/** @param quiet The rules without findings, which a phone has no room for. */
function rowOf(row: Row, columns: readonly RuleResult[], quiet: ReadonlySet<string>): Markup {
  return markup`<tr>
<th scope="row">${channelName(row)}</th>
${columns.map(({ id }) => cellOf(row.cell(id), row, quiet.has(id) ? ["passing"] : []))}
</tr>
`;
}

function isFinding(cell: Cell | undefined): boolean {
  return cell?.status === "error" || cell?.status === "warning" || cell?.blocks === true;
}

function cellOf(cell: Cell | undefined, row: Row, classes: readonly string[]): Markup {
  const { sign, look, means } = cell ? looks[cell.status] : notApplicable;
  const tone = cell?.blocks ? "error" : look;
  const content = markup`<span aria-hidden="true">${sign}</span><span class="unseen">${means}</span>`;
  const hint = cell && cell.messages.length > 0 ? markup` title="${cell.messages.join("; ")}"` : "";
  const inner = isFinding(cell) ? markup`<a href="#${rowAnchor(row)}">${content}</a>` : content;
  return markup`<td class="${[tone, ...classes].join(" ")}"${hint}>${inner}</td>`;
}

function channelName({ channel }: Row): Markup {
  if (channel === undefined) return markup`<b>All channels together</b>`;
  const { id, name, origin, type = "not evaluable" } = channel;
  const facts = [...(origin === undefined ? [] : [origin]), type];
  return markup`<b>${name === undefined ? id : `${id} ${name}`}</b> <small>${facts.join(" · ")}</small>`;
}

function rowAnchor({ channel }: Row): string {
  return channel === undefined ? "all-channels" : `channel-${anchor(channelKey(channel))}`;
}

/** An id as the fragment of a URL. */
function anchor(id: string): string {
  return encodeURIComponent(id).replace(/%/g, "_");
}

function legend(): Markup {
  const signs = [...Object.values(looks), notApplicable].map(
    ({ sign, look, means }) =>
      markup`<li><span class="sign ${look}" aria-hidden="true">${sign}</span> ${means}</li>`,
  );
  return markup`<ul class="legend" aria-label="Legend">${signs}</ul>`;
}

// The sections below the matrix: findings, waivers, what isn't evaluable, and the rules.

function findingsSection(rows: readonly Row[], { findings, notEvaluable }: AuditReport): Markup | string {
  const byChannel = new Map<string, Markup[]>();
  const add = (channel: ChannelReference | undefined, item: Markup) => {
    const items = byChannel.get(keyOf(channel)) ?? [];
    byChannel.set(keyOf(channel), [...items, item]);
  };
  for (const result of notEvaluable) if (result.blocks) add(result.channel, blockingItem(result));
  for (const finding of findings) add(finding.channel, findingItem(finding));
  const found = rows.filter(({ tone }) => tone !== "clean");
  if (found.length === 0) return "";
  return markup`<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
${found.map(
  (row) => markup`<article id="${rowAnchor(row)}" class="card" tabindex="-1">
<h3>${channelName(row)}</h3>
<ul class="findings">
${byChannel.get(keyOf(row.channel)) ?? []}
</ul>
</article>
`,
)}
</section>`;
}

function findingItem({ severity, rule, field, actual, expected, docs, ...text }: Finding): Markup {
  return markup`<li class="${severity}">
<p><span class="badge">${severity}</span> <a href="#rule-${anchor(rule)}">${rule}</a>${docsLink(rule, docs)}</p>
<p><code>${field}</code>: ${actual}<span class="quiet">, expected ${expected}</span></p>
<p class="quiet">${fixOf(text)}</p>
</li>
`;
}

function blockingItem(result: NotEvaluableResult): Markup {
  return markup`<li class="error">
<p><span class="badge">not evaluable</span> <a href="#rule-${anchor(result.rule)}">${result.rule}</a></p>
<p>${notEvaluableText(result)}</p>
</li>
`;
}

function waivedSection({ waived }: AuditReport): Markup | string {
  const lines = waived.map((finding) => ({
    rules: [finding.rule],
    text: findingText(finding),
    quiet: `${channelLabel(finding.channel)}, ${waiverText(finding.waiver)}`,
  }));
  return listSection("waived", "Waived", lines);
}

function baselinedSection({ baselined }: AuditReport): Markup | string {
  const lines = baselined.map((finding) => ({
    rules: [finding.rule],
    text: findingText(finding),
    quiet: `${channelLabel(finding.channel)}: ${fixOf(finding)}`,
  }));
  return listSection("known", "Known findings of the baseline", lines);
}

function notEvaluableSection(report: AuditReport): Markup | string {
  const lines = notEvaluableGroups(report, false).map((group) => ({
    rules: group.rules,
    text: notEvaluableText(group),
    quiet: group.channels,
  }));
  return listSection("open", "Not evaluable", lines);
}

const maxLines = 200;

interface Line {
  readonly rules: readonly string[];
  readonly text: string;
  readonly quiet: string;
}

function listSection(id: string, title: string, lines: readonly Line[]): Markup | string {
  if (lines.length === 0) return "";
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<ul class="card questions">
${lines.slice(0, maxLines).map(
  ({ rules, text, quiet }) => markup`<li>
<p>${rules.map((rule, index) => markup`${index > 0 ? ", " : ""}<a href="#rule-${anchor(rule)}">${rule}</a>`)}: ${text}</p>
<p class="quiet">${quiet}</p>
</li>
`,
)}
</ul>
${omitted(lines.length - maxLines, "more line")}
</section>`;
}

function rulesSection({ rules }: AuditReport): Markup {
  return markup`<section aria-labelledby="rules">
<h2 id="rules">Rules</h2>
<div class="rules">
${rules.map(ruleItem)}
</div>
</section>`;
}

function ruleItem({ id, title, why, fix, severity, docs }: RuleResult): Markup {
  return markup`<article id="rule-${anchor(id)}" class="card ${severity}" tabindex="-1">
<h3>${title}</h3>
<p><code>${id}</code> <span class="badge">${severity}</span>${docsLink(id, docs)}</p>
<p>${why}</p>
<p class="quiet">${fix}</p>
</article>
`;
}

/** Links of different targets have different names, for a screen reader. */
function docsLink(rule: string, docs: string | undefined): Markup | string {
  return docs === undefined
    ? ""
    : markup` <a href="${docs}">Documentation<span class="unseen"> of ${rule}</span></a>`;
}

function omitted(count: number, what: string): Markup | string {
  return count > 0 ? markup`<p class="quiet">and ${amount(count, what)}: see the json report.</p>` : "";
}

const dot = " · ";

/** Limits the size of the page. Channels with the most severe findings come first. */
const maxRows = 1_000;
const order: readonly Tone[] = ["error", "warning", "clean"];

export function html(report: AuditReport): string {
  const rows = rowsOf(report).sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
  const shown = rows.slice(0, maxRows);
  const first = rows.some(({ tone }) => tone !== "clean") ? "findings" : "channels";
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Alert channel audit: ${verdict(report.counts)}</title>
<link rel="icon" href="data:,">
<style>${trusted(reportStyle)}</style>
</head>
<body>
<a class="skip" href="#${first}">Skip to the ${first}</a>
${header(report, rows)}
<main>
${findingsSection(shown, report)}
${waivedSection(report)}
${baselinedSection(report)}
${notEvaluableSection(report)}
<section aria-labelledby="channels">
<h2 id="channels">Channels by rules</h2>
${matrix(shown, report.rules)}
${omitted(rows.length - shown.length, "more channel")}
</section>
${rulesSection(report)}
</main>
<footer><p>Generated by ${report.tool.name} ${report.tool.version}. This page contains no credentials.</p></footer>
</body>
</html>
`.text;
}

html.extension = ".html" as const;

/** The page loads nothing, sends nothing, and runs nothing. */
const policy = [
  "default-src 'none'",
  "img-src data:",
  `style-src 'sha256-${createHash("sha256").update(reportStyle).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const time = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

function header(report: AuditReport, rows: readonly Row[]): Markup {
  const { auditedAt, rules, counts, preset } = report;
  const file = rules.find(({ location }) => location)?.location?.file;
  const clean = rows.filter(({ channel, tone }) => channel !== undefined && tone === "clean").length;
  const failed = counts.errors + counts.blocking;
  const tone = failed > 0 ? "error" : counts.warnings > 0 ? "warning" : "clean";
  return markup`<header>
<h1>Alert channel audit</h1>
<p class="quiet"><time datetime="${auditedAt}">${time.format(new Date(auditedAt))} UTC</time>${
    file === undefined ? "" : markup`${dot}rules of <code>${file}</code>`
  }${preset === undefined ? "" : markup`${dot}preset <code>${preset}</code>`}</p>
<p class="verdict ${tone}"><span class="sign" aria-hidden="true">${failed > 0 ? "✕" : counts.warnings > 0 ? "!" : "✓"}</span> <strong>${capital(verdict(counts))}</strong></p>
<p class="quiet">${clean.toLocaleString("en")} of ${amount(counts.channels, "channel")} without findings, ${scopeOfRules(counts)}</p>
</header>`;
}
