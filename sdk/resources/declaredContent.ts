import { updateStatuses } from "../../provider/api/enums";
import { type Declaration } from "../../provider/lifecycles/updateContent";

/** What a declared update is to say. */
export type DeclaredContent = Pick<Declaration, "status" | "description" | "publicIncidentUpdateDate">;

/** Undefined while a part isn't known in the program, or when it can't be right: `check` tells then. */
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
