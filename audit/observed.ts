/** Alert channels that a stack observes. */
import { z } from "zod";
import type { AlertChannel, UnreadableChannel } from "./channel";

const id = z.union([z.string(), z.number()]);
const text = z.string().nullish();
const flag = z.boolean().nullish();

const outputs = z.object({
  channelId: id,
  missing: flag,
  type: z.string(),
  config: z.record(z.string(), z.unknown()),
  subscriptions: z
    .array(z.object({ id: id.nullish(), checkId: id.nullish(), groupId: id.nullish(), activated: flag }))
    .nullish(),
  sendFailure: flag,
  sendRecovery: flag,
  sendDegraded: flag,
  sslExpiry: flag,
  sslExpiryThreshold: z.number().nullish(),
  autoSubscribe: flag,
  createdAt: text,
  updatedAt: text,
});

/** Outputs of a resource `AlertChannel` that an audit looks at. */
export const observedOutputs = Object.keys(outputs.shape);

/**
 * The channel in the outputs of a resource `AlertChannel`, or undefined when they don't hold one.
 *
 * @param name The resource's.
 */
export function observedChannel(name: string, value: unknown): AlertChannel | UnreadableChannel | undefined {
  const { data } = outputs.safeParse(value);
  if (data === undefined) return undefined;
  const { channelId, missing, ...channel } = data;
  return missing === true
    ? { id: channelId, name, reason: "it was gone from the service at the last refresh" }
    : { ...channel, id: channelId, name };
}
