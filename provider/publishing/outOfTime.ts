/** Why an update isn't posted, before anything of it is sent. */
import { TimeoutError } from "../client";
import { maxHoldMs } from "./timeLimits";

/** The time of the update is nearly over. */
export function noTimeLeft(incidentId: string): TimeoutError {
  return new TimeoutError(
    `IncidentUpdate on incident ${incidentId}: reading the incident, or waiting for other requests, left too little time ` +
      "to post the update. Nothing was posted. Run `pulumi up` again. If `deadlineMs` or `customTimeouts` is below 45 s, raise it.",
  );
}

/** Another process doesn't release the lock. */
export function heldTooLong(): TimeoutError {
  return new TimeoutError(
    `Another process has been publishing to this incident for more than ${maxHoldMs / 1000} s. ` +
      "Nothing was posted. Run `pulumi up` again.",
  );
}
