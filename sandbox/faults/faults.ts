/** The active faults, and which of them affect a request. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { parseInput } from "../store/sandboxError";
import {
  type EndingFault,
  fault as faultSchema,
  type Fault,
  type FaultInput,
  keepingKinds,
} from "./faultKinds";
import { type Delay, LateWrites } from "./lateWrites";
import type { OperationName } from "../../provider/api/operations";

/** What a read changes of an incident's history. */
export interface HistoryFault {
  /** Maximum number of updates. */
  latest: number;
  repeatsNewest: boolean;
}

/** The faults that affect a request: any number that keep its response, and at most one that replaces it. */
export interface MatchedFaults {
  kinds: Fault["kind"][];
  latencyMs: number;
  delay: Delay | undefined;
  history: HistoryFault;
  ending: EndingFault | undefined;
}

/** An active fault, how many requests it matched, and how many it affected. */
export interface FaultReport {
  fault: Fault;
  matched: number;
  struck: number;
}

/** What affects a request without faults. */
export const unaffected = (): MatchedFaults => ({
  kinds: [],
  latencyMs: 0,
  delay: undefined,
  history: { latest: Infinity, repeatsNewest: false },
  ending: undefined,
});

type Quota = Extract<Fault, { kind: "quota" }>;

interface ActiveFault extends FaultReport {
  /** When requests were within the quota, in milliseconds. */
  accepted: number[];
}

export class Faults {
  readonly lateWrites = new LateWrites();
  #active: ActiveFault[] = [];

  /** Adds faults after the active ones: of those that replace the response, the first one wins. */
  add(...faults: FaultInput[]): void {
    const parsed = parseInput(z.array(faultSchema), faults, "These faults are invalid");
    this.#active.push(...parsed.map((fault) => ({ fault, matched: 0, struck: 0, accepted: [] })));
  }

  /** Removes all faults, and makes every write visible. */
  clear(): void {
    this.#active = [];
    this.lateWrites.showAll();
  }

  list(): FaultReport[] {
    return this.#active.map(({ fault, matched, struck }) => ({ fault, matched, struck }));
  }

  /** The faults that affect a request, which counts against their limits. */
  match(operation: OperationName, account: string | null): MatchedFaults {
    const matched = unaffected();
    const { history } = matched;
    for (const active of this.#active) {
      const { fault } = active;
      if (matched.ending !== undefined && !keepsResponse(fault)) continue;
      if (fault.operation !== undefined && fault.operation !== operation) continue;
      if (fault.account !== undefined && fault.account !== account) continue;
      if (!takesEffect(active)) continue;
      matched.kinds.push(fault.kind);
      if (fault.kind === "latency") matched.latencyMs += fault.ms;
      else if (fault.kind === "lateVisibility") matched.delay = fault;
      else if (fault.kind === "cutHistory") history.latest = Math.min(history.latest, fault.latest);
      else if (fault.kind === "repeatedUpdate") history.repeatsNewest = true;
      else matched.ending = fault.kind === "quota" ? overQuota(fault, active.accepted) : fault;
    }
    return matched;
  }
}

function keepsResponse({ kind }: Fault): boolean {
  return keepingKinds.some((keeping) => keeping === kind);
}

function takesEffect(active: ActiveFault): boolean {
  const { skip, times = Infinity, probability, seed } = active.fault;
  active.matched += 1;
  if (active.matched <= skip || active.struck >= times) return false;
  if (randomFraction(seed, active.matched) >= probability) return false;
  if (active.fault.kind === "quota" && isWithinQuota(active.fault, active)) return false;
  active.struck += 1;
  return true;
}

/** A number from 0 to below 1, always the same for the same arguments. */
function randomFraction(seed: number, turn: number): number {
  return createHash("sha256").update(`${seed}:${turn}`).digest().readUInt32BE() / 2 ** 32;
}

function isWithinQuota({ requests, perSeconds }: Quota, active: ActiveFault): boolean {
  const now = performance.now();
  active.accepted = active.accepted.filter((time) => time > now - perSeconds * 1000);
  const isAccepted = active.accepted.length < requests;
  if (isAccepted) active.accepted.push(now);
  return isAccepted;
}

function overQuota({ perSeconds }: Quota, [oldest = 0]: number[]): EndingFault {
  const seconds = Math.ceil((oldest + perSeconds * 1000 - performance.now()) / 1000);
  return {
    kind: "rateLimit",
    as: "seconds",
    retryAfter: Math.max(1, seconds),
    skip: 0,
    probability: 1,
    seed: 0,
  };
}
