/** Parses YAML (and therefore JSON) to a value with the positions of its parts, and reports errors with their positions. */
import {
  type Document,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
} from "yaml";
import { type z } from "zod";
import { type Path, type ProblemAt, toProblemsAt } from "../../provider/problems";
import { getErrorReason, toOneLine } from "../../provider/texts";

/** Returns the position of a value or of its key. If the value doesn't exist, returns the position of its parent. */
export type Locate = (path: Path, atKey?: boolean) => Position;

/** A position in a file, starting at 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** @throws RulesError if the text isn't valid YAML */
export function parseYaml(text: string, file: string): { readonly value: unknown; readonly locate: Locate } {
  if (text.length > maxCharacters)
    throw new RulesError([{ at: "", reason: `must have at most ${maxCharacters} characters` }], file);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
    // The library would compare each key with all keys before it, and that takes a minute for a long file.
    uniqueKeys: false,
    // Dates stay strings, even with %YAML 1.1.
    customTags: (tags) => tags.filter((tag) => typeof tag === "string" || !tag.tag.endsWith(":timestamp")),
  });
  const toPosition = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const createUnreadableError = (problems: readonly Unreadable[]) =>
    new RulesError(
      problems.map(({ message, offset }) => ({
        at: "",
        reason: `can't be read: ${message}`,
        ...toPosition(offset),
      })),
      file,
    );
  const { parts, problems } = readParts(document);
  const errors = [...document.errors, ...document.warnings].map(({ code, message, pos }) => {
    const [offset] = pos;
    if (code === "MULTIPLE_DOCS") return { message: "A second document starts here", offset };
    return { message: isOverflow(message) ? tooDeep : message, offset };
  });
  const known = new Set(problems.map(({ offset }) => offset));
  const comments = errors
    .filter(({ offset }) => comment.test(text.slice(offset, offset + 2)) && !known.has(offset))
    .map(({ offset }) => ({ offset, message: noComment }));
  // Errors after such a comment are misleading, because the parser treats the comment as a part of the next value.
  const isCommented = [...comments, ...problems].some(({ message }) => message === noComment);
  const all = [...(isCommented ? comments : errors), ...problems];
  if (all.length > 0) throw createUnreadableError(all.sort((a, b) => a.offset - b.offset));
  const locate: Locate = (path, atKey = false) =>
    toPosition(findOffset(document.contents, path, atKey, parts));
  try {
    return { value: document.toJS() as unknown, locate };
  } catch (error) {
    // An alias may lack its anchor, and nested aliases can expand until memory runs out.
    throw createUnreadableError([{ message: getErrorReason(error), offset: 0 }]);
  }
}

/** For deep nesting, the library returns the JavaScript engine's stack overflow message. */
const isOverflow = (message: string) => message.startsWith("Maximum call stack");
const tooDeep = "Lists and objects are nested too deeply";

/** Matches a JavaScript comment, because YAML treats it as a part of the next string. */
const comment = /^\/[/*]/;
const noComment = "Comments start with #, even in a JSON file";
const noMerge =
  "YAML 1.2 doesn't support the merge key <<. Use an alias for a whole value, such as `rules: *shared`, or write out the keys";

const maxCharacters = 5_000_000;
/** Limits the aliases, because the library searches all anchors and aliases before each one, and this is slow for many aliases. */
const maxAliases = 1_000;

interface Unreadable {
  readonly message: string;
  readonly offset: number;
}

interface Parts {
  /** Target nodes of aliases. */
  readonly targets: ReadonlyMap<unknown, Node>;
  /** Pairs of each map, by key. */
  readonly pairs: ReadonlyMap<unknown, ReadonlyMap<string, Pair>>;
}

/** Collects anchors, keys and problems in one pass, so that later look-ups are fast. */
function readParts(document: Document): { parts: Parts; problems: Unreadable[] } {
  const anchors = new Map<string, Node>();
  const targets = new Map<unknown, Node>();
  const pairs = new Map<unknown, Map<string, Pair>>();
  const problems: Unreadable[] = [];
  const fail = (message: string, node: unknown) =>
    void problems.push({ message, offset: getStart(node) ?? 0 });
  const isMerging = document.directives?.yaml.version === "1.1";
  let aliases = 0;
  visit(document, {
    Alias(_, node) {
      if (++aliases === maxAliases + 1) fail(`More than ${maxAliases} aliases`, node);
      const target = anchors.get(node.source);
      if (target) targets.set(node, target);
    },
    Value(_, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isScalar(node) && node.type === Scalar.PLAIN && comment.test(String(node.source)))
        fail(noComment, node);
    },
    Pair(_, pair, path) {
      if (!isScalar(pair.key)) return;
      const { value, type } = pair.key;
      if (!isMerging && value === "<<" && type === Scalar.PLAIN) fail(noMerge, pair.key);
      const map = path.at(-1);
      const ofMap = pairs.get(map) ?? new Map<string, Pair>();
      if (ofMap.has(String(value))) fail("Map keys must be unique", pair.key);
      pairs.set(map, ofMap.set(String(value), pair));
    },
  });
  return { parts: { targets, pairs }, problems };
}

