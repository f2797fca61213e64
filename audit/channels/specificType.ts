/** What the service stores as a type or a `webhookType`: every integration without a type of its own is a WEBHOOK. */
import {
  type AlertChannelType,
  alertChannelTypes,
  type KnownWebhookType,
  knownWebhookTypes,
} from "../../provider/api/enums";
import type { AuditedChannel } from "./channel";

/** A type or `webhookType`; the service may add others. */
export type ChannelTypeName = AlertChannelType | KnownWebhookType | (string & {});

export const knownTypeNames: readonly string[] = [...alertChannelTypes, ...knownWebhookTypes];

/** Values of `webhookType` for a webhook that isn't an integration. */
const genericTypes = ["WEBHOOK", "WEBHOOK_GENERIC"];

type Typed = Pick<AuditedChannel, "type" | "config">;

/** The `webhookType` if the channel is an integration, or else its type. */
export function specificType({ type, config: { webhookType } }: Typed): string {
  const isIntegration =
    type === "WEBHOOK" && typeof webhookType === "string" && !genericTypes.includes(webhookType);
  return isIntegration ? webhookType : type;
}

/** Whether its type or its `webhookType` is one of these. */
export function hasType(channel: Typed, names: readonly string[]): boolean {
  return names.includes(channel.type) || names.includes(specificType(channel));
}

export function isKnownIntegration(name: string): boolean {
  return knownWebhookTypes.some((known) => known === name);
}
