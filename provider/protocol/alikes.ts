/** Finds public updates that may be the declared one although they differ from it: the service may change dates and characters. */
import { type StatusPageIncidentUpdate } from "../api";
import { msOf } from "../api/timestamps";
import { mayBeShownAs } from "../texts";
import { codeOfAlike } from "./codes";
import { type Identity, keyOf, matches, oldestFirst } from "./identity";
import { type Ledger } from "./ledger";
import { declaresPast, differenceOf, pastOf, type PastUpdate, pastWith } from "./records";
import { type Alike, type NotedPost } from "./task";

/** Leaves out the updates that were certainly posted as others. @param had The updates that the resource had before. */
export function alikes(
  ledger: Ledger,
  declared: Identity,
  had: readonly PastUpdate[],
  noted: readonly NotedPost[] = [],
): Alike[] {
  const { incidentId: incident } = declared;
  const known = [...had, ...knownUpdates(ledger)];
  const posts = [...known, ...noted.map((post) => ({ ...post, incident }))];
  const others = [...had, ...posts.filter((each) => differenceOf(declared, each) !== undefined)];
  const isOther = (id: string) => others.some((each) => each.id === id && !each.isByWords);
  const shown = oldestFirst(ledger.view.updates).filter((update) => mayBeShownFor(declared, update));
  const dates = new Map([
    ...known
      .filter((each) => each.isByWords && hasOtherDate(declared, each))
      .map(({ id, date }) => [id, date] as const),
    ...shown.map(({ id, publicIncidentUpdateDate: date }) => [id, date] as const),
  ]);
  return [...dates]
    .filter(([id]) => !isOther(id))
    .map(([id, date]) => ({ id, date: asDeclared(date), code: codeOfAlike(keyOf(declared), id) }));
}

function asDeclared(date: string | null | undefined): string | undefined {
  const ms = msOf(date);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

function hasOtherDate(declared: Identity, past: PastUpdate): boolean {
  const undated = { ...declared, publicIncidentUpdateDate: undefined };
  return declaresPast(undated, past) && !declaresPast(declared, past);
}

/** Whether the update may be the declared one, with characters that the service changed. */
export function mayBeShownFor(declared: Identity, update: StatusPageIncidentUpdate): boolean {
  if (update.status !== declared.status || matches(declared, update)) return false;
  return mayBeShownAs(declared.description, update.description);
}

function knownUpdates({ plans }: Ledger): PastUpdate[] {
  return [...plans.values()].flatMap((plan) => {
    if (plan.kind === "mayBeReplaced") return [];
    const { recorded } = plan;
    return recorded.kind === "posted"
      ? pastWith({ past: recorded.past, current: pastOf(recorded) })
      : recorded.past;
  });
}
