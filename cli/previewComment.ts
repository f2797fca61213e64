/**
 * Writes a preview as a comment in Markdown: which updates an `up` would post to which incidents, and their texts. What is long is cut
 * where it is least needed, below the limit of GitHub.
 */
import { type PreviewBlock, previewBlocks } from "../provider/protocol";
import { amount, inertLine, inertQuotation, quotation, unquoted } from "../provider/texts";
import { type Job } from "./job";
import { type Preview, type PreviewedUpdate } from "./previewedPlan";

/** GitHub allows 65,536 characters; the rest is for the mark of whoever posts the comment. */
const maxCharacters = 65_000;
/** A preview may have many errors. */
const maxErrorCharacters = 15_000;

export function commentOf(preview: Preview, job: Job): string {
  const { updates, errors, otherErrors, failed } = preview;
  const silent = failed && errors.length + otherErrors === 0 ? ["Pulumi failed: see the log."] : [];
  const opening = [`## ${headline(preview, job)}`, errorList(errors), ...silent, ...unverifiedText(preview)];
  const closing = [othersText(preview), footer(job)];
  const fixed = [...opening, ...closing].join("\n\n").length + maxNotes;
  const { parts, withoutText, omitted, left } = fitting(updates, maxCharacters - fixed);
  const removed = removedList(preview.removed, left);
  const missing = [
    ...(withoutText > 0 ? [`${amount(withoutText, "text")} left out`] : []),
    ...(omitted > 0 ? [`${amount(omitted, "update")} not listed`] : []),
  ];
  const cut = missing.length === 0 ? "" : `**This comment is full: ${missing.join(", ")}.** See the log.`;
  return joined([...opening, cut, ...parts, removed, ...closing]);
}

/** For what is cut, and the line breaks. */
const maxNotes = 500;

/** Takes the place of a comment, for as long as the job has none and if it never has. @param about Such as "preview". */
export function withoutResult(about: string, job: Job, why = ""): string {
  const heading = `## No ${inertLine(about)}${ofCommit(job)}`;
  return joined([heading, ...(why === "" ? [] : [`${inertLine(why)}.`]), `See ${logOf(job)}.`]);
}

/** A preview that printed no plan. @param lastLines The last ones that Pulumi printed. */
export function failureOf(job: Job, lastLines: readonly string[]): string {
  const quoted = lastLines.map((line) => `> ${inertLine(line.slice(0, 300))}`).join("\\\n");
  const said = lastLines.length === 0 ? "Pulumi printed no plan." : "Pulumi printed no plan. Its last lines:";
  return joined([`## The preview${ofCommit(job)} failed`, said, quoted, footer(job)]);
}

/** `Preview of abc1234: 1 update will be posted, with an email to every subscriber`. */
export function headline({ updates, failed, isVerified }: Preview, job: Job): string {
  if (failed) return `The preview${ofCommit(job)} failed`;
  const refused = updates.filter(({ fact }) => fact?.effect === "refused").length;
  const parts = [
    ...countOf(updates, "will", "will be posted"),
    ...countOf(updates, "may", "may be posted"),
    ...(refused > 0 ? [`${amount(refused, "update")} will be refused`] : []),
  ];
  const verdict = parts.join(", ") || "nothing will be posted";
  return `Preview${ofCommit(job)}${isVerified ? "" : ", not verified"}: ${verdict}`;
}

function countOf(
  updates: readonly PreviewedUpdate[],
  posts: PreviewedUpdate["posts"],
  what: string,
): string[] {
  const these = updates.filter((update) => update.posts === posts);
  if (these.length === 0) return [];
  const emails = these.filter((update) => update.emails !== false);
  const perhaps = emails.some((update) => update.emails === undefined) ? "perhaps " : "";
  const each = emails.length < these.length ? `${emails.length} ` : these.length > 1 ? "each " : "";
  return [
    `${amount(these.length, "update")} ${what}`,
    ...(emails.length > 0 ? [`${each}${perhaps}with an email to every subscriber`] : []),
  ];
}

const ofCommit = ({ commit }: Job): string => (commit === undefined ? "" : ` of ${commit.slice(0, 7)}`);

const logOf = ({ log }: Job): string => (log === undefined ? "the log" : `[the log](<${log}>)`);

