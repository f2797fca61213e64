/** The errors of a verb, as the adapters get them. */
import { printable } from "../texts/printable";
import { isMonitoringError, MonitoringError } from "../client";
import { type Failure, type ResourceState } from "../lifecycles/lifecycle";

/** Fails the run and still records this state, because the operation may have taken effect. */
export class PartialFailureError extends Error {
  readonly remembered: ResourceState;

  constructor(message: string, remembered: ResourceState) {
    super(printable(message));
    this.remembered = remembered;
  }
}

/** @throws MonitoringError for a failure; PartialFailureError when the state has to record something. */
export function assertSucceeded(result: ResourceState | Failure): asserts result is ResourceState {
  if (!("failure" in result)) return;
  if (result.remembered) throw new PartialFailureError(result.failure, result.remembered);
  throw new MonitoringError(result.failure);
}

/** The message for the user. */
export function messageOf(error: unknown): string {
  if (isMonitoringError(error) || error instanceof PartialFailureError) return error.message;
  const what = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown failure";
  return `Internal error in pulumi-monitoring-service; please report it: ${what}`;
}
