/** Which incident a note is about: a service that was set up anew may have another one with the same id. */
import { notBefore } from "../api/timestamps";

/** By which the clocks of this machine and of the service may differ. */
const machineClockMs = 300_000;

/** What a note says of its incident. */
export interface NotedIncident {
  /** When the incident was created, as the service said then. */
  readonly incident: string | null;
  /** When the update was sent, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Whether the note is about an earlier incident with this id: this one was created after the post. Nothing else proves it:
 * teams correct when an incident began, and delete its updates; services write one time in several ways.
 *
 * @param createdAt of the incident, as the service says now.
 */
export function isOfEarlierIncident({ incident, at }: NotedIncident, createdAt: string | null): boolean {
  if (notBefore(incident, createdAt, 1_000)) return false;
  return !notBefore(new Date(at).toISOString(), createdAt, machineClockMs);
}
