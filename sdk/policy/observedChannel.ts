/** An alert channel as a stack holds it, on its way into the audit. */
import type { PolicyResource } from "@pulumi/policy";
import { z } from "zod";
import type { AlertChannel, UnreadableChannel } from "../audit";

const id = z.union([z.string(), z.number()]);
const text = z.string().nullish();
const flag = z.boolean().nullish();

const observed = z.object({
  channelId: id,
  missing: flag,
  type: z.string(),
  config: z.record(z.string(), z.unknown()),
  subscriptions: z
    .array(z.object({ checkId: id.nullish(), groupId: id.nullish(), activated: flag }))
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

/** The channel, or undefined while it isn't known: a preview knows only what an earlier run has read. */
export function observedChannel({
  name,
  props,
}: PolicyResource): AlertChannel | UnreadableChannel | undefined {
  const channel = knownOutputs(props);
  if (channel === undefined) return undefined;
  const { channelId, missing } = channel;
  return missing === true
    ? { id: channelId, name, reason: "it was gone from the service at the last refresh" }
    : { ...channel, id: channelId, name };
}

function knownOutputs(props: PolicyResource["props"]): z.output<typeof observed> | undefined {
  try {
    return observed.safeParse(props).data;
  } catch {
    // Touching what a preview doesn't know yet throws.
    return undefined;
  }
}
