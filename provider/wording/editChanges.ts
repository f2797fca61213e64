/** Formats what an edit changes in a public update or incident, for the report of a preview. */
import { sameSecond } from "../api";
import { type Content, type Declaration, type Prediction } from "../protocol";
import { collapseSpaces, quoteExcerpt } from "../texts";
import { formatUtc } from "./labels";

interface EditSubject {
  readonly declared: Partial<Declaration>;
}

export type EditPrediction = Pick<Extract<Prediction, { isUnverified?: true }>, "isUnverified" | "was">;

/**
 * Returns true if an edit doesn't change the public update. It is sent because the read may be stale, or because an earlier edit may still
 * take effect.
 */
export function isVerification(subject: EditSubject, { isUnverified, was }: EditPrediction): boolean {
  return (
    !isUnverified &&
    was?.description === subject.declared.description &&
    formatChanges(subject, was).length === 0
  );
}

/** Returns a sentence about the words that an edit changes, if there are only a few. */
export function formatChangedWords(before: string, after: string): string[] {
  const split = (text: string): string[] => collapseSpaces(text).split(" ");
  const [was, is] = [split(before), split(after)] as const;
  const most = Math.min(was.length, is.length);
  let [start, end] = [0, 0];
  while (start < most && was[start] === is[start]) start++;
  while (end < most - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  const [old, anew] = [was.slice(start, was.length - end), is.slice(start, is.length - end)] as const;
  if (start + end === 0 || old.length + anew.length === 0) return [];
  if (Math.max(old.length, anew.length) > maxChangedWords) return [];
  const quote = (words: readonly string[]): string => quoteExcerpt(words.join(" "), 100);
  if (old.length === 0) return [`In the text, ${quote(anew)} is added.`];
  if (anew.length === 0) return [`In the text, ${quote(old)} is removed.`];
  return [`In the text, ${quote(old)} becomes ${quote(anew)}.`];
}

const maxChangedWords = 8;

/** Returns sentences about the changes of an edit, except the text. */
export function formatChanges({ declared }: EditSubject, was: Partial<Content> = {}): string[] {
  const { status, publicIncidentUpdateDate: date } = declared;
  const before = was.publicIncidentUpdateDate;
  const isRestated = status !== undefined && was.status !== status;
  const isRedated = date !== undefined && !sameSecond(date, before);
  return [
    ...(isRestated ? [`The status changes from ${was.status ?? "none"} to ${status}.`] : []),
    ...(isRedated
      ? [before == null ? "A public date is added." : `The public date changes from ${formatUtc(before)}.`]
      : []),
  ];
}

/** A component whose state on the page changes. */
export interface ImpactChange {
  readonly component: string;
  readonly was: string;
  readonly becomes: string;
}

export function formatImpactChange({ component, was, becomes }: ImpactChange): string {
  const [before, after] = [was, becomes].map(formatComponentState);
  return `${quoteExcerpt(component, 60)} changes from ${before} to ${after}.`;
}

/** Formats the state of a component, such as `major outage`. */
export function formatComponentState(state: string): string {
  return state === "UNDER_MAINTENANCE" ? "maintenance" : state.toLowerCase().replaceAll("_", " ");
}
