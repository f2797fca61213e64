import { updateStatuses } from "../../provider/api/enums";
import { type Declaration } from "../../provider/lifecycles/words";

/** What a declared update is to say. */
export type DeclaredWords = Pick<Declaration, "status" | "description" | "publicIncidentUpdateDate">;

/** Undefined while a part isn't known in the program, or when it can't be right: `check` tells then. */
export function declaredWords(args: {
  readonly [Name in keyof DeclaredWords]?: unknown;
}): DeclaredWords | undefined {
  const { description, publicIncidentUpdateDate } = args;
  const status = updateStatuses.find((known) => known === args.status);
  if (status === undefined || typeof description !== "string") return undefined;
  if (publicIncidentUpdateDate !== undefined && typeof publicIncidentUpdateDate !== "string")
    return undefined;
  return { status, description, publicIncidentUpdateDate };
}
