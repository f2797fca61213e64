import * as pulumi from "@pulumi/pulumi";
import { entryKey, matches } from "../../provider/lifecycles/updateContent";
import { declaredContent } from "../resources/declaredContent";
import { IncidentUpdate, type IncidentUpdateArgs } from "../resources/IncidentUpdate";
import { declarationError } from "../resources/declarationError";

/** One entry of a timeline. */
export type IncidentTimelineEntry = Pick<
  IncidentUpdateArgs,
  "status" | "description" | "notifySubscribers" | "publicIncidentUpdateDate"
>;

/** What a program declares of a timeline. */
export interface IncidentTimelineArgs extends Pick<
  IncidentUpdateArgs,
  "incidentId" | "onUnconfirmed" | "account"
> {
  /** The updates, in the order in which they are posted. Add new ones at the end. */
  updates: IncidentTimelineEntry[];
}

/**
 * Declares the updates of a status-page incident in their order (operation `createIncidentUpdate` and operation `getStatusPageIncident`). Each is posted once, after the one before it. It is
 * append-only: an entry that is public can't be edited, moved or taken out, because the service can't take it back;
 * removing the last one makes the stack forget it. It may hold identical entries.
 *
 * @throws InvalidInputError when a public entry is edited, moved or taken out. Nothing is posted. Besides, each entry
 * fails as an `IncidentUpdate` does, and those after it aren't posted.
 */
export class IncidentTimeline extends pulumi.ComponentResource {
  /** @internal */
  static readonly entryClass: typeof IncidentUpdate = IncidentUpdate;

  /** The updates, as resources, in their order. */
  readonly updates: readonly IncidentUpdate[];
  /** Identifiers of the updates, in their order. */
  declare readonly incidentUpdateIds: pulumi.Output<string[]>;

  constructor(name: string, args: IncidentTimelineArgs, options?: pulumi.ComponentResourceOptions) {
    super("monitoring:index:IncidentTimeline", name, {}, options);
    const { updates, ...common } = { ...args };
    if (!areEntries(updates)) {
      throw declarationError(
        "IncidentTimeline",
        name,
        "updates must be a list of entries, each with status and description.",
      );
    }
    const resources: IncidentUpdate[] = [];
    for (const [index, entry] of updates.entries()) {
      const occurrence = occurrenceOfLast(updates.slice(0, index + 1));
      const followedBy = keysOf(updates.slice(index + 1).slice(-longestHistory));
      // Named by its place, so that an entry which is edited, moved or taken out shows as a change of a public one.
      const update = new new.target.entryClass(
        `${name}-${index + 1}`,
        { ...common, ...entry, occurrence, followedBy, onChange: "refuse" },
        { parent: this, dependsOn: resources.slice(-1) },
      );
      resources.push(update);
    }
    this.updates = resources;
    this.incidentUpdateIds = pulumi.all(resources.map(({ incidentUpdateId }) => incidentUpdateId));
    this.registerOutputs({ incidentUpdateIds: this.incidentUpdateIds });
  }
}

/** The service may show no more updates of an incident. */
const longestHistory = 100;

/** By which these entries are known, so that none before them is posted again when the history is cut. */
function keysOf(entries: readonly IncidentTimelineEntry[]): pulumi.Output<string[]> {
  return pulumi
    .output(entries)
    .apply((known) => known.flatMap((entry) => declaredContent(entry) ?? []).map(entryKey));
}

/** Which one the last of these entries is among those that say the same. How often words return is no secret. */
function occurrenceOfLast(entries: readonly IncidentTimelineEntry[]): pulumi.Output<number> {
  const occurrence = pulumi.output(entries).apply((known) => {
    const [last, ...earlier] = known.map(declaredContent).reverse();
    return 1 + earlier.filter((words) => last && words && matches(last, words)).length;
  });
  return pulumi.unsecret(occurrence);
}

/** A program in JavaScript may pass anything. */
function areEntries(updates: unknown): boolean {
  return (
    Array.isArray(updates) && updates.every((entry: unknown) => typeof entry === "object" && entry !== null)
  );
}
