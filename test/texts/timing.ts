/** Measures what takes long, on texts of the greatest length that are made of two parts. */
import { types } from "node:util";
import { createContext, Script } from "node:vm";

/** The characters of the longest description. */
export const length = 65_536;

/**
 * On that length, a search takes 14 ms of a processor at the most where its time grows with the length, and half a second or more where
 * it grows with the square. The limit lies between, so that a machine that is several times slower, or busy, finds the same.
 */
export const limitMs = 50;

export type Pair = readonly [first: string, second: string];

/** Makes a text of the first once and then the second again and again, or of both in turn. At its end a match fails. */
export function textOf([first, second]: Pair, isInTurn: boolean, end: string): string {
  const [lead, more] = isInTurn ? ["", first + second] : [first, second];
  return (lead + more.repeat(Math.ceil(length / more.length))).slice(0, length - end.length) + end;
}

/** A backslash ends a quotation that isn't closed. */
export const ends = ["!", "\0", "\\"] as const;

export function textsOf(pair: Pair): string[] {
  if (pair[0] === "") return [textOf(pair, false, ends[0])];
  return [false, true].flatMap((isInTurn) => ends.map((end) => textOf(pair, isInTurn, end)));
}

export type Run = (text: string) => unknown;

/** Says on which text something takes too long, if on any. */
export function slowness(
  name: string,
  run: Run,
  texts: readonly string[],
  limit = limitMs,
): string | undefined {
  const runAll = () => {
    for (const text of texts) run(text);
  };
  // Nearly always, even all together are below the limit.
  if (timeOf(runAll, limit, 1) <= limit) return undefined;
  for (const text of texts) {
    const ms = timeOf(() => void run(text), limit);
    const shown = JSON.stringify(`${text.slice(0, 60)}\u2026${text.slice(-1)}`);
    if (ms > limit) return `${name} takes ${ms.toFixed()} ms or more on ${shown}`;
  }
  return undefined;
}

/**
 * Returns the milliseconds of a processor that the work takes. What takes three times the limit is ended, because it may take hours; if
 * others had the processor meanwhile, it gets more time.
 */
function timeOf(work: () => void, limit: number, tries = 3, patienceMs = 3 * limit): number {
  const before = process.cpuUsage();
  const done = isDone(work, patienceMs);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  if (done ? ms <= limit : ms > limit) return ms;
  // The first time, an expression may have to be compiled, or garbage to be collected.
  return tries > 1 ? timeOf(work, limit, tries - 1, 8 * patienceMs) : Math.max(ms, limit + 1);
}

const caller: { work?: () => void } = {};
createContext(caller);
const script = new Script("work()");

/** Returns false if it had to end the work. */
function isDone(work: () => void, patienceMs: number): boolean {
  caller.work = work;
  try {
    script.runInContext(caller, { timeout: patienceMs });
    return true;
  } catch (error) {
    if (types.isNativeError(error) && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return false;
    throw error;
  }
}
