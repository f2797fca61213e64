/** How a task ends, what the run remembers then, and what the state records. */
import { type StatusPageIncidentUpdate } from "../api";
import { codesToSet } from "./codes";
import {
  type Declaration,
  type Identity,
  isSameDeclaration,
  matches,
  oldestFirst,
  saidBy,
  type Seen,
  worded,
} from "./identity";
import { type Ledger, withOwner, withPlan } from "./ledger";
import { type Lineage, pastWith, type Posted, type Recorded, type Sent } from "./records";
import { type Ending, type Notice, type Refusal, type Step, type Task } from "./task";

export function withNotice<Of extends Task>(task: Of, notice: Notice): Of {
  return { ...task, remarks: [...task.remarks, notice] };
}

export function listening(ledger: Ledger, task: Task): Step {
  return { ledger: { ...ledger, hasListened: true }, task, command: { do: "listen" } };
}

/** Finishes: the resource has this update. @param nonce The post that created it, if known. */
export function done(
  ledger: Ledger,
  task: Task,
  kind: "posted" | "adopted" | "kept" | "edited",
  recorded: Posted,
  nonce?: string,
): Step {
  const after = remembered(ledger, task, recorded);
  const known = nonce === undefined ? task : withApplied(task, nonce, recorded);
  const { id, published, declared } = recorded;
  const isMade = kind === "posted" || kind === "edited";
  const isAltered = isMade && published && published.text !== declared.text;
  const told = isAltered ? withNotice(known, { tell: "altered", id }) : known;
  return finish(after, told, { kind, recorded, remarks: told.remarks });
}

export function withApplied<Of extends Task>(task: Of, nonce: string, { id, isByWords }: Posted): Of {
  return { ...task, applied: [...task.applied, { nonce, id, isByWords }] };
}

/** Finishes with a refusal. @param recorded What the state records all the same. */
export function failed(
  ledger: Ledger,
  task: Task,
  refusal: Refusal,
  recorded: Recorded | undefined = task.recorded,
): Step {
  const { remarks } = task;
  const after = recorded === undefined ? ledger : remembered(ledger, task, recorded);
  const asking =
    "codes" in refusal
      ? { ...refusal, ...codesToSet(task.codes, refusal.codes), ...othersThan(ledger, task, refusal) }
      : refusal;
  const kind = refusal.why === "lost" || refusal.why === "unconfirmed" ? "unconfirmed" : "refused";
  return finish(after, task, { kind, refusal: asking, recorded, remarks });
}

/** Names the identical updates that the container shows, so that the user can tell them from the one that the question is about. */
function othersThan({ view }: Ledger, { declared }: Task, refusal: Refusal) {
  const asked = "sent" in refusal ? refusal.sent.declared : declared;
  const isAsked = (id: string) => refusal.why === "alike" && refusal.updates.some((each) => each.id === id);
  const others = oldestFirst(view.updates).filter((update) => matches(asked, update) && !isAsked(update.id));
  if (others.length === 0) return {};
  return { others: others.map(({ id, created_at: since }) => ({ id, since: since ?? undefined })) };
}

/** The post that certainly isn't public once the task has ended so: nobody is asked about its note any more. */
export function deniedBy({ phase }: Task, ending: Ending): Sent | undefined {
  return "denied" in phase && !("refusal" in ending) ? phase.denied : undefined;
}

/** Makes the record of a public update. @param isByWords True if nothing else says that it is the declared one. */
export function recordOf(lineage: Lineage, declared: Identity, update: Seen, isByWords = false): Posted {
  return {
    kind: "posted",
    id: update.id,
    declared,
    published: update,
    createdAt: update.created_at,
    missing: false,
    made: madeBy(declared, update),
    past: pastWith(lineage).filter(
      ({ id }, index, all) => id !== update.id && all.findIndex((other) => other.id === id) === index,
    ),
    ...(isByWords && { isByWords }),
  };
}

/** What the resource made public. An update that its id identifies may say what somebody made of it since, which is not the resource's. */
function madeBy(declared: Identity, { publicIncidentUpdateDate: shown }: Seen): string {
  const { publicIncidentUpdateDate = shown } = declared;
  return saidBy({ ...declared, publicIncidentUpdateDate });
}

/** Makes the record of a public update that a program takes over. The history tells which of identical ones it is. */
export function imported(
  declared: Declaration,
  update: StatusPageIncidentUpdate,
  history: readonly StatusPageIncidentUpdate[],
): Posted {
  const identical = oldestFirst(
    history.map((each) => worded(each)).filter((each) => matches(declared, each)),
  );
  const occurrence = Math.max(1, identical.findIndex(({ id }) => id === update.id) + 1);
  return recordOf({ past: [] }, { ...declared, occurrence }, worded(update), true);
}

export function remembered(before: Ledger, task: Task, recorded: Recorded): Ledger {
  const { resource, declared } = task;
  const wanted = new Map([...before.wanted].filter(([, by]) => by !== resource));
  const ledger = { ...before, wanted };
  if (recorded.kind === "sent") return withPlan(ledger, resource, { kind: "unsettled", recorded });
  const isGivenUp = declared.onChange === "post" && !isSameDeclaration(declared, recorded.declared);
  if (isGivenUp) return withPlan(ledger, resource, { kind: "replaces", recorded });
  return withPlan(withOwner(ledger, task, recorded), resource, { kind: "keeps", recorded });
}

function finish(ledger: Ledger, task: Task, ending: Ending): Step {
  return { ledger, task, command: { do: "finish", ending } };
}
