/** Verdicts on the credentials of channels: in the shapes that vendors document, with made-up values, and by kind. */
import { redactConfig } from "../../provider/credentials";
import { fc } from "../propertySeed";
import { audit, channel } from "./channels";
import { cases, rows } from "./table";

const rules = [
  ...["placeholder", "webhook-secret", "credential-reference", "empty-target", "duplicate-target"],
  ...["https-hook", "public-hook", "inspection-hook"],
];

/** `rule field` of each finding, and `? rule field` where a rule can't tell. */
function findingsOn(type: string, config: Record<string, unknown>): string[] {
  const redacted = channel({ type, config: redactConfig({ type, config }, "acme") });
  const errors = Object.fromEntries(rules.map((rule) => [rule, "error" as const]));
  const { findings, notEvaluable } = audit([redacted], { rules: errors });
  const line = ({ rule, field }: { rule: string; field: string }) => `${rule} ${field}`;
  return [...findings.map(line), ...notEvaluable.map((one) => `? ${line(one)}`)];
}

interface Hook {
  url: string;
  /** `name: value`. */
  header?: string;
  template?: string;
}

function configOf({ url, header, template }: Hook): Record<string, unknown> {
  const [key = "", value = ""] = header?.split(/: (.*)/s) ?? [];
  return {
    name: "hook",
    method: "POST",
    url,
    ...(header !== undefined && { headers: [{ key, value }] }),
    ...(template !== undefined && { template }),
  };
}

const findingsOf = (hook: Hook) => findingsOn("WEBHOOK", configOf(hook));

const uuid = "3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8";
const another = "0d9c1e2f-3a4b-4c5d-8e6f-7a8b9c0d1e2f";
const hex32 = "4c1e9a7730f84b2d9b8e2d6f5a1c3e70";
const mixed = "a1Bc2De3Fg4Hi5Jk6Lm7No8P";
const ghp = "ghp_kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLw";

