/** Ranks the impacts of incidents on components. Every program loads this file, so it loads no zod. */
import { componentStatuses } from "../api/enums";

export interface Impact {
  readonly status?: string | null | undefined;
  readonly endedAt?: string | null | undefined;
}

/** Returns the impacts that have not ended. */
export function lastingImpacts<Each extends Impact>(impacts: readonly Each[] | null | undefined): Each[] {
  return (impacts ?? []).filter(({ endedAt }) => endedAt == null);
}

/** Returns the position of a state among all states, worst first. An unknown state is before the worst. */
export function rankOf({ status }: Impact): number {
  return componentStatuses.findIndex((each) => each === status);
}

/** Returns the worst state of the impacts that have not ended; undefined if there is none, or if it is missing. */
export function worstState(impacts: readonly Impact[] | null | undefined): string | undefined {
  const [worst] = lastingImpacts(impacts).sort((a, b) => rankOf(a) - rankOf(b));
  return worst?.status ?? undefined;
}
