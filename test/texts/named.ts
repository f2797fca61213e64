/** Reads the parts of a regular expression from its source, to build text that is hard to match. */

export interface Named {
  /** Its symbols and words, one or two characters of each class, and text that it matches up to a repetition or its end. */
  readonly parts: readonly string[];
  /** For each repetition, text that leads to it, and the repeated text. */
  readonly repetitions: readonly (readonly [lead: string, repeated: string])[];
}

export function parseNamed(regex: RegExp): Named {
  const { parts, repetitions } = new Reader(regex);
  return { parts: [...parts].filter((part) => part !== ""), repetitions };
}

/** Matches a character, an escape, a class, the start of a group, or a quantifier. */
const token =
  /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|<\w+>|:)|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gisu;

class Reader {
  readonly parts = new Set<string>();
  readonly repetitions: [lead: string, repeated: string][] = [];
  readonly #tokens: readonly string[];
  readonly #flags: string;
  /** Text that each group matches, by the group's number. */
  readonly #groups = [""];
  #at = 0;

  constructor({ source, flags }: RegExp) {
    this.#tokens = source.match(token) ?? [];
    this.#flags = flags;
    this.#alternatives("");
  }

  get #next(): string {
    return this.#tokens[this.#at] ?? ")";
  }

  /** Reads to the end of a group. Returns text that its first alternative matches. @param lead The text that is matched before. */
  #alternatives(lead: string): string {
    const sample = this.#sequence(lead);
    while (this.#next === "|") {
      this.#at++;
      this.#sequence(lead);
    }
    this.#at++;
    return sample;
  }

  #sequence(lead: string): string {
    let sample = "";
    let word = "";
    while (!/^[)|]$/.test(this.#next)) {
      const isCharacter = isLiteral(this.#next);
      const matched = this.#term(lead + sample);
      const [least, most] = this.#times();
      if (isCharacter && least === 1 && most === 1) word += matched.join("");
      else {
        this.#add(...splitWord(word), ...matched);
        word = "";
      }
      if (most > 1) this.#repeat(lead + sample, matched);
      sample += (matched[0] ?? "").repeat(least);
    }
    this.#add(...splitWord(word), lead + sample);
    return sample;
  }

  #add(...parts: string[]): void {
    for (const part of parts) this.parts.add(part);
  }

  #repeat(lead: string, matched: readonly string[]): void {
    this.#add(lead);
    for (const one of matched) this.repetitions.push([lead, one]);
  }

  /** Reads a character, a class or a group. Returns strings that it matches. */
  #term(lead: string): string[] {
    const first = this.#next;
    this.#at++;
    if (first.startsWith("(")) return [this.#group(first, lead)];
    if (/^(?:[$^]|\\b)$/i.test(first)) return [""];
    if (/^\\[1-9]$/.test(first)) return [this.#groups[Number(first.slice(1))] ?? ""];
    return isLiteral(first) ? [parseCharacter(first)] : listCharacters(first, this.#flags);
  }

  #group(beginning: string, lead: string): string {
    const number = /^\($|^\(\?<\w/.test(beginning) ? this.#groups.push("") - 1 : undefined;
    const isAround = /[=!]$/.test(beginning);
    const sample = this.#alternatives(isAround && beginning.includes("<") ? "" : lead);
    if (number !== undefined) this.#groups[number] = sample;
    return isAround ? "" : sample;
  }

  /** Reads the quantifier of the previous term. */
  #times(): [least: number, most: number] {
    const [, sign, least, more, most] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/.exec(this.#next) ?? [];
    if (sign === undefined && least === undefined) return [1, 1];
    this.#at++;
    if (least === undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Infinity];
    return [Number(least), more === "" ? Number(least) : Number(most || Infinity)];
  }
}

/** Returns a sequence of literal characters, and each symbol in it. */
const splitWord = (word: string): string[] => [word, ...(word.match(/[^\p{L}\p{N}]/gu) ?? [])];

const isLiteral = (one: string): boolean => !/^(?:[[(.^$|)]|\\[dwspb1-9])/i.test(one);

const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", v: "\v", f: "\f", 0: "\0" };

/** Reads a character or its escape. */
function parseCharacter(one: string): string {
  const [, code] = /^\\[ux]\{?([\da-f]+)\}?$/i.exec(one) ?? [];
  if (code !== undefined) return String.fromCodePoint(parseInt(code, 16));
  return one.startsWith("\\") ? (controls[one.slice(1)] ?? one.slice(1)) : one;
}

/** Letters, a digit, white space, characters beyond ASCII, punctuation and an emoji. */
const usual = ["a", " ", "1", "\n", "A", "\u00e9", "-", "\u{1f389}"];

/**
 * Returns two usual characters that a class or an escape matches, and the characters in a class. For a range, that is its first
 * character.
 */
function listCharacters(one: string, flags: string): string[] {
  const only = new RegExp(`^${one}$`, flags.replace(/[gmy]/g, ""));
  const members = one.startsWith("[") ? (one.slice(1, -1).match(token) ?? []) : [];
  const isRange = (index: number) => members[index] === "-" && index > 0 && index < members.length - 1;
  const firsts = members.filter((_, index) => !isRange(index) && !isRange(index - 1));
  const named = firsts
    .filter((each, index) => isInClass(each) && (each !== "^" || index > 0))
    .map(parseCharacter);
  const matched = usual.filter((each) => only.test(each)).slice(0, 2);
  return matched.length + named.length > 0 ? [...matched, ...named] : [findFirstMatch(only)];
}

const isInClass = (one: string): boolean => !/^\\[dwspb]/i.test(one);

/** Returns the first Unicode character that an expression matches. */
function findFirstMatch(only: RegExp): string {
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (only.test(character)) return character;
  }
  throw new Error(`${only.source} matches no character.`);
}