function findOffset(root: Node | null, path: Path, atKey: boolean, { targets, pairs }: Parts): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    const parent = targets.get(node) ?? node;
    const pair = pairs.get(parent)?.get(String(step));
    node = isSeq(parent) ? parent.items[Number(step)] : pair?.value;
    const named = atKey && depth === path.length - 1 ? pair?.key : (node ?? pair?.key);
    offset = getStart(named) ?? offset;
    if (node === undefined) break;
  }
  return offset;
}

function getStart(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node)) return undefined;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : undefined;
}

/** The rules are invalid. The message contains one line for each error. */
export class RulesError extends Error {
  override readonly name = "RulesError";
  /** All errors, in the order of the file. */
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[], file?: string) {
    super(mistakes.map((mistake) => formatMistake(mistake, file)).join("\n"));
    this.mistakes = mistakes;
  }

  static of(placed: readonly ProblemAt[], file?: string, locate?: Locate): RulesError {
    const mistakes = placed.map(({ path, reason, atKey }) => ({
      at: formatPath(path),
      reason,
      ...locate?.(path, atKey),
    }));
    return new RulesError(mistakes.sort(compareMistakes), file);
  }
}

function compareMistakes(a: Partial<Position>, b: Partial<Position>): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function formatMistake({ at, reason, line, column }: Mistake, file = ""): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return `${place === "" ? "" : `${place}: `}${toOneLine(`${at === "" ? "the rules" : at} ${reason}`)}`;
}

function formatPath(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step) || '""'}`))
    .join("")
    .replace(/^\./, "");
}

/** Converts the issues of a schema to errors. The message of a `strict` object contains one line for each unknown key. */
export function toMistakes(issues: Issues, base: Path = []): ProblemAt[] {
  /** Lines by message, because splitting the message again for each of its keys would take minutes for a long file. */
  const split = new Map<string, readonly string[]>();
  return toProblemsAt(issues.flatMap(findIntendedIssues), base, (_, index, { keys, message }) => {
    const reasons = split.get(message) ?? message.split("\n");
    split.set(message, reasons);
    return reasons.length === keys.length ? (reasons[index] ?? "") : "is not known";
  });
}

type Issues = readonly z.core.$ZodIssue[];

/**
 * Replaces a union's issue with the issues of the only branch whose type matches the value, even if the branch doesn't allow that value.
 */
function findIntendedIssues(issue: z.core.$ZodIssue): Issues {
  if (issue.code !== "invalid_union") return [issue];
  const omitCodes = (...codes: string[]) =>
    issue.errors.filter(
      (branch) => !branch.some(({ code, path }) => path.length === 0 && codes.includes(code)),
    );
  const [intended] =
    [omitCodes("invalid_type", "invalid_value"), omitCodes("invalid_type")].find(
      ({ length }) => length === 1,
    ) ?? [];
  if (intended === undefined) return [issue];
  return intended
    .map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
    .flatMap(findIntendedIssues);
}

/** An error in rules. */
export interface Mistake {
  /** Path in the rules, such as `exceptions[0].until`; empty for the rules as a whole. */
  readonly at: string;
  /** End of a sentence that starts with `at`: the error and the allowed values. */
  readonly reason: string;
  /** Line in the file, starting at 1; missing if the rules are an object. */
  readonly line?: number;
  /** Column in the file, starting at 1. */
  readonly column?: number;
}
