/** The sections below the matrix: findings, waivers, what isn't evaluable, and the rules. */
import type { AuditReport, Finding, RuleResult } from "../../report";
import { type Markup, markup } from "../../../provider/api/markup";
import { keyOf, type Row } from "../matrix";
import { amount, channelLabel, findingText, unevaluated } from "../reportText";
import { anchor, channelName, filterData, rowAnchor } from "./table";

export function findingsSection(rows: readonly Row[], { findings }: AuditReport): Markup | string {
  const byChannel = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = keyOf(finding.channel);
    const known = byChannel.get(key);
    if (known) known.push(finding);
    else byChannel.set(key, [finding]);
  }
  const found = rows.filter(({ tone }) => tone !== "clean");
  if (found.length === 0) return "";
  return markup`<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
<div class="found">
${found.map(
  (row) => markup`<article id="${rowAnchor(row)}" class="card" tabindex="-1" ${filterData(row)}>
<h3>${channelName(row)}</h3>
<ul class="findings">
${(byChannel.get(keyOf(row.channel)) ?? []).map(findingItem)}
</ul>
</article>
`,
)}
</div>
</section>`;
}

function findingItem({ severity, rule, field, actual, expected, fix, docs, why }: Finding): Markup {
  return markup`<li class="${severity}">
<p><span class="badge">${severity}</span> <a href="#rule-${anchor(rule)}">${rule}</a>${docsLink(rule, docs)}</p>
<p><code>${field}</code>: ${actual}<span class="quiet">, expected ${expected}</span></p>
<p class="quiet">${why === undefined ? "" : `${why} `}${fix}</p>
</li>
`;
}

export function baselinedSection({ baselined }: AuditReport): Markup | string {
  if (baselined.length === 0) return "";
  const shown = baselined.slice(0, maxLines);
  return markup`<section aria-labelledby="known">
<h2 id="known">Known findings of the baseline</h2>
<ul class="card questions">
${shown.map(
  (finding) => markup`<li>
<p><a href="#rule-${anchor(finding.rule)}">${finding.rule}</a>: ${findingText(finding)}</p>
<p class="quiet">${channelLabel(finding.channel)}</p>
</li>
`,
)}
</ul>
${omitted(baselined.length - shown.length)}
</section>`;
}

export function waivedSection({ waived }: AuditReport): Markup | string {
  if (waived.length === 0) return "";
  const shown = waived.slice(0, maxLines);
  return markup`<section aria-labelledby="waived">
<h2 id="waived">Waived</h2>
<div class="scroll" role="region" aria-label="Table of waived findings" tabindex="0">
<table class="lines">
<thead><tr><th scope="col">Channel</th><th scope="col">Rule</th><th scope="col">Reason</th><th scope="col">Owner</th><th scope="col">Until</th></tr></thead>
<tbody>
${shown.map(
  ({ channel, rule, waiver: { reason, owner, expires } }) => markup`<tr>
<th scope="row">${channelLabel(channel)}</th><td>${rule}</td><td>${reason}</td><td>${owner}</td><td>${expires}</td>
</tr>
`,
)}
</tbody>
</table>
</div>
${omitted(waived.length - shown.length)}
</section>`;
}

const maxLines = 200;

export function notEvaluableSection(report: AuditReport): Markup | string {
  const groups = unevaluated(report);
  if (groups.length === 0) return "";
  const shown = groups.slice(0, maxLines);
  return markup`<section aria-labelledby="open">
<h2 id="open">Not evaluable</h2>
<ul class="card questions">
${shown.map(
  ({ rule, field, reason, channels }) => markup`<li>
<p><a href="#rule-${anchor(rule)}">${rule}</a>: <code>${field}</code> ${reason}</p>
<p class="quiet">${channels}</p>
</li>
`,
)}
</ul>
${omitted(groups.length - shown.length)}
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

function omitted(count: number): Markup | string {
  return count > 0
    ? markup`<p class="quiet">and ${amount(count, "more line")}: see the json report.</p>`
    : "";
}
