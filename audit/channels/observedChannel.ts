/** The alert channels in a stack's state. */
import { z } from "zod";
import { alertChannel } from "../../provider/api/alertChannel";
import { formatOrigin, originSchema } from "../../provider/api/origin";
import type { GivenChannel } from "./channel";
import { contractProblem } from "./contract";

const absent =
  "it didn't exist on the service at the last refresh; remove its resource, or run `pulumi refresh` if it is back";

const { id, created_at, updated_at, ...fields } = alertChannel.shape;

const outputs = z.object({
  channelId: z.union([z.string(), id]),
  ...fields,
  missing: z.boolean().nullish(),
  createdAt: created_at,
  updatedAt: updated_at,
});

const stored = outputs.extend({ origin: originSchema.optional().catch(undefined) });

/** The outputs of a resource `AlertChannel` that the audit uses. */
export const observedOutputs = Object.keys(outputs.shape);

/**
 * The channel in the outputs of a resource `AlertChannel`; not evaluable when they aren't what this package stores.
 *
 * @param name Name of the resource.
 * @param fallbackId Id for outputs without one. Default: the name.
 */
export function observedChannel(name: string, value: unknown, fallbackId: string = name): GivenChannel {
  const { data, error } = stored.safeParse(value);
  if (error) {
    const fields = [...new Set(error.issues.map(({ path }) => path.join(".") || "all of them"))].join(", ");
    const { channelId } = z
      .object({ channelId: outputs.shape.channelId.catch(fallbackId) })
      .catch({ channelId: fallbackId })
      .parse(value);
    return {
      id: channelId,
      name,
      reason: `its outputs in the stack are unusable (${fields}); run \`pulumi refresh\``,
    };
  }
  const { channelId, missing, origin, ...channel } = data;
  const reference = { id: channelId, name, ...(origin && { origin: formatOrigin(origin) }) };
  if (missing === true) return { ...reference, reason: absent };
  const found = { ...channel, ...reference };
  const reason = contractProblem(found);
  return reason === undefined ? found : { ...reference, reason };
}
