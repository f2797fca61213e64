/** Placeholders, secrets and well-known services in the settings of alert channels. */
import { isPlaceholder, receiverAt, redactConfig } from "../../provider/credentials";

const slack = "https://hooks.slack.com/services/";
const slackHook = `${slack}T8D41881C9/B74B10D090/f85d4baf61c50f1e30af94e5`;

test.each([
  [
    "address",
    "your@email.com user@domain.com ops@example.com x@alerts.example.org me@email.com",
    "ops@acme.io foo.bar@acme.io ana@mail.com team@email.com dev@todo.app ops@{{DOMAIN}}",
  ],
  [
    "url",
    `${slack}YOUR/WEBHOOK/URL ${slack}<REPLACE_ME> ${slack}T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX ${slack}xxx/yyy/zzz https://example.com/hook https://your-domain.com/hook SLACK_WEBHOOK_URL https://slack.com/webhook https://hooks.acme.io/\${TOKEN} https://undefined/x https://api.telegram.org/botundefined/sendMessage https://hooks.acme.io/x?token=undefined&a=1 https://null https://hooks.acme.io/[object%20Object] https://hooks.acme.io/x/None`,
    `${slackHook} ${slack}{{PATH}} {{URL}} https://hooks.acme.io/checks/de1c9d78 https://my-app.acme.io/insert https://examples.io/x https://acme.io/your-order/hook https://hooks.acme.io/undefined-behaviour/nullable https://none.acme.io/x https://hooks.acme.io/none/nil/nan https://hooks.slack.com/workflows/T0/A0/1/x`,
  ],
  [
    "serviceKey",
    "key1 foo YOUR_SERVICE_KEY xxxx123abc changeme PAGERDUTY_SERVICE_KEY 12345678901234567890",
    "8b3a3663b837d093221294bbe678aa6a {{PAGERDUTY_KEY}} {{{KEY}}}",
  ],
  [
    "apiKey",
    "fookey <api-key> your-api-key-goes-here REPLACE_WITH_YOUR_OPSGENIE_KEY",
    "f1e2d3c4-1a2b-4c3d-9e8f-a1b2c3d4e5f6",
  ],
  ["webhookSecret", "foo secret changeme my-secret", "correct-horse-battery {{SECRET}}"],
  [
    "template",
    '{"token":"FILL_IN_YOUR_SECRET_TOKEN"} {"to":"YOUR_USER"} tmpl',
    '{"text":"{{ALERT_TITLE}}"} {"status":"TODO"}',
  ],
])("placeholders in %s are %s, and not %s", (key, placeholders, others) => {
  const found = (values: string) => values.split(" ").filter((value) => isPlaceholder(key, value));
  expect([found(placeholders), found(others)]).toEqual([placeholders.split(" "), []]);
});

test("words for people in a template aren't placeholders", () => {
  const text = '{"text": "Check your site: {{ALERT_TITLE}}. Please replace this runbook if it is old."}';
  expect(isPlaceholder("template", text)).toBe(false);
});

const secretPartOf = (key: string, value: unknown) =>
  (redactConfig({ type: "WEBHOOK", config: { [key]: value } })[key] as { secretPart?: string }).secretPart;

