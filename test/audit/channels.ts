/** Creates alert channels, and audits them on a fixed day. */
import { type AlertChannel, auditAlertChannels, type AuditReport } from "../../audit/public";

export const now = new Date("2026-11-20T12:00:00.000Z");

type Audit = Parameters<typeof auditAlertChannels>;

export function audit(channels: Audit[0], rules: Audit[1], options?: Audit[2]): AuditReport {
  return auditAlertChannels(channels, rules, { now, ...options });
}

/** Creates a channel that passes every rule, with these changes. */
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
    projectBindings: { owner: { id: "p1", name: "alerting" } },
    createdAt: "2025-01-01T00:00:00.000Z",
    updatedAt: "2026-11-01T00:00:00.000Z",
    ...changes,
  };
}

/** Enables the rule that a silent channel violates. */
export const silence = { rules: { "send-failure": "error" } } as const;
export const silent = (id: number) => channel({ id, sendFailure: false });

/** Returns the facts about a credential. */
export const facts = (fingerprint: string, more = {}): object => {
  return { fingerprint, isReference: false, ...more };
};

/** Returns the facts about the public https URL of a webhook. */
export const goodUrl = facts("aaaaaaaaaaaa", { scheme: "https", hostClass: "public", secretPart: "none" });
