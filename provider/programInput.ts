/**
 * The one input that this package passes beside those of a program: what the engine doesn't tell a provider about a resource. The engine
 * shows no property whose name begins with `__`. The adapters take it off; a dynamic provider stores its URN and its secrets. Every program
 * loads this file, so it needs neither zod nor axios.
 */
import { isUnknown } from "./engine";

export const programInput = "__call";

/** The place of an entry in its timeline: the keys of all entries, and its 0-based index among them. */
export interface PlaceInTimeline {
  readonly keys: readonly string[];
  readonly index: number;
  /** The entries after it, which are checked before this one is posted. */
  readonly later?: readonly Readonly<Record<string, unknown>>[];
}

export interface FromProgram {
  /** The engine's calls of a dynamic provider don't name the resource. */
  readonly urn: string | undefined;
  /** True in a preview of a dynamic provider, to which the engine doesn't tell it. */
  readonly previews: boolean;
  /** True if the program collects the problems of a preview, and fails at its end: the engine stops at the first error. */
  readonly collects: boolean;
  /** Values that messages may show: the engine doesn't tell a dynamic provider which are secrets. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The place of an entry in its timeline; `later` while any of its texts isn't known. */
  readonly place: PlaceInTimeline | "later" | undefined;
  /** The place in the program, for the order of a preview. */
  readonly order: number | undefined;
}

/** Reads the input; undefined if it isn't of this form, because a program or a transformation made it. */
export function fromProgram(value: unknown): FromProgram | undefined {
  const given = value ?? {};
  if (!isRecord(given)) return undefined;
  const { urn, previews, collects, shown, place, order } = given;
  const isText = urn === undefined || (typeof urn === "string" && urn.startsWith("urn:"));
  const hasPlace = place !== undefined && place !== null;
  const at = hasPlace ? (isUnknown(place) ? "later" : placeIn(place)) : undefined;
  if (!isText || (hasPlace && at === undefined)) return undefined;
  return {
    urn,
    place: at,
    previews: previews === true,
    collects: collects === true,
    shown: isRecord(shown) ? shown : {},
    order: typeof order === "number" ? order : undefined,
  };
}

function placeIn(value: unknown): PlaceInTimeline | undefined {
  if (!isRecord(value)) return undefined;
  const { keys, index, later = [] } = value;
  const areKeys = Array.isArray(keys) && keys.every((key) => typeof key === "string");
  const isPlace = areKeys && typeof index === "number" && Array.isArray(later);
  return isPlace ? { keys, index, later: later.filter(isRecord) } : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
