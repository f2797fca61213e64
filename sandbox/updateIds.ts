/** Makes the ids of incident updates: assigns them, or accepts those of clients, and formats them for responses. */
import { randomInt, randomUUID } from "node:crypto";
import { z } from "zod";
import { type StoredIncident, type StoredIncidentUpdate } from "./data";
import { HttpError, invalidInput } from "./http";
import { parseInput } from "./store";

/** Options for ids of incident updates, which the API doesn't document. */
export const updateIdOptions = z.strictObject({
  ids: z
    .enum(["ignored", "honoured", "honoured-500", "honoured-idempotent", "rejected"])
    .describe(
      "Handling of the `id` in the body of `createIncidentUpdate`: the service assigns another one (`ignored`), creates the " +
        "update with this id (`honoured`), or responds with 400 (`rejected`). A second post of an id gets 409, with " +
        "`honoured-500` it gets 500, and with `honoured-idempotent` 200 with the existing update. Default: `ignored`.",
    ),
  deletedIds: z
    .enum(["free", "taken"])
    .describe(
      "`free` if an id can be used again after its update was deleted while this sandbox runs, otherwise `taken`. Default: `free`.",
    ),
  numericIds: z
    .boolean()
    .describe("True if it assigns whole numbers, and returns such ids as JSON numbers. Default: false."),
});

export type UpdateIdOptions = z.output<typeof updateIdOptions>;

type SentUpdate = Partial<Pick<StoredIncidentUpdate, "id" | "created_at">>;

export class UpdateIds {
  options: Readonly<UpdateIdOptions> = { ids: "ignored", deletedIds: "free", numericIds: false };

  /** @throws SandboxError when an option is invalid */
  configure(changes: Partial<UpdateIdOptions>): void {
    const {
      ids = this.options.ids,
      deletedIds = this.options.deletedIds,
      numericIds = this.options.numericIds,
    } = parseInput(updateIdOptions.partial(), changes, "These options are invalid");
    this.options = { ids, deletedIds, numericIds };
  }

  /**
   * Returns the id for a new update, or the update that has it already, even if reads don't return that update yet.
   *
   * @throws HttpError when the service rejects the one that was sent
   */
  assign(
    sent: SentUpdate,
    { incidentUpdates }: StoredIncident,
    deleted: ReadonlySet<string>,
  ): string | StoredIncidentUpdate {
    const { ids, deletedIds } = this.options;
    if (ids === "rejected") rejectAssigned(sent);
    if (sent.id === undefined || !ids.startsWith("honoured")) return this.#newId();
    const existing = incidentUpdates.find(({ id }) => id === sent.id);
    if (existing === undefined && !(deletedIds === "taken" && deleted.has(sent.id))) return sent.id;
    if (ids === "honoured-idempotent" && existing !== undefined) return existing;
    if (ids === "honoured-500") throw new HttpError(500, "An internal server error occurred.");
    throw new HttpError(409, `There is an incident update ${JSON.stringify(sent.id)} already.`);
  }

  returned(update: StoredIncidentUpdate): Omit<StoredIncidentUpdate, "id"> & { id: string | number } {
    const isNumeric = this.options.numericIds && /^[1-9]\d{0,14}$/.test(update.id);
    return isNumeric ? { ...update, id: Number(update.id) } : update;
  }

  #newId(): string {
    return this.options.numericIds ? String(randomInt(1, 2 ** 47)) : randomUUID();
  }
}

function rejectAssigned({ id, created_at }: SentUpdate): void {
  const keys = Object.entries({ id, created_at }).flatMap(([key, value]) => (value === undefined ? [] : key));
  const message = keys.map((key) => `${key}: is assigned by the service`).join("; ");
  if (keys.length > 0) throw invalidInput("payload", keys, message);
}
