/** Placeholders, secrets and well-known services in the settings of alert channels. */
import { isPlaceholder } from "../../provider/credentials/isPlaceholder";
import { redactConfig } from "../../provider/credentials/redact";
import { receiverAt } from "../../provider/credentials/receivers";

const slack = "https://hooks.slack.com/services/";

test.each([
  ["address", "your@email.com user@domain.com ops@example.com x@alerts.example.org me@email.com"],
  [
    "url",
    `${slack}YOUR/WEBHOOK/URL ${slack}<REPLACE_ME> ${slack}T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX ${slack}xxx/yyy/zzz https://example.com/hook https://your-domain.com/hook SLACK_WEBHOOK_URL https://slack.com/webhook https://hooks.acme.io/\${TOKEN} https://undefined/x https://api.telegram.org/botundefined/sendMessage https://hooks.acme.io/x?token=undefined&a=1 https://null https://hooks.acme.io/[object%20Object] https://hooks.acme.io/x/None`,
  ],
  ["serviceKey", "key1 foo YOUR_SERVICE_KEY xxxx123abc changeme PAGERDUTY_SERVICE_KEY 12345678901234567890"],
  ["apiKey", "fookey <api-key> your-api-key-goes-here REPLACE_WITH_YOUR_OPSGENIE_KEY"],
  ["webhookSecret", "foo secret changeme my-secret"],
  ["template", '{"token":"FILL_IN_YOUR_SECRET_TOKEN"} {"to":"YOUR_USER"} tmpl'],
])("placeholders in %s: %s", (key, values) => {
  const found = values.split(" ").filter((value) => !isPlaceholder(key, value));
  expect(found).toEqual([]);
});

test.each([
  ["address", "ops@acme.io foo.bar@acme.io ana@mail.com team@email.com dev@todo.app ops@{{DOMAIN}}"],
  [
    "url",
    `${slack}T8D41881C9/B74B10D090/f85d4baf61c50f1e30af94e5 ${slack}{{PATH}} {{URL}} https://hooks.acme.io/checks/de1c9d78 https://my-app.acme.io/insert https://examples.io/x https://acme.io/your-order/hook https://hooks.acme.io/undefined-behaviour/nullable https://none.acme.io/x https://hooks.acme.io/none/nil/nan https://hooks.slack.com/workflows/T0/A0/1/x`,
  ],
  ["serviceKey", "8b3a3663b837d093221294bbe678aa6a {{PAGERDUTY_KEY}} {{{KEY}}}"],
  ["apiKey", "f1e2d3c4-1a2b-4c3d-9e8f-a1b2c3d4e5f6"],
  ["webhookSecret", "correct-horse-battery {{SECRET}}"],
  ["template", '{"text":"{{ALERT_TITLE}}"} {"status":"TODO"}'],
])("no placeholders in %s: %s", (key, values) => {
  expect(values.split(" ").filter((value) => isPlaceholder(key, value))).toEqual([]);
});

test("words for people in a template aren't placeholders", () => {
  const text = '{"text": "Check your site: {{ALERT_TITLE}}. Please replace this runbook if it is old."}';
  expect(isPlaceholder("template", text)).toBe(false);
});

const secretPartOf = (key: string, value: unknown) =>
  (redactConfig({ type: "WEBHOOK", config: { [key]: value } })[key] as { secretPart?: string }).secretPart;

test.each([
  [`${slack}T8D41881C9/B74B10D090/f85d4baf61c50f1e30af94e5`, "literal"],
  ["https://discord.com/api/webhooks/469984800622/6d6d46ef6eb54c5e39d6c29da4ed", "literal"],
  ["https://acme.webhook.office.com/webhookb2/1@2/IncomingWebhook/3", "literal"],
  ["https://api.instatus.com/v3/integrations/checks/cl0abc", "literal"],
  ["https://hooks.acme.io/x?secret=s3cret", "literal"],
  ["https://ops:s3cret@hooks.acme.io/x", "literal"],
  ["https://hooks.acme.io:443/x?secret={{SECRET}}", "reference"],
  ["https://hooks.acme.io/checks/de1c9d78", "none"],
  ["https://acme.atlassian.net/rest/api/3/issue", "none"],
  ["https://discord.com/", "none"],
])("the secret part of the URL %s is %s", (url, expected) => {
  expect(secretPartOf("url", url)).toBe(expected);
});

