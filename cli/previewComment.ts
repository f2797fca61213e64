/** A preview as a comment on a pull request, in Markdown. */
import { amount } from "../provider/texts/amount";
import type { Preview, PreviewedUpdate } from "./previewDigest";
import { inertLine, inertQuotation } from "../provider/texts/inertMarkdown";

/** GitHub allows 65,536 characters; the rest is for the mark of whoever posts the comment. */
const maxCharacters = 65_000;
/** Of all errors, of which a preview may have many. */
const maxErrorCharacters = 15_000;
const maxLogLink = 2_000;

/** @param log Address of the log of the preview. */
export function comment(preview: Preview, log?: string): string {
  const where = log === undefined ? "the log" : `[the log](<${log}>)`;
  const { updates } = preview;
  const opening = [`## ${headline(preview)}`, errorList(preview.errors, where)];
  const closing = [...preview.removed.map(removedText), othersText(preview, where)];
  const fixed = [...opening, ...closing].join("\n\n").length + maxLogLink;
  const { parts, withoutText, omitted } = fitting(updates, maxCharacters - fixed, where);
  const left = [
    ...(withoutText > 0 ? [`${amount(withoutText, "text")} left out`] : []),
    ...(omitted > 0 ? [`${amount(omitted, "update")} not listed`] : []),
  ];
  const cut = left.length === 0 ? "" : `**This comment is full: ${left.join(", ")}.** They are in ${where}.`;
  return `${[...opening, cut, ...parts, ...closing].filter((part) => part !== "").join("\n\n")}\n`;
}

/** `Preview: 1 update will be posted, with an email to every subscriber`. */
export function headline({ updates, failed }: Preview): string {
  if (failed) return "The preview fails";
  const will = updates.filter(({ posts }) => posts === "will");
  const may = updates.filter(({ posts }) => posts === "may");
  const emails = will.filter(({ facts }) =>
    facts.some((fact) => fact.includes(", every subscriber is emailed:")),
  );
  const each = emails.length < will.length ? `${emails.length} ` : will.length > 1 ? "each " : "";
  const parts = [
    ...(will.length > 0 ? [`${amount(will.length, "update")} will be posted`] : []),
    ...(emails.length > 0 ? [`${each}with an email to every subscriber`] : []),
    ...(may.length > 0 ? [`${amount(may.length, "update")} may be posted`] : []),
  ];
  return `Preview: ${parts.join(", ") || "nothing will be posted"}`;
}

function errorList(errors: readonly string[], where: string): string {
  let length = 0;
  const lines = errors.map((error) => `- \u{1f534} ${error.split("\n").map(inertLine).join("\\\n  ")}`);
  const shown = lines.filter((line) => (length += line.length) <= maxErrorCharacters);
  const left = lines.length - shown.length;
  return shown.join("\n") + (left > 0 ? `\n\nand ${amount(left, "more error")}: see ${where}.` : "");
}

function removedText(name: string): string {
  return `**IncidentUpdate ${inertLine(JSON.stringify(name))}** is removed from the state only: what it posted stays public.`;
}

function othersText(preview: Preview, where: string): string {
  const { updates, removed, errors, failed, otherChanges, otherErrors } = preview;
  const isUnchanged = updates.length + removed.length + otherChanges === 0 && !failed;
  if (isUnchanged) return "The stack is unchanged.";
  if (failed && errors.length + otherErrors === 0) return `Pulumi failed: see ${where}.`;
  const others = [
    ...(otherChanges > 0 ? [`${amount(otherChanges, "other resource")} would change`] : []),
    ...(otherErrors > 0 ? [amount(otherErrors, "other error")] : []),
  ];
  return others.length === 0 ? "" : `${others.join(", ")}: see ${where}.`;
}

/** All that fits: the headings go before the texts. */
function fitting(updates: readonly PreviewedUpdate[], most: number, where: string) {
  let left = most;
  const omission = `> _The text is left out: it is in ${where}._`;
  const titled = updates
    .map((update) => ({ update, title: titleOf(update) }))
    .filter(({ title }) => (left -= title.length + omission.length + 4) >= 0);
  let withoutText = 0;
  const parts = titled.map(({ update: { text }, title }) => {
    if (text === undefined) return title;
    const quotation = inertQuotation(text);
    if (quotation.length <= left + omission.length) {
      left -= Math.max(0, quotation.length - omission.length);
      return `${title}\n\n${quotation}`;
    }
    withoutText += 1;
    return `${title}\n\n${omission}`;
  });
  return { parts, withoutText, omitted: updates.length - titled.length };
}

function titleOf({ heading, facts }: PreviewedUpdate): string {
  // Without facts it is a remark.
  const title = facts.length === 0 ? inertLine(heading) : `**${inertLine(heading)}**`;
  return [title, ...facts.map(inertLine)].join("\\\n");
}