function footer({ commit, log }: Job): string {
  const parts = [
    ...(commit === undefined ? [] : [`commit ${commit}`]),
    ...(log === undefined ? [] : [`[log](<${log}>)`]),
  ];
  return parts.length === 0 ? "" : `_${parts.join(", ")}_`;
}

function unverifiedText({ isVerified }: Preview): string[] {
  if (isVerified) return [];
  return ["**Not verified:** the service could not be read, so what is public already isn't known."];
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function errorList(errors: readonly string[]): string {
  let length = 0;
  const listed: string[] = [];
  for (const error of errors) {
    const line = `- \u{1f534} ${error.slice(0, maxErrorCharacters).split("\n").map(inertLine).join("\\\n  ")}`;
    length += line.length;
    if (length > maxErrorCharacters) break;
    listed.push(line);
  }
  const left = errors.length - listed.length;
  return listed.join("\n") + (left > 0 ? `\n\nand ${amount(left, "more error")}: see the log.` : "");
}

/** Nobody has to decide about these, so they are the first to be left out. */
function removedList(names: readonly string[], most: number): string {
  let left = most;
  const lines: string[] = [];
  for (const name of names) {
    const line = `**IncidentUpdate ${inertLine(JSON.stringify(name))}** is removed from the state only: what it posted stays public.`;
    left -= line.length + 2;
    if (left < 0) break;
    lines.push(line);
  }
  const omitted = names.length - lines.length;
  const more = `${amount(omitted, `${lines.length > 0 ? "more " : ""}update`)} removed from the state only: see the log.`;
  return [...lines, ...(omitted > 0 ? [more] : [])].join("\n\n");
}

function othersText({ isUnchanged, failed, otherChanges, otherErrors }: Preview): string {
  if (isUnchanged && !failed) return "The stack is unchanged.";
  const others = [
    ...(otherChanges > 0 ? [`${amount(otherChanges, "other resource")} would change`] : []),
    ...(otherErrors > 0 ? [amount(otherErrors, "other error")] : []),
  ];
  return others.length === 0 ? "" : `${others.join(", ")}: see the log.`;
}

const omission = "> _The text is left out: it is in the log._";
const urgency = { will: 0, may: 1, no: 2 } as const;

/** Lists the updates that fit: those that post go first, and all lines before the texts. */
function fitting(updates: readonly PreviewedUpdate[], most: number) {
  let left = most;
  let withoutText = 0;
  const listed: (readonly PreviewBlock[])[] = [];
  for (const update of [...updates].sort((one, other) => urgency[one.posts] - urgency[other.posts])) {
    const blocks = blocksOf(update);
    left -= markdownOf(blocks, () => omission).length + 2;
    if (left < 0) break;
    listed.push(blocks);
  }
  left = Math.max(left, 0);
  const parts = listed.map((blocks) =>
    markdownOf(blocks, (text) => {
      // Without what nobody sees, as the terminal has it.
      const quoted = inertQuotation(unquoted(quotation(text)));
      const isFitting = quoted.length <= left + omission.length;
      if (isFitting) left -= Math.max(0, quoted.length - omission.length);
      else withoutText += 1;
      return isFitting ? quoted : omission;
    }),
  );
  return { parts, withoutText, omitted: updates.length - listed.length, left };
}

function markdownOf(blocks: readonly PreviewBlock[], quote: (text: string) => string): string {
  const paragraphs = blocks.flatMap(({ head, lines, text }) => [
    [`**${inertLine(head)}**`, ...lines.map(inertLine)].join("\\\n"),
    ...(text === undefined ? [] : [quote(text)]),
  ]);
  return paragraphs.join("\n\n");
}

function blocksOf({ name, type, fact, posts, hasError }: PreviewedUpdate): readonly PreviewBlock[] {
  if (!fact) {
    const unknown = type === "IncidentTimeline" ? "updates" : "text";
    const line = `The preview doesn't know its ${unknown} or its provider.`;
    return [{ head: `${type} ${JSON.stringify(name)} may be posted`, lines: [line] }];
  }
  const blocks = previewBlocks(hasError ? { ...fact, failure: undefined } : fact);
  if (posts !== "may" || !["adopts", "stateOnly", "refused"].includes(fact.effect)) return blocks;
  const torn = "A part of what the provider decided could not be read, so it may be posted.";
  return blocks.map((block) => ({ ...block, lines: [torn, ...block.lines] }));
}