/** Values by their secret part, one a line or divided by two spaces. */
const urls = {
  literal: `
    ${slackHook}  https://discord.com/api/webhooks/469984800622/6d6d46ef6eb54c5e39d6c29da4ed
    https://acme.webhook.office.com/webhookb2/1@2/IncomingWebhook/3  https://api.instatus.com/v3/integrations/checks/cl0abc
    https://hooks.acme.io/x?secret=s3cret  https://ops:s3cret@hooks.acme.io/x
    https://api.telegram.example/bot123:s3cret/sendMessage?chat_id={{CHAT_ID}}
    https://hooks.example/services/T0/B0/s3cret?env={{ENV}}  https://hooks.example/x#{{ENV}}
    https://hooks.example/{{TEAM}}?token=s3cret  https://hooks.example/x?sig={{SIG}}&code=s3cret
    https://ops:s3cret@hooks.example/{{TEAM}}  {{BASE_URL}}/hook?token=s3cret  https://s3cret@hooks.example/{{TEAM}}
    https://s3cret:@hooks.example/{{TEAM}}  https://hooks.example/{{TEAM}}#token=s3cret`,
  reference: `
    https://hooks.acme.io:443/x?secret={{SECRET}}  https://api.telegram.example/bot{{TOKEN}}/sendMessage?chat_id=7
    https://hooks.example/x?sig={{SIG}}&env=eu  https://{{TOKEN}}@hooks.example/x  {{BASE_URL}}/hook?env={{ENV}}
    https://ops:{{PASSWORD}}@hooks.example/x  https://{{TOKEN}}:@hooks.example/x
    https://hooks.example/{{TEAM}}#section  ops@{{DOMAIN}}`,
  none: `
    https://hooks.acme.io/checks/de1c9d78  https://acme.atlassian.net/rest/api/3/issue  https://discord.com/`,
};
const templates = {
  literal: `
    {"token": "a1b2c3d4e5", "title": "{{ALERT_TITLE}}"}  {"routing_key": "a1b2c3d4e5"}
    token=a1b2c3&text={{ALERT_TITLE}}`,
  reference: `{"token": "{{PUSHOVER_TOKEN}}"}`,
  none: `{"project": {"key": "OPS"}, "dedup_key": "check-{{CHECK_ID}}"}  chat_id=-1001&text={{ALERT_TITLE}}`,
};
const headers = {
  literal: `
    Bearer s3cret {{X}}  s3cret {{X}}  {{X}}s3cret  Bearer{{X}}  AccessKey {{ID}}:s3cret  s3cret= {{X}}  s3cret=={{X}}
    session=s3cret; lang={{LANG}}  PHPSESSID=s3cret; lang={{LANG}}  lang=en; s3cret; session={{X}}
    sr=hub&sig=s3cret&se={{X}}  Token token='s3cret', nonce='{{X}}'
    AWS4-HMAC-SHA256 Credential={{ID}}, Signature=s3cret`,
  reference: `
    Bearer {{X}}  GenieKey {{{X}}}  Token token="{{X}}"  Token token='{{X}}'  session={{ X }}; lang=en
    lang=en;session={{X}}  session={{X}}; Path=/; Secure; HttpOnly  sr=hub&sig={{X}}&se=1
    Digest username="{{U}}", realm="on call", qop="auth,auth-int", nc=1, response="{{X}}"
    AWS4-HMAC-SHA256 Credential={{ID}}, SignedHeaders=host;x-amz-date, Signature={{X}}
    Basic {{USER}}:{{PASSWORD}}  {{PREFIX}}-{{KEY}}`,
};
const names = {
  literal: "sig  code  pwd  passwd  db_password  x-credential",
  none: "design  country-code  codec  author  Idempotency-Key  idempotencyKey",
};
const cases = (
  kind: string,
  byPart: Record<string, string>,
  key: string,
  of = (text: string): unknown => text,
) =>
  Object.entries(byPart).flatMap(([part, values]) =>
    values
      .trim()
      .split(/ {2,}|\n\s*/)
      .map((text): [string, string, string, string, unknown] => [kind, text, part, key, of(text)]),
  );

test.each([
  ...cases("URL", urls, "value"),
  ...cases("template", templates, "template"),
  ...cases("header", headers, "value", (value) => [{ key: "authorization", value }]),
  ...cases("value of", names, "value", (key) => [{ key, value: "s3cret" }]),
])("the secret part of the %s %s is %s", (_kind, _text, part, key, value) => {
  expect(secretPartOf(key, value)).toBe(part);
});

test.each([
  ["hooks.slack.com", "chat"],
  ["ACME.webhook.office.com.", "chat"],
  ["acme.atlassian.net", "ticket"],
  ["webhook.site", "inspection"],
  ["abc.ngrok-free.app", "inspection"],
  ["events.pagerduty.com", "on-call"],
  ["notslack.com", undefined],
  ["hooks.slack.com.acme.io", undefined],
])("the service at %s is %s", (host, kind) => {
  expect(receiverAt(host)?.kind).toBe(kind);
});

test("long values are checked in time", () => {
  const value =
    ["a", "=", ";", "; ", "'", "a=;", "{", "{{"].map((one) => one.repeat(100_000)).join(" ") + "{{X}}";
  expect(secretPartOf("value", [{ key: "token", value }])).toBe("literal");
});
