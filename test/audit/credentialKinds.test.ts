/** Verdicts on settings by kind: helpers, masks, ids, places, ports, and tokens in a body, in both presets. */
import { presets } from "../../audit";
import { cases } from "./table";
import { configOf, type Hook, verdictsOn } from "./verdicts";

const uuid = "3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8";
const hex32 = "4c1e9a7730f84b2d9b8e2d6f5a1c3e70";
const mixed = "a1Bc2De3Fg4Hi5Jk6Lm7No8P";
const ghp = "ghp_kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLw";

/** Channels, as their type with `config`, or as a webhook that has a credential by reference unless it has a URL. */
const kinds = cases<Partial<Hook> & { type?: string; config?: Record<string, unknown> }>(`
  { header: "X-Request-Id: {{$UUID}}" } →
  { header: "X-At: {{moment \\"2 days ago\\" \\"YYYY-MM-DD\\"}}", template: "{{#eq ALERT_TYPE 'x'}}{{RESULT_LINK}}{{/eq}}" } →
  { type: SLACK, config: { url: "https://hooks.slack.com/services/***masked***" } } → ? duplicate-target config.url ; ? credential-reference config.url
  { url: "https://ops.acme.io/x", header: "Authorization: Token token=***masked***" } → ? duplicate-target config.headers ; ? credential-reference config.headers
  { type: OPSGENIE, config: { apiKey: "\u2022\u2022\u2022\u2022" } } → ? duplicate-target config.apiKey ; ? credential-reference config.apiKey
  { type: OPSGENIE, config: { apiKey: "xxxx\u20261234" } } → ? duplicate-target config.apiKey ; ? credential-reference config.apiKey
  { url: "https://ops.acme.io/x?token=[REDACTED]" } → ? duplicate-target config.url ; ? credential-reference config.url
  { type: PAGERDUTY, config: { account: acme, serviceName: Ops } } → ? empty-target config.serviceKey ; ? duplicate-target config.serviceKey ; ? credential-reference config.serviceKey
  { type: PAGERDUTY, config: { account: acme, serviceKey: "" } } → empty-target config.serviceKey
  { type: SLACK, config: { channel: "#ops" } } → ? empty-target config.url ; ? duplicate-target config.url ; ? https-hook config.url ; ? public-hook config.url ; ? inspection-hook config.url ; ? credential-reference config.url
  { type: SLACK, config: { channel: "#ops", url: "" } } → empty-target config.url
  { url: "https://rundeck.acme.io/api/40/job/${uuid}/run", header: "X-Rundeck-Auth-Token: {{RUNDECK}}" } →
  { url: "https://ops.acme.io/x", template: "{\\"opened_by\\":\\"${hex32}\\"}", header: "Authorization: Basic {{SN}}" } →
  { url: "https://ops.acme.io/job/${mixed}/run", header: "X-Auth-Token: {{RUNDECK}}" } → credential-reference config.url
  { url: "https://ops.acme.io/x?analysis={{AI_ANALYSIS_LINK}}" } → webhook-secret config.webhookSecret
  { url: "https://ops.acme.io/x?a={{AI_ANALYSIS_CODE_FIX}}{{AI_ANALYSIS_ROOT_CAUSE}}{{AI_ANALYSIS_USER_IMPACT}}" } → webhook-secret config.webhookSecret
  { url: "https://ops.acme.io/x?a={{moment}}&b={{$RANDOM_NUMBER}}&c={{AI_ANALYSIS_CLASSIFICATION}}" } → webhook-secret config.webhookSecret
  { url: "https://ha.acme.io/api/webhook/hello-super-webhook" } → credential-reference config.url
  { url: "https://status.acme.io/api/push/short1?status=up" } → credential-reference config.url
  { url: "https://ops.acme.io/rzeszow-wroclaw-szczecin/vpnhub-fritzbox-gw-nbg1/checkout-7d9f8b6c5-x2x4z?token={{T}}" } →
  { url: "https://ops.acme.io/v2.14.3-rc.1+build.5/2026-11-20T12-00-00Z/onCallRotationPrimary?token={{T}}" } →
  { url: "http://alerts.acme.io:{{PORT}}/x" } → https-hook config.url ; webhook-secret config.webhookSecret
  { url: "https://10.0.0.1:{{PORT}}/x" } → public-hook config.url
  { url: "https://webhook.site:{{PORT}}/x" } → inspection-hook config.url
  { url: "http://a.acme.io:80{{X}}/" } → https-hook config.url ; webhook-secret config.webhookSecret
  { url: "http://[{{V6}}]/" } → https-hook config.url ; ? public-hook config.url ; ? webhook-secret config.webhookSecret
  { template: "[\\"${ghp}\\"]" } → credential-reference config.template
  { template: "{\\"args\\":[\\"--token\\",\\"${ghp}\\"]}" } → credential-reference config.template
  { template: "{\\"headers\\":[[\\"Authorization\\",\\"Bearer ${ghp}\\"]]}" } → credential-reference config.template
  { template: "${ghp}" } → credential-reference config.template
  { template: "{\\"text\\":\\"run with token=${ghp}\\"}" } → credential-reference config.template
  { template: "-----BEGIN RSA PRIVATE KEY-----" } → credential-reference config.template
  { header: "X-Site: ${ghp}" } → credential-reference config.headers
  { url: "https://hooks.zapier.com/./hooks/catch/1846290/b3x9kq7" } → credential-reference config.url
  { url: "https://hooks.zapier.com/%68ooks/x/../catch/1846290/b3x9kq7" } → credential-reference config.url
  { url: "https://api.incident.io/v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66/${mixed}" } → credential-reference config.url
  { url: "https://git.acme.io/a/b/alerts/notify/${mixed}" } → credential-reference config.url
  { header: "Authorization: Basic {{TWILIO}}", template: "MessagingServiceSid=MG${hex32}&device_iden=ujpah72o0sjAoRtnM0jc" } →
  { url: "https://api.honeycomb.io/1/markers/__all__?token={{T}}", template: "{\\"query\\":\\"{ a { __typename __name__ } }\\"}" } →
  { url: "https://ops.acme.io/x?token=__OPS_TOKEN__" } → placeholder config.url
  { header: "Cookie: connect.sid=s3cret; lang=en" } → credential-reference config.headers
`);

test.each(
  (["recommended", "strict"] as const).flatMap((preset) => kinds.map((one) => [preset, ...one] as const)),
)("%s judges by kind: %s", (preset, _yaml, { type = "WEBHOOK", config, ...hook }, verdicts) => {
  const url = "https://ops.acme.io/x?token={{T}}";
  const ofHooks = [
    "placeholder",
    "webhook-secret",
    "credential-reference",
    "empty-target",
    "duplicate-target",
    "https-hook",
    "public-hook",
    "inspection-hook",
  ];
  const judged = presets[preset].rules.filter((rule) => ofHooks.includes(rule));
  expect(judged).toHaveLength(ofHooks.length);
  const off = presets[preset].rules.filter((rule) => !ofHooks.includes(rule));
  const found = verdictsOn(type, config ?? configOf({ url, ...hook }), {
    extends: preset,
    rules: Object.fromEntries(off.map((rule) => [rule, "off"])),
  });
  expect(found).toEqual(verdicts);
});
