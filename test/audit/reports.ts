/** A report that has one of everything, with texts that no format may take for mark-up. */
import { auditAlertChannels, type AuditReport, parseRules } from "../../audit";
import { channel, facts, now } from "./channels";

export const hostileName = `<b onclick="x">'|\`a\`|</b> & \u001b[31mred\u001b[0m\n@all \ud800`;

const rules = `extends: recommended
channels:
  ops: 1
  hook: 2
rules:
  send-degraded: warning
waivers:
  - { rule: send-recovery, channel: 1, reason: "noise | <i>", owner: Ana & Ben, expires: 2026-12-31 }
  - { rule: stale, channel: hook, reason: old, owner: Cleo, expires: 2026-01-31 }
customRules:
  - { id: no-angle, title: "Names hold no <", path: name, matches: "^[^<]*$", fix: "Rename it & <save>." }
`;

export function reportOfEverything(): AuditReport {
  return auditAlertChannels(
    [
      channel({ sendRecovery: false, sendFailure: false }),
      channel({
        id: 2,
        type: "WEBHOOK",
        config: { url: facts("a", { scheme: "http", hostClass: "private" }) },
      }),
      channel({
        id: 3,
        type: "SLACK",
        name: hostileName,
        config: { url: facts("b", { isReference: true }) },
      }),
      { id: 4, reason: "getAlertChannel 4: not found (HTTP 404)." },
    ],
    parseRules(rules, "alerts/audit rules.yaml"),
    { now },
  );
}

/** Nothing is wrong, and nothing else is to be said. */
export function cleanReport(): AuditReport {
  return auditAlertChannels([channel()], { rules: { "send-failure": "error" } }, { now });
}
