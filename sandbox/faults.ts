/** The faults that are on, and which of them a request meets. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { checked } from "./errors";
import { type EndingFault, fault as faultSchema, type Fault, type FaultInput } from "./faultKinds";
import { type Delay, LateWrites } from "./lateWrites";
import type { OperationName } from "./operations";

/** What one request meets: any number of faults that let its answer through, and one at most that doesn't. */
export interface Met {
  kinds: Fault["kind"][];
  latencyMs: number;
  late: Delay | undefined;
  ending: EndingFault | undefined;
}

/** A fault that is on, and how often it was relevant and struck. */
export interface FaultReport {
  fault: Fault;
  matched: number;
  struck: number;
}

type Quota = Extract<Fault, { kind: "quota" }>;

interface ActiveFault extends FaultReport {
  /** When requests passed a quota, in milliseconds. */
  passed: number[];
}

export class Faults {
  readonly lateWrites = new LateWrites();
  #active: ActiveFault[] = [];

  /** Turns faults on, after those that are on already: the first that ends a request wins. */
  add(...faults: FaultInput[]): void {
    const accepted = checked(z.array(faultSchema), faults, "These faults can't be turned on");
    this.#active.push(...accepted.map((fault) => ({ fault, matched: 0, struck: 0, passed: [] })));
  }

  /** A healthy service again: no faults, and every write is seen. */
  clear(): void {
    this.#active = [];
    this.lateWrites.showAll();
  }

  list(): FaultReport[] {
    return this.#active.map(({ fault, matched, struck }) => ({ fault, matched, struck }));
  }

  /** Which of them a request meets. Asking counts as meeting. */
  meet(operation: OperationName, account: string | null): Met {
    const met: Met = { kinds: [], latencyMs: 0, late: undefined, ending: undefined };
    for (const active of this.#active) {
      const { fault } = active;
      const harmless = fault.kind === "latency" || fault.kind === "lateVisibility";
      if (met.ending !== undefined && !harmless) continue;
      if (fault.operation !== undefined && fault.operation !== operation) continue;
      if (fault.account !== undefined && fault.account !== account) continue;
      if (!strikes(active)) continue;
      met.kinds.push(fault.kind);
      if (fault.kind === "latency") met.latencyMs += fault.ms;
      else if (fault.kind === "lateVisibility") met.late = fault;
      else met.ending = fault.kind === "quota" ? overQuota(fault, active.passed) : fault;
    }
    return met;
  }
}

function strikes(active: ActiveFault): boolean {
  const { skip, times = Infinity, probability, seed } = active.fault;
  active.matched += 1;
  if (active.matched <= skip || active.struck >= times) return false;
  if (draw(seed, active.matched) >= probability) return false;
  if (active.fault.kind === "quota" && passes(active.fault, active)) return false;
  active.struck += 1;
  return true;
}

/** A number from 0 to 1 without 1, always the same for the same arguments. */
function draw(seed: number, turn: number): number {
  return createHash("sha256").update(`${seed}:${turn}`).digest().readUInt32BE() / 2 ** 32;
}

function passes({ requests, perSeconds }: Quota, active: ActiveFault): boolean {
  const now = performance.now();
  active.passed = active.passed.filter((time) => time > now - perSeconds * 1000);
  const room = active.passed.length < requests;
  if (room) active.passed.push(now);
  return room;
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
