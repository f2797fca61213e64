/** Sends the declared update, and decides what the response means. */
import { type StatusPageIncidentUpdate } from "../api";
import { historyLimit } from "../api/statusPageIncident";
import { notBefore } from "../api/timestamps";
import { oldestFirst } from "./identity";
import { type Facts } from "./facts";
import { done, failed } from "./finish";
import { canonical, type Ledger, ownersBut, type Sent, type Snapshot, withUpdate } from "./ledger";
import { type Decide, type Event, pastWith, type Post, type Step, type Task, withNotice } from "./task";

/** @param now In milliseconds since 1970. */
export function post(ledger: Ledger, given: Task<Decide>, facts: Facts, now: number): Step {
  const { declared, nonce, phase } = given;
  const { idToSend: id, ownIds, sentAt, denied } = facts;
  const task = { ...given, used: [...new Set([...given.used, ...facts.codes])] };
  const seen = snapshotOf(ledger, task);
  const sent: Sent = {
    kind: "sent",
    declared,
    seen,
    nonce,
    at: now,
    ownIds,
    past: pastWith(phase.lineage),
  };
  const told = sentAt === undefined ? task : withNotice(task, { tell: "resent", at: sentAt });
  const sending = { ...told, phase: { at: "post" as const, id, sent } };
  return { ledger, task: sending, command: { do: "post", id, denied } };
}

/** Everything that exists before a post, also when the service shows it late. */
function snapshotOf(ledger: Ledger, { resource, phase: { lineage } }: Task<Decide>): Snapshot {
  const { view } = ledger;
  const [newest] = oldestFirst(view.updates).slice(-1);
  const had = pastWith(lineage);
  // What the resource itself keeps is posted again only when the service doesn't show it: the post may lead to it.
  const others = ownersBut(ledger, resource);
  return {
    ids: [...new Set([...view.updates, ...had, ...others].map(({ id }) => id))],
    ...(typeof newest?.created_at === "string" && { newest: newest.created_at }),
  };
}

const serviceClockMs = 60_000;

/**
 * Whether a post that followed the snapshot may have created the update. A new id is sufficient proof, unless the history
 * before the post was truncated. Only in that case the timestamp decides, with a tolerance for the clocks of the service's
 * nodes.
 */
export function isNew(seen: Snapshot, { id, created_at: created }: StatusPageIncidentUpdate): boolean {
  return (
    !seen.ids.includes(id) &&
    (seen.ids.length < historyLimit || notBefore(created, seen.newest, serviceClockMs))
  );
}

/** What becomes of a post. */
export function stepOfPost(ledger: Ledger, task: Task<Post>, event: Event): Step {
  const { id, sent } = task.phase;
  switch (event.on) {
    case "posted": {
      const update = canonical(event.update);
      // The incident itself, or an update that was there before: nothing says that there is a new one.
      if (update.id === task.declared.incidentId || !isNew(sent.seen, update))
        return searching(ledger, task, { ...sent, answered: update.id });
      const isIgnored = id !== undefined && update.id !== id;
      const learned = isIgnored ? { ...ledger, ids: "ignored" as const } : ledger;
      return done(withUpdate(learned, update), task, update, { past: sent.past }, sent.nonce);
    }
    case "notApplied": {
      const { text, isInvalid } = event;
      const why = isInvalid && id !== undefined ? "idRejected" : "failed";
      return failed(ledger, task, { why, text });
    }
    case "unknown":
      return searching(ledger, task, sent, event.text);
    default:
      throw new Error(`A post led to ${event.on}.`);
  }
}

function searching(ledger: Ledger, task: Task, sent: Sent, problem?: string): Step {
  const phase = { at: "search", sent, problem, lookedUp: [], wasRead: false } as const;
  return { ledger, task: { ...task, phase }, command: { do: "read", again: false } };
}
