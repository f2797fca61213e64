/** How a task ends, what the run remembers then, and what the state records. */
import { type StatusPageIncidentUpdate } from "../api";
import { mergeCodes } from "./codes";
import {
  type Declaration,
  type Identity,
  isSameDeclaration,
  matches,
  sortOldestFirst,
  computeContentVersion,
  type ShownUpdate,
  normalizeContent,
} from "./identity";
import { type Ledger, withOwner, withPlan } from "./ledger";
import {
  type Lineage,
  listPastUpdates,
  type PostedUpdate,
  type UpdateRecord,
  type UnconfirmedPost,
} from "./records";
import { type TaskResult, type Notice, type Refusal, type Step, type Task } from "./task";

export function withNotice<Of extends Task>(task: Of, notice: Notice): Of {
  return { ...task, notices: [...task.notices, notice] };
}

export function listen(ledger: Ledger, task: Task): Step {
  return { ledger: { ...ledger, hasListened: true }, task, command: { kind: "listen" } };
}

/** Finishes: the resource has this update. @param nonce The post that created it, if known. */
export function succeed(
  ledger: Ledger,
  task: Task,
  kind: "posted" | "adopted" | "kept" | "edited",
  recorded: PostedUpdate,
  nonce?: string,
): Step {
  const after = recordInLedger(ledger, task, recorded);
  const known = nonce === undefined ? task : withApplied(task, nonce, recorded);
  const { id, published, declared } = recorded;
  const isMade = kind === "posted" || kind === "edited";
  const isAltered = isMade && published && published.text !== declared.text;
  const told = isAltered ? withNotice(known, { kind: "altered", id }) : known;
  return finish(after, told, { kind, recorded, notices: told.notices });
}

export function withApplied<Of extends Task>(task: Of, nonce: string, { id, isByWords }: PostedUpdate): Of {
  return { ...task, applied: [...task.applied, { nonce, id, isByWords }] };
}

/** Finishes with a refusal. @param recorded What the state records all the same. */
export function fail(
  ledger: Ledger,
  task: Task,
  refusal: Refusal,
  recorded: UpdateRecord | undefined = task.recorded,
): Step {
  const { notices } = task;
  const after = recorded === undefined ? ledger : recordInLedger(ledger, task, recorded);
  const asking =
    "codes" in refusal
      ? { ...refusal, ...mergeCodes(task.codes, refusal.codes), ...findOtherMatches(ledger, task, refusal) }
      : refusal;
  const kind = refusal.kind === "lost" || refusal.kind === "unconfirmed" ? "unconfirmed" : "refused";
  return finish(after, task, { kind, refusal: asking, recorded, notices });
}

/** Names the identical updates that the container shows, so that the user can tell them from the one that the question is about. */
function findOtherMatches({ view }: Ledger, { declared }: Task, refusal: Refusal) {
  const asked = "sent" in refusal ? refusal.sent.declared : declared;
  const isAsked = (id: string) => refusal.kind === "alike" && refusal.updates.some((each) => each.id === id);
  const others = sortOldestFirst(view.updates).filter(
    (update) => matches(asked, update) && !isAsked(update.id),
  );
  if (others.length === 0) return {};
  return { others: others.map(({ id, created_at: since }) => ({ id, since: since ?? undefined })) };
}

/** The post that certainly isn't public once the task has ended so: nobody is asked about its note any more. */
export function findDeniedPost({ phase }: Task, ending: TaskResult): UnconfirmedPost | undefined {
  return "denied" in phase && !("refusal" in ending) ? phase.denied : undefined;
}

/** Makes the record of a public update. @param isByWords True if nothing else says that it is the declared one. */
export function createRecord(
  lineage: Lineage,
  declared: Identity,
  update: ShownUpdate,
  isByWords = false,
): PostedUpdate {
  return {
    kind: "posted",
    id: update.id,
    declared,
    published: update,
    createdAt: update.created_at,
    missing: false,
    made: computePublishedVersion(declared, update),
    past: listPastUpdates(lineage).filter(
      ({ id }, index, all) => id !== update.id && all.findIndex((other) => other.id === id) === index,
    ),
    ...(isByWords && { isByWords }),
  };
}

/** What the resource made public. An update that its id identifies may say what somebody made of it since, which is not the resource's. */
function computePublishedVersion(
  declared: Identity,
  { publicIncidentUpdateDate: shown }: ShownUpdate,
): string {
  const { publicIncidentUpdateDate = shown } = declared;
  return computeContentVersion({ ...declared, publicIncidentUpdateDate });
}

/** Makes the record of a public update that a program takes over. The history tells which of identical ones it is. */
export function createImportedRecord(
  declared: Declaration,
  update: StatusPageIncidentUpdate,
  history: readonly StatusPageIncidentUpdate[],
): PostedUpdate {
  const identical = sortOldestFirst(
    history.map((each) => normalizeContent(each)).filter((each) => matches(declared, each)),
  );
  const occurrence = Math.max(1, identical.findIndex(({ id }) => id === update.id) + 1);
  return createRecord({ past: [] }, { ...declared, occurrence }, normalizeContent(update), true);
}

export function recordInLedger(before: Ledger, task: Task, recorded: UpdateRecord): Ledger {
  const { resource, declared } = task;
  const wanted = new Map([...before.wanted].filter(([, by]) => by !== resource));
  const ledger = { ...before, wanted };
  if (recorded.kind === "sent") return withPlan(ledger, resource, { kind: "unsettled", recorded });
  const isGivenUp = declared.onChange === "post" && !isSameDeclaration(declared, recorded.declared);
  if (isGivenUp) return withPlan(ledger, resource, { kind: "replaces", recorded });
  return withPlan(withOwner(ledger, task, recorded), resource, { kind: "keeps", recorded });
}

function finish(ledger: Ledger, task: Task, ending: TaskResult): Step {
  return { ledger, task, command: { kind: "finish", ending } };
}