/** A vendor, its URL with its secret where SECRET is, the secret as the vendor writes it, and what else is sent. */
const shapes = rows(String.raw`
  Slack → https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/SECRET → ${mixed}
  Slack workflows → https://hooks.slack.com/workflows/T0AB12CD3/A0EF45GH6/418273645546/SECRET → ${mixed}
  Slack's Web API → https://slack.com/api/chat.postMessage → xoxb-418273645-5463728190-a1Bc2De3Fg4Hi5Jk6Lm7No8P → {"header":"Authorization: Bearer SECRET","template":"{\"channel\":\"C0AB12CD3\",\"text\":\"{{ALERT_TITLE}}\"}"}
  Discord → https://discord.com/api/webhooks/469984800622123456/SECRET → kq3Zr8vKp1LwT5xB_k3vQ9xZ1-dK3vQ9xZ1pLwr0pB4tY6uWsE8iOa2dFgHj
  OAuth 1 → https://api.acme.io/1/alerts → ${mixed} → {"header":"Authorization: OAuth oauth_nonce=${hex32}, oauth_timestamp=1764057600, oauth_signature=SECRET"}
  Teams → https://acme.webhook.office.com/webhookb2/SECRET/IncomingWebhook/{{PATH}}/{{OWNER}} → ${uuid}
  Teams workflows → https://prod-12.westeurope.logic.azure.com:443/workflows/${hex32}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=SECRET → q3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLwr0pB4tY6
  Power Automate → https://d41f.0a.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/${hex32}/triggers/manual/paths/invoke?api-version=1&sig=SECRET → q3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLwr0pB4tY6
  Microsoft Graph → https://graph.microsoft.com/v1.0/teams/${uuid}/channels/19:4c1e9a77@thread.tacv2/messages → eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJodHRwczovL2dyYXBoIn0.${mixed} → {"header":"Authorization: Bearer SECRET"}
  Mattermost → https://chat.acme.io/hooks/SECRET → 9j4l0e8g6t2b3r5x7f9s1u2z4v
  Mattermost below a path → https://acme.io/mattermost/hooks/SECRET → bywsw8zt5jgpte3nm65qjiru6h
  Rocket.Chat → https://rocket.acme.io/hooks/{{HOOK_ID}}/SECRET → kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLwr0pB4tY
  Google Chat → https://chat.googleapis.com/v1/spaces/AAAA0bCd1Ef/messages?key={{KEY}}&token=SECRET → ${mixed}
  Telegram → https://api.telegram.org/botSECRET/sendMessage?chat_id=-1001418273645&text={{ALERT_TITLE}} → 418273645:AAHdq3TcvCH1vGWJxfSeofSAs0K5PALDsaw
  Webex messages → https://webexapis.com/v1/messages → NzYyYjM4YzQtM2Y1Mi00MTk1LWE0ZGEtMjE0OGFiYjMxMGY1 → {"header":"Authorization: Bearer SECRET","template":"{\"roomId\":\"{{ROOM}}\",\"markdown\":\"{{ALERT_TITLE}}\"}"}
  Webex hooks → https://webexapis.com/v1/webhooks/incoming/SECRET → Y2lzY29zcGFyazovL3VzL1dFQkhPT0svOTZhYmMyYWE
  DingTalk → https://oapi.dingtalk.com/robot/send?access_token=SECRET → ${hex32}${hex32}
  WeCom → https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=SECRET → ${uuid}
  Zulip → https://acme.zulipchat.com/api/v1/external/slack_incoming?api_key=SECRET&stream=ops&topic=alerts → kq3zr8vkp1lwt5xbk3vq9xz1dk3vq9xz
  Zoho Cliq → https://cliq.zoho.com/api/v2/channelsbyname/ops/message?zapikey=SECRET → 1001.${hex32}
  Opsgenie's webhooks → https://api.eu.opsgenie.com/v1/json/webhook?apiKey=SECRET → ${uuid}
  iLert → https://api.ilert.com/api/v1/events/checks/SECRET → il1api0a1b2c3d4e5f60718293a4b5c6d7e8f9
  incident.io → https://api.incident.io/v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66 → ${hex32}${hex32} → {"header":"Authorization: Bearer SECRET"}
  Rootly → https://webhooks.rootly.com/webhooks/incoming/generic_webhooks/notify/Service/${another} → ${hex32} → {"header":"Authorization: Bearer SECRET"}
  Retool → https://api.retool.com/v1/workflows/${another}/startTrigger → retool_wk_${hex32} → {"header":"X-Workflow-Api-Key: SECRET"}
  Matrix → https://matrix.acme.io/_matrix/client/v3/rooms/!QxWcHdXTmTlTvDkWvS:acme.io/send/m.room.message?access_token=SECRET → syt_YWxlcnRz_kqZrvKpLwTxBkvQxZdKv_3nZ1dK
  Freshdesk → https://SECRET:X@acme.freshdesk.com/api/v2/tickets → kq3Zr8vKp1LwT5xBk3vQ
  Event Grid → https://alerts.westeurope-1.eventgrid.azure.net/api/events → kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLwr0pB4tY%3d → {"header":"aeg-sas-token: r=https%3a%2f%2falerts.westeurope-1.eventgrid.azure.net%2fapi%2fevents&e=6%2f15%2f2027+6%3a20%3a15+PM&s=SECRET"}
  SQS → https://sqs.eu-west-1.amazonaws.com/123456789012/alerts?X-Amz-Credential={{KEY}}%2F20261120%2Faws4_request&X-Amz-Date=20261120T120000Z&X-Amz-Signature=SECRET → ${hex32}${hex32}
  a GitLab pipeline → https://gitlab.com/api/v4/projects/1/trigger/pipeline?token=SECRET&variables[ALERT]={{ALERT_TITLE}} → glptt-${hex32}
  Splunk → https://splunk.acme.io:8088/services/collector/raw?channel=${another} → ${uuid} → {"header":"Authorization: Splunk SECRET"}
  ServiceNow → https://acme.service-now.com/api/now/table/incident → b3BzOmEyYjNjNA== → {"header":"Authorization: Basic SECRET","template":"{\"assignment_group\":\"${hex32}\",\"cmdb_ci\":\"${hex32}\"}"}
  Linear → https://api.linear.app/graphql → lin_api_${mixed} → {"header":"Authorization: SECRET","template":"{\"query\":\"mutation{issueCreate(input:{teamId:\\\"${uuid}\\\"}){success}}\"}"}
  one's own for each tenant → https://alerts.acme.io/123456789012/tenants/${uuid}/alerts?tenant=${uuid} → correct-horse → {"header":"X-Acme-Auth: SECRET"}
  one's own with a header in the body → https://alerts.acme.io/hook → ${mixed} → {"template":"{\"headers\":[{\"name\":\"Authorization\",\"value\":\"Bearer SECRET\"}]}"}
  one's own in YAML → https://alerts.acme.io/hook → ${mixed} → {"template":"title: {{ALERT_TITLE}}\nauth:\n  user: ops\n  Authorization: Sesame SECRET\n  password: >-\n    {{X}}"}
  xMatters → https://acme.xmatters.com/api/integration/1/functions/${another}/triggers?apiKey=SECRET → ${uuid}
  Better Stack → https://uptime.betterstack.com/api/v1/incoming-webhook/SECRET → kq3Zr8vKp1LwT5xBk3vQ9xZ1
  SIGNL4 → https://connect.signl4.com/webhook/SECRET → kd83msq0ze
  PagerTree → https://api.pagertree.com/integration/SECRET → int_k3vQ9xZ1
  Jira → https://api.atlassian.com/ex/jira/${another}/rest/api/3/issue → b3BzQGFjbWUuaW86QVRBVFQzeEZmR0YwazN2UTl4WjE= → {"header":"Authorization: Basic SECRET","template":"{\"fields\":{\"project\":{\"key\":\"OPS\"},\"summary\":\"{{ALERT_TITLE}}\",\"issuetype\":{\"id\":\"10004\"}}}"}
  Atlassian automation → https://api-private.atlassian.com/automation/webhooks/jira/a/${another}/${another} → ${hex32}0a1b2c3d → {"header":"X-Automation-Webhook-Token: SECRET"}
  GitLab → https://gitlab.com/acme/web/alerts/notify/monitoring/5f1c2b7a9d4e4a51.json → ${hex32} → {"header":"Authorization: Bearer SECRET"}
  a GitLab of one's own → https://git.acme.io/acme/web/alerts/notify/monitoring/5f1c2b7a9d4e4a51.json → glpat-kq3Zr8vKp1LwT5xBk3vQ → {"header":"PRIVATE-TOKEN: SECRET"}
  Trello → https://api.trello.com/1/cards?idList=5f1c2b7a9d4e4a518c607b2e&key={{KEY}}&token=SECRET → ${hex32}
  Instatus → https://api.instatus.com/v3/integrations/checks/SECRET → cl0q7z1kd93lmx0pr8vw2ty5
  Zapier → https://hooks.zapier.com/hooks/catch/1846290/SECRET/ → b3x9kq7
  IFTTT → https://maker.ifttt.com/trigger/site_down/with/key/SECRET → dK3vQ9xZ1pLwr0pB4tY6uW
  Tines → https://acme.tines.com/webhook/{{HOOK}}/SECRET → ${hex32}
  Rundeck → https://rundeck.acme.io/api/45/webhook/SECRET#restart → kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ
  Jenkins → https://jenkins.acme.io/generic-webhook-trigger/invoke?token=SECRET → restart-web
  ntfy → https://ntfy.sh/SECRET → acme-alerts
  Pushover → https://api.pushover.net/1/messages.json → azGDORePK8gMaC0QOYAMyEEuzJnyUi → {"template":"{\"token\":\"SECRET\",\"user\":\"{{PUSHOVER_USER}}\",\"message\":\"{{ALERT_TITLE}}\"}"}
  Twilio → https://api.twilio.com/2010-04-01/Accounts/AC${hex32}/Messages.json → QUM0YzFlOWE3NzMwZjg0YjJkOjBhMWIyYzNk → {"header":"Authorization: Basic SECRET","template":"To=%2B12025550143&From=%2B12025550101&Body={{ALERT_TITLE}}"}
  Elasticsearch → https://es.acme.io/alerts/_doc → VnVhQ2ZHY0JDZGJrUW0= → {"header":"Authorization: ApiKey SECRET"}
  Honeycomb → https://api.honeycomb.io/1/events/alerts → ${hex32} → {"header":"X-Honeycomb-Team: SECRET"}
  Sumo Logic → https://endpoint4.collection.sumologic.com/receiver/v1/http/SECRET → ZaVnC4dhaV2k3vQ9xZ1dK3vQ9xZ1pLwr0pB4tY6uWsE8iO==
  Azure Functions → https://acme.azurewebsites.net/api/alert?code=SECRET → kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLwr0p==
  Vercel → https://api.vercel.com/v1/integrations/deploy/prj_8Hq2Lr5Tn9Wx3Bv7Km1Pd4Zs6/SECRET → k3vQ9xZ1pL
  Netlify → https://api.netlify.com/build_hooks/SECRET → 5f1c2b7a9d4e4a518c607b2e
  one's own with a password → https://ops:SECRET@alerts.acme.io/hook → correct-horse
  one's own with a header → https://alerts.acme.io/hook → correct-horse → {"header":"X-Api-Key: SECRET"}
`);

