/** Sample alert channels: a few are correct, most violate a rule of the audit. */
import type { SandboxAlertChannel } from "../contract";
import { days, type SeedValues } from "./seedValues";
import { wellKnown } from "./wellKnown";

interface AlertChannelRow extends Partial<SandboxAlertChannel> {
  id: number;
  type: SandboxAlertChannel["type"];
  config: Record<string, unknown>;
  /** Number of active subscriptions. */
  checks: number;
  /** Number of paused subscriptions. */
  paused?: number;
  /** Null: never. */
  changedDaysAgo: number | null;
}

const ids = wellKnown.alertChannels;

const quillmarket: AlertChannelRow[] = [
  {
    id: ids.onCall,
    type: "PAGERDUTY",
    config: { serviceKey: "{{PAGERDUTY_SERVICE_KEY}}", account: "quillmarket", serviceName: "On call" },
    checks: 14,
    changedDaysAgo: 12,
  },
  {
    // The key is a literal.
    id: ids.opsgenie,
    type: "OPSGENIE",
    config: { apiKey: "not-a-secret-opsgenie-0001", name: "Platform", region: "EU", priority: "P2" },
    checks: 6,
    changedDaysAgo: 40,
  },
  {
    id: ids.slackIncidents,
    type: "SLACK",
    config: { url: "{{SLACK_INCIDENTS_URL}}", channel: "#incidents" },
    checks: 18,
    changedDaysAgo: 5,
  },
  {
    // The hook's URL is its credential; recoveries aren't sent.
    id: ids.slackPayments,
    type: "SLACK",
    config: {
      url: "https://hooks.chat.example/services/T01/B01/not-a-secret-slack",
      channel: "#payments-alerts",
    },
    checks: 4,
    changedDaysAgo: 75,
    sendRecovery: false,
  },
  {
    id: ids.automation,
    type: "WEBHOOK",
    config: {
      name: "Runbook automation",
      url: "https://automation.quillmarket.example/hooks/alerts",
      method: "POST",
      webhookType: "WEBHOOK_GENERIC",
      template: '{"title": "{{ALERT_TITLE}}", "token": "{{AUTOMATION_TOKEN}}"}',
      headers: [{ key: "Authorization", value: "Bearer {{AUTOMATION_TOKEN}}" }],
      queryParameters: [],
      webhookSecret: "{{AUTOMATION_SIGNING_SECRET}}",
    },
    checks: 9,
    changedDaysAgo: 20,
  },
  {
    // Plain http to a private address, a token in the query, no signing secret.
    id: ids.legacyHook,
    type: "WEBHOOK",
    config: {
      name: "Old ticket system",
      url: "http://10.20.0.14:8080/alerts?token=not-a-secret-tickets",
      method: "POST",
      headers: [],
      queryParameters: [{ key: "team", value: "operations" }],
    },
    checks: 3,
    changedDaysAgo: 980,
  },
  {
    // Failures aren't sent.
    id: ids.operationsMail,
    type: "EMAIL",
    config: { address: "operations@quillmarket.example" },
    checks: 22,
    changedDaysAgo: 30,
    sendFailure: false,
  },
  {
    // The same address again, unchanged for three years.
    id: ids.operationsMailAgain,
    type: "EMAIL",
    config: { address: "operations@quillmarket.example" },
    checks: 5,
    changedDaysAgo: 1130,
    sendDegraded: false,
  },
  {
    // Outside the documented range.
    id: ids.dutySms,
    type: "SMS",
    config: { number: "+12025550143", name: "Duty phone" },
    checks: 7,
    changedDaysAgo: 210,
    sslExpiryThreshold: 0,
  },
  {
    // No subscriptions, and no new ones by default.
    id: ids.managerCall,
    type: "CALL",
    config: { number: "+12025550178", name: "Incident manager" },
    checks: 0,
    changedDaysAgo: 160,
    autoSubscribe: false,
  },
  {
    // Every subscription is paused.
    id: ids.pausedPagerDuty,
    type: "PAGERDUTY",
    config: { serviceKey: "not-a-secret-pagerduty-0001", account: "quillmarket", serviceName: "Warehouse" },
    checks: 0,
    paused: 5,
    changedDaysAgo: 95,
    autoSubscribe: false,
  },
  {
    // https, but not signed; expiring certificates aren't reported.
    id: ids.reportingHook,
    type: "WEBHOOK",
    config: {
      name: "Reporting",
      url: "https://reports.partner.example/ingest",
      method: "PUT",
      headers: [{ key: "X-Api-Key", value: "not-a-secret-reporting-0001" }],
      queryParameters: [],
    },
    checks: 2,
    paused: 1,
    changedDaysAgo: 55,
    sslExpiry: false,
  },
];

const labs: AlertChannelRow[] = [
  {
    id: ids.labsMail,
    type: "EMAIL",
    config: { address: "labs@quillmarket.example" },
    checks: 3,
    changedDaysAgo: 14,
  },
  {
    id: ids.labsSlack,
    type: "SLACK",
    config: { url: "{{SLACK_LABS_URL}}", channel: "#labs" },
    checks: 2,
    changedDaysAgo: 9,
  },
  {
    id: ids.labsSlackApp,
    type: "SLACK_APP",
    config: { slackChannels: ["#labs-alerts"] },
    checks: 2,
    changedDaysAgo: null,
  },
];

export const alertChannelRows = { quillmarket, labs };

export function alertChannels(rows: AlertChannelRow[], values: SeedValues): SandboxAlertChannel[] {
  return rows.map(({ checks, paused = 0, changedDaysAgo, ...row }) => ({
    sendRecovery: true,
    sendFailure: true,
    sendDegraded: true,
    sslExpiry: true,
    sslExpiryThreshold: 21,
    autoSubscribe: true,
    ...row,
    subscriptions: Array.from({ length: checks + paused }, (_, index) => ({
      id: row.id * 100 + index,
      checkId: values.id(`check ${index}`),
      groupId: null,
      activated: index < checks,
    })),
    created_at: values.ago(days((changedDaysAgo ?? 0) + values.number(`channel ${row.id}`, 30, 400))),
    updated_at: changedDaysAgo === null ? null : values.ago(days(changedDaysAgo)),
  }));
}
