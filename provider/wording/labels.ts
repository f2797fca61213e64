/** Formats resources, fields and times in sentences. */
import { parseMs } from "../api";
import { parseUrn } from "../engine";
import { otherProvider } from "../protocol";
import { type Nouns } from "./nouns";

/** Returns the start of a notice: the resource type, its name if the engine doesn't show it, and the given ID. */
export type Label = (id?: string) => string;

export const formatTypeLabel = (type: string, id?: string): string =>
  id === undefined ? type : `${type} ${id}`;

export function formatResourceName(resource: string): string {
  if (resource === otherProvider) return "a resource of another Provider";
  return JSON.stringify(parseUrn(resource).name);
}

/** Convert a field of the protocol to the property in a program, and back. */
export const toProperty = (field: string, { containerProperty }: Nouns): string =>
  field === "containerId" ? containerProperty : field;

export const toField = (property: string, { containerProperty }: Nouns): string =>
  property === containerProperty ? "containerId" : property;

/** @param ms In milliseconds since 1970. */
export const formatTime = (ms: number): string => new Date(ms).toISOString();

/** Returns the time without seconds, such as `2026-11-24 08:00 UTC`. Undefined if the time is missing or invalid. */
export function formatUtc(date: string | null | undefined): string | undefined {
  const at = parseMs(date ?? undefined);
  return at === undefined ? undefined : `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
