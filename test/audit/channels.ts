/** Alert channels for rules to judge. */
import type { AlertChannel } from "../../audit";

export const now = new Date("2026-11-20T12:00:00.000Z");

/** A channel that keeps every rule, but for what is changed. */
export function channel(changes: Partial<AlertChannel> = {}): AlertChannel {
  return {
    id: 1,
    type: "EMAIL",
    config: { address: "ops@acme.example" },
    subscriptions: [{ checkId: "check-1", groupId: null, activated: true }],
    sendFailure: true,
    sendRecovery: true,
    sendDegraded: true,
    sslExpiry: true,
    sslExpiryThreshold: 21,
    autoSubscribe: false,
    createdAt: "2025-01-01T00:00:00.000Z",
    updatedAt: "2026-11-01T00:00:00.000Z",
    ...changes,
  };
}

/** What is kept of a credential. */
export function facts(fingerprint: string, others: object = {}): object {
  return { fingerprint, isReference: false, ...others };
}

/** A webhook's address on the internet, over https. */
export const goodUrl = facts("aaaaaaaaaaaa", { scheme: "https", hostClass: "public" });
