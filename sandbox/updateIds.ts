/** Determines the IDs of incident updates: generates an ID, or accepts the client's ID. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type StoredIncident, type StoredIncidentUpdate } from "./data";
import { HttpError, createInvalidInputError } from "./http";

/** Options for IDs of incident updates. The API doesn't document how the service handles an ID that a client sends. */
export const updateIdOptions = z.strictObject({
  ids: z
    .enum(["ignored", "honored", "honored-idempotent", "rejected"])
    .describe(
      "How to handle the `id` in the body of `createIncidentUpdate`. `ignored`: assign a different ID. `honored`: create the update with " +
        "this ID, and respond to a second post of the ID with 409. `honored-idempotent`: respond to a second post with 200 and the " +
        "existing update. `rejected`: respond with 400. Default: `ignored`.",
    ),
});

export type UpdateIdOptions = z.output<typeof updateIdOptions>;

type SentUpdate = Partial<Pick<StoredIncidentUpdate, "id" | "created_at">>;

/**
 * Returns the ID for a new update, or the existing update with the sent ID, even if reads don't return that update yet.
 *
 * @throws HttpError if the service rejects the sent ID
 */
export function assignId(
  ids: UpdateIdOptions["ids"],
  sent: SentUpdate,
  { incidentUpdates }: StoredIncident,
): string | StoredIncidentUpdate {
  if (ids === "rejected") rejectAssigned(sent);
  if (sent.id === undefined || !ids.startsWith("honored")) return randomUUID();
  const existing = incidentUpdates.find(({ id }) => id === sent.id);
  if (existing === undefined) return sent.id;
  if (ids === "honored-idempotent") return existing;
  throw new HttpError(409, `An incident update with the ID ${JSON.stringify(sent.id)} already exists.`);
}

function rejectAssigned({ id, created_at }: SentUpdate): void {
  const keys = Object.entries({ id, created_at }).flatMap(([key, value]) => (value === undefined ? [] : key));
  const message = keys.map((key) => `${key}: is assigned by the service`).join("; ");
  if (keys.length > 0) throw createInvalidInputError("payload", keys, message);
}
