/** Creates a report with a result of each kind. Its text must not become markup in any format. */
import { type AuditReport, builtInRules, parseRules } from "../../audit/public";
import { audit, channel, facts } from "./channels";

export const hostileName = `<b onclick="x">'|\`a\`|</b> & \u001b[31mred\u001b[0m\n@all \ud800`;

/** The built-in rules that the report uses. The list is fixed, so that a new rule changes no report. */
const judging = [
  ...["send-failure", "ssl-expiry", "https-hook", "public-hook", "credential-reference", "stale"],
  ...["on-call-type", "exception-expired", "channel-read"],
];

export const rulesOfEverything = `extends: recommended
channels:
  ops: 1
  hook: 2
rules:
  ssl-expiry: { severity: warning, options: { each: true } }
${builtInRules.map(({ id }) => (judging.includes(id) ? "" : `  ${id}: off\n`)).join("")}exceptions:
  - { channel: 1, rules: { ssl-expiry: off }, reason: "noise | <i>", until: 2026-12-31 }
  - { channel: hook, rules: { stale: off }, reason: old, until: 2026-01-31 }
customRules:
  - { id: no-angle, title: "Names hold no <", expect: { name: { matches: "^[^<]*$" } }, fix: "Rename it & <save>." }
`;

export function reportOfEverything(): AuditReport {
  const hook = { url: facts("a", { scheme: "http", hostClass: "private" }) };
  const reference = { url: facts("b", { isReference: true }) };
  const channels = [
    channel({ sslExpiry: false, sendFailure: false }),
    channel({ id: 2, type: "WEBHOOK", config: hook, sslExpiry: false }),
    channel({ id: 3, type: "SLACK", name: hostileName, config: reference }),
    { id: 4, reason: "getAlertChannel 4: not found (HTTP 404)." },
  ];
  return audit(channels, parseRules(rulesOfEverything, "alerts/audit rules.yaml"));
}