test.each(shapes)(
  "%s: a reference is right, a literal is found where it is",
  (_, url = "", secret = "", more = "{}") => {
    const others = JSON.parse(more) as Omit<Hook, "url">;
    const field = url.includes("SECRET") ? "url" : others.header?.includes("SECRET") ? "headers" : "template";
    const text = JSON.stringify({ url, ...others });
    const found = (credential: string) => findingsOf(JSON.parse(text.replace("SECRET", credential)) as Hook);
    expect(found("{{OPS_TOKEN}}")).toEqual([]);
    expect(found("{{{OPS_TOKEN}}}")).toEqual([]);
    expect(found(secret)).toEqual([`credential-reference config.${field}`]);
  },
);

test.each(
  cases<Hook>(String.raw`
  {"url": "https://ops.example.org/hook?message={{alert_title}}&on={{CHECK_NAME}}"} # variables aren't secrets, and aren't references to them either → webhook-secret config.webhookSecret
  {"url": "https://ops.acme.io/hook", "header": "X-Tags: {{#each TAGS}}{{this}}{{/each}}", "template": "{\"at\":\"{{moment STARTED_AT \"YYYY-MM-DD\"}}\"}"} # blocks and helpers aren't either → webhook-secret config.webhookSecret
  {"url": "https://hooks.acme.io/YOUR_TOKEN"} # nobody has replaced it → placeholder config.url
  {"url": "https://hooks.acme.io/x", "header": "Authorization: Bearer <token>"} # nobody has replaced it after a scheme → placeholder config.headers
  {"url": "https://hooks.acme.io/x", "header": "X-Gotify-Key: <token>"} # nobody has replaced it, so nothing else is missing → placeholder config.headers
  {"url": "https://hooks.acme.io/x", "header": "Authorization: Hawk id={{ID}}, mac=your-key"} # nobody has replaced the last one of several → placeholder config.headers
  {"url": "https://api.honeycomb.io/1/events/alerts", "header": "X-Honeycomb-Team: <key>"} # an instruction in the header of a team → placeholder config.headers
  {"url": "https://ops.acme.io/hook", "header": "From: Ops <ops@acme.io>"} # words in a header are no instruction → webhook-secret config.webhookSecret
  {"url": "https://hooks.acme.io/teams/${mixed}"} # a random text that is no id is a secret, wherever it is → credential-reference config.url
  {"url": "https://hooks.acme.io/your-team/${hex32}"} # words are no instruction beside a secret → credential-reference config.url
  {"url": "https://ops.acme.io/hook", "header": "X-Request-Id: ${uuid}"} # ids and hashes of a request aren't secrets → webhook-secret config.webhookSecret
`),
)("%s", (_yaml, hook, findings) => {
  expect(findingsOf(hook)).toEqual(findings);
});

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

