/** The notices and warnings about an update, which fail nothing. None quotes a description: it may be a secret until it is public. */
import { type Declaration, sameText } from "../identity";
import { type Notice } from "../task";

export function noticeText(
  notice: Notice,
  { incidentId, notifySubscribers, description }: Declaration,
): string {
  switch (notice.tell) {
    case "adopted": {
      const { id, created_at: since, notifySubscribers: shown } = notice.update;
      const flag =
        typeof shown === "boolean" && shown !== notifySubscribers
          ? ` It shows notifySubscribers ${shown}, not ${notifySubscribers} as declared; no email is sent.`
          : "";
      const what = sameText(notice.update.description, description)
        ? `an identical update (${id})`
        : `this update (${id}), edited since,`;
      return `IncidentUpdate: ${what} has existed in incident ${incidentId} since ${since ?? "an unknown time"}; adopted, nothing posted.${flag}`;
    }
    case "several":
      return `IncidentUpdate: ${notice.count} new updates of incident ${incidentId} match; the oldest, ${notice.id}, is assumed to be the one that was posted.`;
    case "found":
      return `IncidentUpdate: update ${notice.id} was published on incident ${incidentId} by a previous run, whose response was lost. It was not posted again.`;
    case "resent":
      return `IncidentUpdate: incident ${incidentId} doesn't show the update that was sent at ${new Date(notice.at).toISOString()}, and monitoring:resend permits sending it again.`;
    case "waits":
      return (
        `IncidentUpdate: this machine sent ${notice.isLater ? "a later entry of the timeline" : "an identical update"} to incident ${incidentId} moments ago, and the ` +
        `service doesn't show it yet. Searching for it for up to ${Math.ceil(notice.ms / 1000)} s before anything is posted.`
      );
  }
}

export function unusedCodesText(codes: readonly string[], isOfProvider: boolean): string {
  const setting = isOfProvider ? "resend of the Provider" : "monitoring:resend";
  return `IncidentUpdate: ${setting} (${codes.join(" ")}) answered no question of this run so far. If no update asks, remove it.`;
}

export const checkpointsText =
  "IncidentUpdate: PULUMI_SKIP_CHECKPOINTS is set, so the state of a killed run lacks what it posted, and the next run may " +
  "post it again. Unset it for stacks that post updates.";

/** In a preview whose values aren't all known. */
export function uncertainText(id: string, fields: readonly string[]): string {
  return (
    `IncidentUpdate ${id}: ${fields.join(", ")} not known yet. If the value changes, a new update replaces this one, ` +
    "which stays public."
  );
}

export function removedText(id: string, isUnconfirmed: boolean): string {
  const visibility = isUnconfirmed ? "may be public" : "stays public";
  return `IncidentUpdate ${id}: removed from the state. The update ${visibility}: the API has no operation to delete it.`;
}

const nothing = "nothing is posted, and nobody is emailed.";

/** `notifySubscribers` was turned on after the post. */
export function emailEnabledText(id: string): string {
  return `IncidentUpdate ${id}: the update is public. Enabling notifySubscribers changes only the state: ${nothing}`;
}

export function occurrenceText(id: string, occurrence: number): string {
  return `IncidentUpdate ${id}: the update is public. occurrence is recorded as ${occurrence}: ${nothing}`;
}

/** A description that looks the same to a reader. */
export function respelledText(id: string): string {
  return (
    `IncidentUpdate ${id}: description differs only in white space, HTML entities or Unicode from what was published, so it is ` +
    "the same update: nothing is posted, nobody is emailed, and the public text stays as it is."
  );
}