test.each([
  ['{"token": "a1b2c3d4e5", "title": "{{ALERT_TITLE}}"}', "literal"],
  ['{"routing_key": "a1b2c3d4e5"}', "literal"],
  ['{"token": "{{PUSHOVER_TOKEN}}"}', "reference"],
  ['{"project": {"key": "OPS"}, "dedup_key": "check-{{CHECK_ID}}"}', "none"],
  ["token=a1b2c3&text={{ALERT_TITLE}}", "literal"],
  ["chat_id=-1001&text={{ALERT_TITLE}}", "none"],
])("the secret part of the template %s is %s", (template, expected) => {
  expect(secretPartOf("template", template)).toBe(expected);
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

test.each([
  ["https://api.telegram.example/bot123:s3cret/sendMessage?chat_id={{CHAT_ID}}", "literal"],
  ["https://hooks.example/services/T0/B0/s3cret?env={{ENV}}", "literal"],
  ["https://hooks.example/x#{{ENV}}", "literal"],
  ["https://hooks.example/{{TEAM}}?token=s3cret", "literal"],
  ["https://hooks.example/x?sig={{SIG}}&code=s3cret", "literal"],
  ["https://ops:s3cret@hooks.example/{{TEAM}}", "literal"],
  ["{{BASE_URL}}/hook?token=s3cret", "literal"],
  ["https://s3cret@hooks.example/{{TEAM}}", "literal"],
  ["https://s3cret:@hooks.example/{{TEAM}}", "literal"],
  ["https://hooks.example/{{TEAM}}#token=s3cret", "literal"],
  ["https://api.telegram.example/bot{{TOKEN}}/sendMessage?chat_id=7", "reference"],
  ["https://hooks.example/x?sig={{SIG}}&env=eu", "reference"],
  ["https://{{TOKEN}}@hooks.example/x", "reference"],
  ["{{BASE_URL}}/hook?env={{ENV}}", "reference"],
  ["https://ops:{{PASSWORD}}@hooks.example/x", "reference"],
  ["https://{{TOKEN}}:@hooks.example/x", "reference"],
  ["https://hooks.example/{{TEAM}}#section", "reference"],
  ["ops@{{DOMAIN}}", "reference"],
])("of the URL %s: %s", (url, secretPart) => {
  expect(secretPartOf("value", url)).toBe(secretPart);
});

test.each([
  ["Bearer s3cret {{X}}", "literal"],
  ["s3cret {{X}}", "literal"],
  ["{{X}}s3cret", "literal"],
  ["Bearer{{X}}", "literal"],
  ["AccessKey {{ID}}:s3cret", "literal"],
  ["s3cret= {{X}}", "literal"],
  ["s3cret=={{X}}", "literal"],
  ["session=s3cret; lang={{LANG}}", "literal"],
  ["PHPSESSID=s3cret; lang={{LANG}}", "literal"],
  ["lang=en; s3cret; session={{X}}", "literal"],
  ["sr=hub&sig=s3cret&se={{X}}", "literal"],
  ["Token token='s3cret', nonce='{{X}}'", "literal"],
  ["AWS4-HMAC-SHA256 Credential={{ID}}, Signature=s3cret", "literal"],
  ["Bearer {{X}}", "reference"],
  ["GenieKey {{{X}}}", "reference"],
  ['Token token="{{X}}"', "reference"],
  ["Token token='{{X}}'", "reference"],
  ["session={{ X }}; lang=en", "reference"],
  ["lang=en;session={{X}}", "reference"],
  ["session={{X}}; Path=/; Secure; HttpOnly", "reference"],
  ['Digest username="{{U}}", realm="on call", qop="auth,auth-int", nc=1, response="{{X}}"', "reference"],
  ["AWS4-HMAC-SHA256 Credential={{ID}}, SignedHeaders=host;x-amz-date, Signature={{X}}", "reference"],
  ["sr=hub&sig={{X}}&se=1", "reference"],
  ["Basic {{USER}}:{{PASSWORD}}", "reference"],
  ["{{PREFIX}}-{{KEY}}", "reference"],
])("of the header %s: %s", (value, secretPart) => {
  expect(secretPartOf("value", [{ key: "authorization", value }])).toBe(secretPart);
});

test.each(["sig", "code", "pwd", "passwd", "db_password", "x-credential"])(
  "%s is the name of a secret",
  (key) => {
    expect(secretPartOf("value", [{ key, value: "s3cret" }])).toBe("literal");
  },
);

test.each(["design", "country-code", "codec", "author", "Idempotency-Key", "idempotencyKey"])(
  "%s is the name of no secret",
  (key) => {
    expect(secretPartOf("value", [{ key, value: "x" }])).toBe("none");
  },
);

test("long values are checked in time", () => {
  const value =
    ["a", "=", ";", "; ", "'", "a=;", "{", "{{"].map((one) => one.repeat(100_000)).join(" ") + "{{X}}";
  expect(secretPartOf("value", [{ key: "token", value }])).toBe("literal");
});
