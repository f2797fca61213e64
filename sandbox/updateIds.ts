/** Makes the ids of incident updates: assigns them, or accepts those of clients. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type StoredIncident, type StoredIncidentUpdate } from "./data";
import { HttpError, invalidInput } from "./http";

/** Options for ids of incident updates, which the API doesn't document. */
export const updateIdOptions = z.strictObject({
  ids: z
    .enum(["ignored", "honoured", "honoured-idempotent", "rejected"])
    .describe(
      "Handling of the `id` in the body of `createIncidentUpdate`. The service assigns a different ID (`ignored`), creates the " +
        "update with the sent ID (`honoured`), or responds with 400 (`rejected`). A second post with the same ID gets 409 or, with " +
        "`honoured-idempotent`, 200 with the existing update. Default: `ignored`.",
    ),
});

export type UpdateIdOptions = z.output<typeof updateIdOptions>;

type SentUpdate = Partial<Pick<StoredIncidentUpdate, "id" | "created_at">>;

/**
 * Returns the id for a new update, or the update that has it already, even if reads don't return that update yet.
 *
 * @throws HttpError when the service rejects the one that was sent
 */
export function assignedId(
  ids: UpdateIdOptions["ids"],
  sent: SentUpdate,
  { incidentUpdates }: StoredIncident,
): string | StoredIncidentUpdate {
  if (ids === "rejected") rejectAssigned(sent);
  if (sent.id === undefined || !ids.startsWith("honoured")) return randomUUID();
  const existing = incidentUpdates.find(({ id }) => id === sent.id);
  if (existing === undefined) return sent.id;
  if (ids === "honoured-idempotent") return existing;
  throw new HttpError(409, `An incident update with the ID ${JSON.stringify(sent.id)} already exists.`);
}

function rejectAssigned({ id, created_at }: SentUpdate): void {
  const keys = Object.entries({ id, created_at }).flatMap(([key, value]) => (value === undefined ? [] : key));
  const message = keys.map((key) => `${key}: is assigned by the service`).join("; ");
  if (keys.length > 0) throw invalidInput("payload", keys, message);
}
