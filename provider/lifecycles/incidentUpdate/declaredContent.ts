import { updateStatuses } from "../../api/enums";
import { type Content, type Identity } from "../../protocol";

/** The content of a declared update. */
export type DeclaredContent = Pick<Identity, keyof Content>;

/** Undefined while a value is an output, or when a value is invalid, which `check` reports. */
export function declaredContent(args: {
  readonly [Name in keyof DeclaredContent]?: unknown;
}): DeclaredContent | undefined {
  const { description, publicIncidentUpdateDate } = args;
  const status = updateStatuses.find((known) => known === args.status);
  if (status === undefined || typeof description !== "string") return undefined;
  if (publicIncidentUpdateDate !== undefined && typeof publicIncidentUpdateDate !== "string")
    return undefined;
  return { status, description, publicIncidentUpdateDate };
}
