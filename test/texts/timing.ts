/** Measures what takes long, on texts of the greatest length that are made of two parts. */
import { types } from "node:util";
import { createContext, Script } from "node:vm";

/** The characters of the longest description. */
export const length = 65_536;

/**
 * Less than this isn't worth a thought. On the greatest length a search takes a few milliseconds of a processor where its time grows with
 * the length, and half a second or more where it grows with the square.
 */
const negligibleMs = 50;

/**
 * On four times the length, what is linear takes four times as long, and what grows with the square sixteen times. A machine that is
 * slower, or busy, finds the same.
 */
const growth = 8;

/** A run doesn't wait for so long, however the time grows. The slowest rule takes a twentieth of it. */
const tooLongMs = 2_000;

export type Pair = readonly [first: string, second: string];

/** Makes a text of the first once and then the second again and again, or of both in turn. At its end a match fails. */
export function createText([first, second]: Pair, isInTurn: boolean, end: string): string {
  const [lead, more] = isInTurn ? ["", first + second] : [first, second];
  return (lead + more.repeat(Math.ceil(length / more.length))).slice(0, length - end.length) + end;
}

/** A backslash ends a quotation that isn't closed. */
export const ends = ["!", "\0", "\\"] as const;

export function createTexts(pair: Pair): string[] {
  if (pair[0] === "") return [createText(pair, false, ends[0])];
  return [false, true].flatMap((isInTurn) => ends.map((end) => createText(pair, isInTurn, end)));
}

export type Run = (text: string) => unknown;

/** Returns a message about the first text for which the function takes too long, if there is one. */
export function slowness(name: string, run: Run, texts: readonly string[]): string | undefined {
  if (isNegligible(run, texts)) return undefined;
  const slow = texts.find((text) => !isNegligible(run, [text]) && !isQuick(run, text));
  if (slow === undefined) return undefined;
  return `${name} takes too long on ${JSON.stringify(`${slow.slice(0, 60)}\u2026${slow.slice(-1)}`)}`;
}

/** Nearly always, even all texts together are: on a quarter of the length, what grows with the square takes a sixteenth of its time. */
function isNegligible(run: Run, texts: readonly string[]): boolean {
  const parts = texts.map((text) => shortenText(text, 4));
  const runAll = () => {
    for (const part of parts) run(part);
  };
  return measureMs(runAll, negligibleMs / 16) <= negligibleMs / 16;
}

/** The text with a part of its length, and its end. */
const shortenText = (text: string, part: number) => text.slice(0, length / part - 1) + text.slice(-1);

/** Goes from short texts to long ones, because what isn't linear may take hours on the longest. */
function isQuick(run: Run, text: string): boolean {
  let before = 0;
  for (const part of [64, 16, 4, 1]) {
    const shorter = shortenText(text, part);
    const most = Math.min(tooLongMs, Math.max(negligibleMs, growth * before));
    // The first time, an expression may have to be compiled, or garbage to be collected.
    before = Math.min(...[1, 2, 3].map(() => measureMs(() => void run(shorter), most)));
    if (before > most) return false;
  }
  return true;
}

/**
 * Returns the milliseconds of a processor that the work takes, or more than the most: what takes three times that is ended. If others had
 * the processor meanwhile, it gets more time.
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

/** Returns false if it had to end the work. */
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