test.each(kinds)("by kind: %s", (_yaml, { type = "WEBHOOK", config, ...hook }, verdicts) => {
  const url = "https://ops.acme.io/x?token={{T}}";
  expect(findingsOn(type, config ?? configOf({ url, ...hook }))).toEqual(verdicts);
});

describe("a webhook of any kind", () => {
  const oneOf = (words: string) => fc.constantFrom(...words.split(" "));
  const textOf = (letters: string, minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...letters.split("")), minLength, maxLength });
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const word = oneOf(
    "alerts hooks services v1 api incoming-webhook notify team-ops prod eu-west-1 monitoring-events 2024 sendMessage 123456789012 20261120T120000Z bereitschaft-rechenzentrum",
  );
  const scheme = fc.oneof(
    oneOf("Bearer token ApiKey Key GenieKey Splunk Bot HMAC-SHA256 Basic OAuth2"),
    textOf(letters, 1, 20),
  );
  const host = oneOf(
    "hooks.slack.com hooks.acme.io discord.com events.pagerduty.com api.firehydrant.io alerts.acme.co.uk chat.acme.io",
  );
  const variable = fc.constantFrom(
    "{{ALERT_TITLE}}",
    "{{check_name}}",
    "{{#if GROUP_NAME}}g{{/if}}",
    "{{{RESULT_LINK}}}",
  );
  const reference = fc
    .tuple(oneOf("OPS PD TEAM_A HOOK X"), fc.constantFrom("", "_TOKEN", "_KEY", "_URL"), fc.boolean())
    .map(([one, end, isRaw]) => (isRaw ? `{{{${one}${end}}}}` : `{{${one}${end}}}`));
  const token = fc.oneof(
    // With its bias, fast-check draws 00000000-0000-1000-8000-000000000000, which is a placeholder.
    fc.noBias(fc.uuid()),
    textOf("0123456789abcdef", 32, 40).filter((text) => /\d/.test(text) && /[a-f]/.test(text)),
    // A shrunk text such as aaaa1111 is none.
    textOf(`${letters}${letters.toUpperCase()}0123456789`, 32, 64).filter((text) => new Set(text).size >= 12),
  );
  /** Where the credential is. */
  const places: ((
    credential: string,
    text: { scheme: string; variable: string },
  ) => Omit<Hook, "url"> & { path: string })[] = [
    (one) => ({ path: `/${one}` }),
    (one) => ({ path: `/${one}/send` }),
    (one, { variable: title }) => ({ path: `?token=${one}&message=${title}` }),
    (one, { scheme: name }) => ({ path: "", header: `Authorization: ${name} ${one}` }),
    (one) => ({ path: "", header: `X-Api-Key: ${one}` }),
    (one) => ({ path: "", template: `api_key: ${one}` }),
    (one, { variable: title }) => ({ path: "", template: `{"routing_key":"${one}","summary":"${title}"}` }),
  ];
  const hook = fc.record({
    host,
    words: fc.array(word, { maxLength: 4 }),
    scheme,
    variable,
    place: fc.constantFrom(...places),
  });
  const hookWith = (
    credential: string,
    { host: at, words, place, ...text }: Parameters<Parameters<typeof hook.map>[0]>[0],
  ) => {
    const { path, ...others } = place(credential, text);
    return { url: `https://${at}/${["services", ...words].join("/")}${path}`, ...others };
  };

  test("has no finding on its credentials when each is a reference, and one when it is random", () => {
    fc.assert(
      fc.property(hook, reference, token, (one, name, secret) => {
        expect(findingsOf(hookWith(name, one))).toEqual([]);
        expect(findingsOf(hookWith(secret, one))).toEqual([expect.stringMatching(/^credential-reference /)]);
      }),
    );
  });
});

test.each([
  ["alerts@acme.pagerduty.com", true],
  ["Ops <alerts@acme.eu.pagerduty.com>", true],
  ["web@acme.opsgenie.net", true],
  [`${uuid}+web@alert.victorops.com`, true],
  ["web@acme.ilertnow.com", true],
  ["kd83msq0ze@mail.signl4.com", true],
  ["ana@pagerduty.com", false],
  ["pagerduty@acme.io", false],
  ["ops@pagerduty.com.acme.io", false],
])("an email to %s wakes someone: %s", (address, wakes) => {
  const { findings } = audit([channel({ config: { address } })], { rules: { "on-call-type": "error" } });
  expect(findings.length === 0).toBe(wakes);
});
