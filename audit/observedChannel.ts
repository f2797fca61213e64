/** The alert channels in a stack's state. */
import { z } from "zod";
import { alertChannel } from "../provider/api/alertChannel";
import type { AlertChannel, UnreadableChannel } from "./channel";

const { id, created_at, updated_at, ...fields } = alertChannel.shape;

const outputs = z.object({
  channelId: z.union([z.string(), id]),
  ...fields,
  missing: z.boolean().nullish(),
  createdAt: created_at,
  updatedAt: updated_at,
});

/** The outputs of a resource `AlertChannel` that the audit uses. */
export const observedOutputs = Object.keys(outputs.shape);

/**
 * The channel in the outputs of a resource `AlertChannel`, or undefined when they don't contain one.
 *
 * @param name Name of the resource.
 */
export function observedChannel(name: string, value: unknown): AlertChannel | UnreadableChannel | undefined {
  const { data } = outputs.safeParse(value);
  if (data === undefined) return undefined;
  const { channelId, missing, ...channel } = data;
  return missing === true
    ? { id: channelId, name, reason: "it didn't exist on the service at the last refresh" }
    : { ...channel, id: channelId, name };
}
