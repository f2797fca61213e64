/** Decides what a declaration needs after a read: it is adopted, refused or posted, or something is read first. */
import { factsOf } from "./facts";
import { done, failed } from "./finish";
import { guards, type GuardVerdict } from "./guards";
import { type Ledger } from "./ledger";
import { post } from "./post";
import { type Decide, type Noted, type NotedPost, type Step, type Task, withNotice } from "./task";
import { isLaterEntry } from "./timeline";

export function decide(ledger: Ledger, task: Task<Decide>, noted: Noted): Step {
  const facts = factsOf(ledger, task, noted);
  for (const guard of Object.values(guards)) {
    const verdict = guard(facts);
    if (verdict) return performed(ledger, task, noted.now, verdict);
  }
  return post(ledger, task, facts, noted.now);
}

function performed(ledger: Ledger, task: Task<Decide>, now: number, verdict: GuardVerdict): Step {
  switch (verdict.do) {
    case "refuse":
      return failed(ledger, task, verdict.refusal);
    case "adopt": {
      const { update } = verdict;
      return done(ledger, withNotice(task, { tell: "adopted", update }), update, task.phase.lineage);
    }
    case "lookUp": {
      const lookedUp = [...task.phase.lookedUp, verdict.id];
      const command = { do: "readUpdate", id: verdict.id } as const;
      return { ledger, task: { ...task, phase: { ...task.phase, lookedUp } }, command };
    }
    case "wait":
      return waitFor(ledger, task, verdict.posts, now);
  }
}

function waitFor(ledger: Ledger, task: Task<Decide>, live: readonly NotedPost[], now: number): Step {
  const until = Math.max(...live.map((each) => each.mayAppearUntil));
  const isLater = live.some((each) => isLaterEntry(task.declared, each));
  const waits = { tell: "waits", ms: until - now, isLater } as const;
  const told = task.phase.waitsUntil ? task : withNotice(task, waits);
  const phase = { ...task.phase, waitsUntil: until };
  return { ledger, task: { ...told, phase }, command: { do: "read", again: true, until } };
}
