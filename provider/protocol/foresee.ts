/** Says what an `up` would make of a declaration, from what the same steps led to in a preview, which reads and posts nothing. */
import { changedIdentity, type Declaration } from "./identity";
import { publicContent, type Recorded } from "./records";
import { type Ending } from "./task";

interface Foresight {
  readonly declared: Partial<Declaration>;
  /** The record of the resource in the state. */
  readonly recorded?: Recorded | undefined;
  /** The names of the values that aren't known yet. */
  readonly unknown?: ReadonlySet<string> | undefined;
  /** The reason if the service did not respond; empty if it was said before. */
  readonly unread?: string | undefined;
  /** True if the result of an earlier update of the incident is unknown. */
  readonly isBehind?: boolean | undefined;
}

/** @param ending The end of the steps; undefined if none were taken, because a value isn't known or the service was silent. */
export function foresee({ isBehind = false, ...foresight }: Foresight, ending?: Ending): Ending {
  if (foresight.unread !== undefined || !ending) return withoutReading(foresight);
  const { remarks } = ending;
  // An `up` searches longer than a preview, and while it waits, the update may appear.
  const waits = remarks.some(({ tell }) => tell === "waits");
  if (ending.kind === "posted") {
    const { replaced } = ending;
    const said = replaced?.isRedated === true ? [{ tell: "redated" } as const, ...remarks] : remarks;
    if (isBehind) return { kind: "waits", replaced, remarks: [{ tell: "behind" }, ...said] };
    return waits ? { kind: "waits", replaced, remarks: said } : { ...ending, remarks: said };
  }
  if (ending.kind !== "refused") return ending;
  const { refusal } = ending;
  // The update that is missing may be the one whose result is unknown.
  if (isBehind && (refusal.why === "earlierEntry" || refusal.why === "occurrence"))
    return { kind: "waits", remarks: [{ tell: "behind" }] };
  return waits || refusal.why === "unsettledTwin" ? { kind: "waits", refusal, remarks: [] } : ending;
}

function withoutReading({ declared, recorded, unread, unknown = new Set() }: Foresight): Ending {
  const remarks = unread === undefined ? [] : [{ tell: "unread", why: unread } as const];
  if (recorded === undefined) return { kind: "unknown", remarks };
  if (recorded.kind === "sent") return { kind: "unconfirmed", recorded, remarks };
  const fields = changedIdentity(recorded.declared, declared, unknown).filter((name) => unknown.has(name));
  if (fields.length === 0) return { kind: "kept", recorded, remarks };
  if (declared.onChange !== "refuse")
    return { kind: "unknown", replaced: publicContent(recorded), remarks: [{ tell: "notKnown", fields }] };
  return { kind: "kept", recorded, remarks: [{ tell: "notKnown", fields, isRefused: true }] };
}
