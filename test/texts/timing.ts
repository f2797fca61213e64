/** Detects functions that take too long, with text of the maximum length that is made from two parts. */
import { types } from "node:util";
import { createContext, Script } from "node:vm";

/** The length of the longest description. */
export const length = 65_536;

/**
 * Shorter times are ignored. On the maximum length, a linear search takes a few milliseconds of CPU time, and a quadratic search half a
 * second or more.
 */
const negligibleMs = 50;

/**
 * If the length quadruples, linear work takes four times as long, and quadratic work sixteen times. This doesn't depend on the machine's
 * speed or load.
 */
const growth = 8;

/** A run must not take longer than this, whatever its growth. The slowest rule takes a twentieth of it. */
const tooLongMs = 2_000;

export type Pair = readonly [first: string, second: string];

/** Creates a string that starts with the first part and repeats the second, or that repeats both in turn. Its end makes a match fail. */
export function createText([first, second]: Pair, isInTurn: boolean, end: string): string {
  const [lead, more] = isInTurn ? ["", first + second] : [first, second];
  return (lead + more.repeat(Math.ceil(length / more.length))).slice(0, length - end.length) + end;
}

/** A backslash ends a quotation without closing it. */
export const ends = ["!", "\0", "\\"] as const;

export function createTexts(pair: Pair): string[] {
  if (pair[0] === "") return [createText(pair, false, ends[0])];
  return [false, true].flatMap((isInTurn) => ends.map((end) => createText(pair, isInTurn, end)));
}

export type Run = (text: string) => unknown;

/** Returns a message about the first string for which the function takes too long. Undefined if there is none. */
export function slowness(name: string, run: Run, texts: readonly string[]): string | undefined {
  if (isNegligible(run, texts)) return undefined;
  const slow = texts.find((text) => !isNegligible(run, [text]) && !isQuick(run, text));
  if (slow === undefined) return undefined;
  return `${name} takes too long on ${JSON.stringify(`${slow.slice(0, 60)}\u2026${slow.slice(-1)}`)}`;
}

/**
 * Returns true if all strings together take a negligible time, which is nearly always true. It uses a quarter of the length, on which
 * quadratic work takes a sixteenth of its time.
 */
function isNegligible(run: Run, texts: readonly string[]): boolean {
  const parts = texts.map((text) => shortenText(text, 4));
  const runAll = () => {
    for (const part of parts) run(part);
  };
  return measureMs(runAll, negligibleMs / 16) <= negligibleMs / 16;
}

/** Returns the string with a fraction of its length, and with its end. */
const shortenText = (text: string, part: number) => text.slice(0, length / part - 1) + text.slice(-1);

/** Starts with short strings, because work that isn't linear may take hours on the longest string. */
function isQuick(run: Run, text: string): boolean {
  let before = 0;
  for (const part of [64, 16, 4, 1]) {
    const shorter = shortenText(text, part);
    const most = Math.min(tooLongMs, Math.max(negligibleMs, growth * before));
    // The first run may include compilation of the expression or garbage collection.
    before = Math.min(...[1, 2, 3].map(() => measureMs(() => void run(shorter), most)));
    if (before > most) return false;
  }
  return true;
}

/**
 * Returns the CPU time of the work in milliseconds, or more than the maximum. The work is aborted after three times the maximum. If other
 * processes used the CPU during that time, the work gets more time.
 */
function measureMs(work: () => void, most: number, patienceMs = 3 * most): number {
  const before = process.cpuUsage();
  const done = isDone(work, patienceMs);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000;
  return done || ms > most ? ms : measureMs(work, most, 8 * patienceMs);
}

const caller: { work?: () => void } = {};
createContext(caller);
const script = new Script("work()");

/** Returns false if the work was aborted. */
function isDone(work: () => void, patienceMs: number): boolean {
  caller.work = work;
  try {
    script.runInContext(caller, { timeout: Math.ceil(patienceMs) });
    return true;
  } catch (error) {
    if (types.isNativeError(error) && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return false;
    throw error;
  }
}
