/** The matrix of channels by rules. */
import { channelKey } from "../channels/channelReference";
import type { RuleResult } from "../report/report";
import { type Markup, markup } from "../../provider/texts/markup";
import { amount } from "../../provider/texts/amount";
import { type Cell, type Row, type Status } from "./matrix";

const looks: Readonly<Record<Status, { sign: string; look: string; means: string }>> = {
  error: { sign: "✕", look: "error", means: "error" },
  warning: { sign: "!", look: "warning", means: "warning" },
  waived: { sign: "w", look: "waived", means: "waived" },
  known: { sign: "k", look: "waived", means: "known" },
  "not evaluable": { sign: "?", look: "open", means: "not evaluable" },
  passed: { sign: "✓", look: "clean", means: "passed" },
};

const notApplicable = { sign: "·", look: "none", means: "does not apply" };

export function matrix(rows: readonly Row[], rules: readonly RuleResult[]): Markup {
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

export function channelName({ channel }: Row): Markup {
  if (channel === undefined) return markup`<b>All channels together</b>`;
  const { id, name, origin, type = "not evaluable" } = channel;
  const facts = [...(origin === undefined ? [] : [origin]), type];
  return markup`<b>${name === undefined ? id : `${id} ${name}`}</b> <small>${facts.join(" · ")}</small>`;
}

export function rowAnchor({ channel }: Row): string {
  return channel === undefined ? "all-channels" : `channel-${anchor(channelKey(channel))}`;
}

/** An id as the fragment of a URL. */
export function anchor(id: string): string {
  return encodeURIComponent(id).replace(/%/g, "_");
}

function legend(): Markup {
  const signs = [...Object.values(looks), notApplicable].map(
    ({ sign, look, means }) =>
      markup`<li><span class="sign ${look}" aria-hidden="true">${sign}</span> ${means}</li>`,
  );
  return markup`<ul class="legend" aria-label="Legend">${signs}</ul>`;
}
