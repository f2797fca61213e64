/** The sections below the matrix: findings, waivers, what isn't evaluable, and the rules. */
import { channelLabel, type ChannelReference } from "../channels/channelReference";
import type { AuditReport, Finding, NotEvaluableResult, RuleResult } from "../report/report";
import { type Markup, markup } from "../../provider/texts/markup";
import { keyOf, type Row } from "./matrix";
import { findingText, fixOf, notEvaluableGroups, notEvaluableText, waiverText } from "./reportText";
import { amount } from "../../provider/texts/amount";
import { anchor, channelName, rowAnchor } from "./htmlTable";

export function findingsSection(
  rows: readonly Row[],
  { findings, notEvaluable }: AuditReport,
): Markup | string {
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

export function waivedSection({ waived }: AuditReport): Markup | string {
  const lines = waived.map((finding) => ({
    rules: [finding.rule],
    text: findingText(finding),
    quiet: `${channelLabel(finding.channel)}, ${waiverText(finding.waiver)}`,
  }));
  return listSection("waived", "Waived", lines);
}

export function baselinedSection({ baselined }: AuditReport): Markup | string {
  const lines = baselined.map((finding) => ({
    rules: [finding.rule],
    text: findingText(finding),
    quiet: `${channelLabel(finding.channel)}: ${fixOf(finding)}`,
  }));
  return listSection("known", "Known findings of the baseline", lines);
}

export function notEvaluableSection(report: AuditReport): Markup | string {
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

export function rulesSection({ rules }: AuditReport): Markup {
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

export function omitted(count: number, what: string): Markup | string {
  return count > 0 ? markup`<p class="quiet">and ${amount(count, what)}: see the json report.</p>` : "";
}
