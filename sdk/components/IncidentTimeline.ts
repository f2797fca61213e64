import * as pulumi from "@pulumi/pulumi";
import {
  addedInputs,
  areEntries,
  entryName,
  followersOf,
  keysOf,
  notEntries,
  occurrenceOfLast,
} from "../../provider/lifecycles/incidentUpdate/timelineInputs";
import { IncidentUpdate, type IncidentUpdateArgs } from "../resources/IncidentUpdate";
import { declarationError } from "../program/declarationError";

/** One entry of a timeline. Once it is public, an edit is rejected. */
export interface IncidentTimelineEntry extends Pick<IncidentUpdateArgs, "notifySubscribers"> {
  /** Status that the update announces. */
  status: IncidentUpdateArgs["status"];
  /** Public text. Surrounding white space is trimmed. */
  description: IncidentUpdateArgs["description"];
  /** Public date, as an ISO 8601 date-time. Default: the time of the post. */
  publicIncidentUpdateDate?: IncidentUpdateArgs["publicIncidentUpdateDate"];
}

/** The arguments of {@link IncidentTimeline}. */
export interface IncidentTimelineArgs extends Pick<IncidentUpdateArgs, "account"> {
  /** Id of the status-page incident. Once an entry is public, a change is rejected. */
  incidentId: IncidentUpdateArgs["incidentId"];
  /** The updates, in posting order. Append new ones at the end. */
  updates: IncidentTimelineEntry[];
}

/**
 * Publishes the updates of a status-page incident in order (operation `createIncidentUpdate` and operation
 * `getStatusPageIncident`). Each is posted once, after the previous one. Append new entries at the end: an edit, move or removal
 * of a public entry is rejected, because the API can't change or delete an update. The last entries can be removed; their
 * updates stay public. Identical entries are allowed.
 *
 * @throws InvalidInputError when a public entry is edited, moved, or removed from before another one. Nothing is
 * posted. An entry also throws the errors of `IncidentUpdate`; later entries are then not posted.
 */
export class IncidentTimeline extends pulumi.ComponentResource {
  /** @internal */
  static readonly entryClass: typeof IncidentUpdate = IncidentUpdate;

  /** The updates, as resources, in order. Only in TypeScript and JavaScript. */
  readonly updates: readonly IncidentUpdate[];
  /** Identifiers of the updates, in order. */
  declare readonly incidentUpdateIds: pulumi.Output<string[]>;

  constructor(name: string, args: IncidentTimelineArgs, options?: pulumi.ComponentResourceOptions) {
    super("monitoring:index:IncidentTimeline", name, {}, options);
    const { updates, ...common } = { ...args };
    if (!areEntries(updates)) {
      throw declarationError("IncidentTimeline", name, notEntries);
    }
    const keys = pulumi.output(updates).apply(keysOf);
    const resources: IncidentUpdate[] = [];
    for (const [index, entry] of updates.entries()) {
      // The count is not a secret.
      const occurrence = pulumi.unsecret(pulumi.output(updates.slice(0, index + 1)).apply(occurrenceOfLast));
      const keyAt = (at: number): pulumi.Output<string> => keys.apply((all) => all[at] ?? "");
      const followedBy = keys.apply((all) => followersOf(all, index));
      const update = new new.target.entryClass(
        entryName(name, index),
        { ...common, ...entry, ...addedInputs(index, occurrence, keyAt, followedBy) },
        { parent: this, dependsOn: resources.slice(-1) },
      );
      resources.push(update);
    }
    this.updates = resources;
    this.incidentUpdateIds = pulumi.all(resources.map(({ incidentUpdateId }) => incidentUpdateId));
    this.registerOutputs({ incidentUpdateIds: this.incidentUpdateIds });
  }
}
