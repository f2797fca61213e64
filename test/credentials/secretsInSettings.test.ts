/** Tests the detection of placeholders, secrets and well-known services in the settings of alert channels. */
import { isPlaceholderAddress, redactConfig } from "../../provider/credentials";
import { isOnCallMailDomain, findReceiver } from "../../provider/credentials/vendorForms";
import { parseUrl } from "../../provider/credentials/grammar";
import { rows } from "../audit/table";

interface Facts {
  secretPart?: string;
  recognizedBy?: string;
  isPlaceholder?: true;
}
const redactSetting = (key: string, value: unknown) =>
  redactConfig({ type: "WEBHOOK", config: { [key]: value } })[key] as Facts;
const isPlaceholder = (key: string, value: string) =>
  key === "address" ? isPlaceholderAddress(value) : redactSetting(key, value).isPlaceholder === true;

const slack = "https://hooks.slack.com/services/";
const slackHook = `${slack}T8D41881C9/B74B10D090/f85d4baf61c50f1e30af94e5`;

test.each([
  [
    "address",
    "your@email.com user@domain.com ops@example.com x@alerts.example.org me@email.com ops@acme.test ops@eu.company.org john7@mail.com john.doe@mail.com johndoe@mail.com your-team@acme.io ops@${DOMAIN} Ops<user@mail.com> foo",
    "ops@example.com.acme.io ops@company.org.acme.io ops@baz.com.acme.io me@hotmail.com me@mail.com.br jerome@mail.com metro@mail.com ajohndoe@mail.com johndoering@mail.com Ops<ops@acme.io> ops@acme.io foo.bar@acme.io ana@mail.com team@email.com dev@todo.app ops@{{DOMAIN}}",
  ],
  [
    "url",
    `${slack}YOUR/WEBHOOK/URL https://hooks.acme.io/OPS_KEY?a=1 ${slack}<REPLACE_ME> ${slack}T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX ${slack}xxx/yyy/zzz https://example.com/hook https://your-domain.com/hook SLACK_WEBHOOK_URL https://hooks.acme.io/\${TOKEN} https://undefined/x https://api.telegram.org/botundefined/sendMessage https://hooks.acme.io/x?token=undefined&a=1 https://null https://hooks.acme.io/[object%20Object] https://hooks.acme.io/x/None https://hooks.acme.io/$TOKEN https://hooks.acme.io/8b3a3663b837d093221294bbe678aa6a?sig=xxxx https://AC8b3a3663b837d093221294bbe678aa6a:changeme@hooks.acme.io https://hooks.acme.io/bot{token}/x https://hooks.acme.io/:token/x https://hooks.acme.io/__TOKEN__ https://hooks.acme.io/@@TOKEN@@ https://www.example.org/x https://hooks.acme.io/x123456789 https://hooks.acme.io/123456789x https://a.example.net.example.com/x`,
    `${slackHook} ${slack}{{PATH}} {{URL}} https://hooks.acme.io/checks/de1c9d78 https://my-app.acme.io/insert https://examples.io/x https://hooks.acme.io/x?a=x123456789&b=2 https://acme.io/your-order/hook https://hooks.acme.io/undefined-behaviour/nullable https://none.acme.io/x https://hooks.acme.io/none/nil/nan https://hooks.slack.com/workflows/T0/A0/1/x https://hooks.acme.io/x?variables[ALERT]=1 https://hooks.acme.io/123456789012?at=1700000000 https://hooks.acme.io/T123456789/{{TOKEN}} https://dev.azure.com/acme/_apis/wit/workitems/$Bug https://hooks.acme.io/x?query={a{b}}`,
  ],
  [
    "serviceKey",
    "key1 foo YOUR_SERVICE_KEY xxxx123abc changeme PAGERDUTY_SERVICE_KEY 12345678901234567890 example-key dummykey token-here set-me ${{secrets.KEY}} {key}",
    "8b3a3663b837d093221294bbe678aa6a {{PAGERDUTY_KEY}} {{{KEY}}}",
  ],
  [
    "apiKey",
    "fookey <api-key> your-api-key-goes-here REPLACE_WITH_YOUR_OPSGENIE_KEY 00000000-0000-0000-0000-000000000000",
    "f1e2d3c4-1a2b-4c3d-9e8f-a1b2c3d4e5f6",
  ],
  [
    "webhookSecret",
    "foo secret changeme my-secret <1st-key> [api_key] :token %TOKEN% secrets.KEY REPLACE REPLACE-1 x-your your your.x1 x=your.x1 TODO-1 1-TODO yourapi 1-your-key-1 yourkey 1-your-team-1 yourteam 1-your-url-1 yoururl 1-my-org-1 1-myorg-1 1-my-api-key-1 1-my-apikey-1 1-my-token-1 1-mytoken-1 1-change-me-1 1-set-me-1 1-setme-1 1-fill-in-1 1-fillin-1 1-insert-here-1 1-inserthere-1 1-paste-here-1 1-url-here-1 -OPS_TEAM_EU_KEY- na foo-7 body body-7 123456-7 foo-api-key key-7 api-key mykey <8b3a3663b837d093221294bbe678aa6a>",
    "correct-horse-battery {{SECRET}} xyour.x1 yours3cret :hunter2 $PASSw0rd xOPS_KEY REPLACEd MASTODON a*b-c1 testimony-7 antibody bodyguard keyring-7 your-key-8b3a3663b837d093221294bbe678aa6a",
  ],
  [
    "template",
    '{"token":"FILL_IN_YOUR_SECRET_TOKEN"} {"to":"YOUR_USER"} tmpl {"routing_key":"<key>"} {"token":"xxxx"} token=undefined&a=1 <a><apiKey>TODO</apiKey></a> token:<key> {"to":"https://hooks.acme.io/?token=<key>"} your-team {"x":"your-team"} {"x":"REPLACE_1"} {"x":"INSERT_1"} {"x":"FILL_IN"} {"x":"change-me"} {"x":"changeme"}',
    '{"x":"changement"} {"x":"yourself"} {"text":"{{ALERT_TITLE}}"} {"status":"TODO"} {"auth":"none"} {"token":null} {"text":"<!here>"} <p>token:{{X}}</p> {"to":"https://acme.io/<a>"}',
  ],
  // References to secret stores that no tool resolved.
  [
    "webhookSecret",
    "@Microsoft.KeyVault(SecretUri=https://a.vault.azure.net/secrets/ops) ENC[AES256_GCM,data:Zk4bT9qLw2Xc7Vn1] vault:secret/data/ops#token ssm:/prod/ops op://Ops/token/x ref+vault://ops/x arn:aws:secretsmanager:eu-west-1:1:secret:ops projects/shop/secrets/ops (known) ((ops-token)) ((/ops/token_2)) x-((ops)) secretref:ops-token aws-secretsmanager:/ops/token ENC(Zk4bT9qLw2Xc7Vn1) {{resolve:ssm:ops}}",
    "vault:secret ssm-prod/ops xvault:secret/ops top://ops/x projects/secrets/ops (0ps) f(ops) ((ops) x-secretref:ops https://vault:8200/ops https://ops/vault:8/x arn:aws:s3:::ops XENC[a] {{resolved}}",
  ],
])("placeholders in %s are %s, and not %s", (key, placeholders, others) => {
  const found = (values: string) => values.split(" ").filter((value) => isPlaceholder(key, value));
  expect([found(placeholders), found(others)]).toEqual([placeholders.split(" "), []]);
});

test.each([
  ["webhookSecret", "foo"],
  ["template", "tmpl"],
  ["address", "foo"],
])("a placeholder in %s may have white space around it", (key, value) => {
  expect(isPlaceholder(key, ` ${value} `)).toBe(true);
});

test.each([
  ["webhookSecret", "", "YOUR_KEY"],
  ["template", "", "YOUR_KEY"],
  ["url", "https://hooks.acme.io/", "/undefined"],
  ["address", "ops@acme.io", "YOUR_KEY"],
])("only the first 4,096 characters of %s are searched for a placeholder", (key, first, last) => {
  const isLongPlaceholder = (length: number) => isPlaceholder(key, first.padEnd(length, "-") + last);
  expect([isLongPlaceholder(4_000), isLongPlaceholder(4_096)]).toEqual([true, false]);
});

const getSecretPart = (key: string, value: unknown) => redactSetting(key, value).secretPart;

/** Values by their secret part, separated by line breaks or two spaces. */
const urls = {
  literal: `
    ${slackHook}  https://discord.com/api/webhooks/469984800622/6d6d46ef6eb54c5e39d6c29da4ed
    https://acme.webhook.office.com/webhookb2/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8@0d9c1e2f-3a4b-4c5d-8e6f-7a8b9c0d1e2f/IncomingWebhook/4c1e9a7730f84b2d9b8e2d6f5a1c3e70  https://api.instatus.com/v3/integrations/checks/cl0q7z1kd93lmx0pr8vw2ty5
    https://hooks.acme.io/x?secret=s3cret  https://ops:s3cret@hooks.acme.io/x
    https://api.telegram.example/bot123456:AAHdq3TcvCH1vGWJxfSeofSAs0K5/sendMessage?chat_id={{CHAT_ID}}
    https://hooks.example/services/T0/B0/a1Bc2De3Fg4Hi5Jk6Lm7?env={{ENV}}
    https://ops:s3cret@hooks.example/{{TEAM}}  {{BASE_URL}}/hook?token=s3cret  https://s3cret@hooks.example/{{TEAM}}
    https://s3cret:@hooks.example/{{TEAM}}  https://hooks.example/{{TEAM}}#token=s3cret`,
  reference: `
    https://hooks.acme.io:443/x?secret={{SECRET}}  https://api.telegram.example/bot{{TOKEN}}/sendMessage?chat_id=7
    https://{{TOKEN}}:x-oauth-basic@hooks.example/x  https://hooks.example/x?sig={{SIG}}&env=eu  https://{{TOKEN}}@hooks.example/x  {{BASE_URL}}/hook?env={{ENV}}
    https://ops:{{PASSWORD}}@hooks.example/x  https://{{TOKEN}}:@hooks.example/x
    https://hooks.example/{{TEAM}}#section  ops@{{DOMAIN}}
    https://hooks.example/x#{{ENV}}  https://hooks.example/x?at={{moment STARTED_AT "YYYY"}}&t={{ops_token}}`,
  none: `
    https://hooks.acme.io/checks/de1c9d78  https://acme.atlassian.net/rest/api/3/issue  https://discord.com/
    https://hooks.example/x?title={{ALERT_TITLE}}&by={{check_name}}  https://hooks.example/{{#if GROUP_NAME}}group{{/if}}
    https://hooks.example/x?is={{#if_contains TAGS "a/b?c#d"}}1{{/if_contains}}&on={{$UUID}}
    https://{{ALERT_HOST}}/hook  https://events.pagerduty.com/v2/enqueue  https://hooks.example/x?key=OPS&code=500
    https://hooks.example/x?require-auth=true`,
};
const templates = {
  literal: `
    {"token": "a1b2c3d4e5", "title": "{{ALERT_TITLE}}"}  {"routing_key": "a1b2c3d4e5"}
    token=a1b2c3&text={{ALERT_TITLE}}
    token: s3cret  {'token': 's3cret'}  <hook token="s3cret"/>
    {"password":"s3cret\\"x=1"}  {"to":"https://hooks.acme.io/?token=s3cret"}  {"to":"https://ops:s3cret@hooks.acme.io"}
    {"payload":"{\\"token\\":\\"s3cret\\"}"}  {"query":"mutation { notify(token: \\"s3cret\\") }"}  {{ALERT_TITLE}} token=s3cret
    <hook><apiKey>s3cret</apiKey></hook>  {"to": "https://hooks.slack.com/services/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"}`,
  reference: `{"token": "{{PUSHOVER_TOKEN}}"}  {'token': '{{X}}'}  token: {{X}}  Authorization: SSWS {{X}}  {"to":"https://hooks.acme.io/?token={{X}}"}  <hook><apiKey>{{KEY}}</apiKey></hook>`,
  none: `
    {"component_id": "3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8"}  {"icon": "https://img.example/4c1e9a7730f84b2d9b8e2d6f5a1c3e70.png"}
    {"text":"{{ALERT_TITLE}}","dedup":"{{CHECK_NAME}}"}  {"project": {"key": "OPS"}, "dedup_key": "check-{{CHECK_ID}}"}  chat_id=-1001&text={{ALERT_TITLE}}
    {"auth":"none","secret":false,"token":null}  {"text":"Token expired"}  {"commit":"f1d2d2f924e986ac86fdf7b36c94bcdf32beec15"}  see https://wiki.acme.io/4c1e9a7730f84b2d9b8e2d6f5a1c3e70
    {"public_key":"4c1e9a7730f84b2d9b8e2d6f5a1c3e70"}  {"service":"4c1e9a7730f84b2d9b8e2d6f5a1c3e70"}`,
};
const headers = {
  literal: `
    Bearer s3cret {{X}}  {{X}}s3cret  AccessKey {{ID}}:s3cret  s3cret= {{X}}  s3cret=={{X}}
    session=s3cret; lang={{LANG}}  PHPSESSID=s3cret; lang={{LANG}}  lang=en; s3cret; session={{X}}
    sr=hub&sig=s3cret&se={{X}}
    AWS4-HMAC-SHA256 Credential={{ID}}, Signature=s3cret`,
  reference: `
    Bearer {{X}}  token {{X}}  ApiKey {{X}}  s3cret {{X}}  Bearer{{X}}  GenieKey {{{X}}}  Token token="{{X}}"  Token token='{{X}}'  session={{ X }}; lang=en  Basic {{base64 CREDENTIALS}}
    lang=en;session={{X}}  session={{X}}; Path=/; Secure; HttpOnly  sr=hub&sig={{X}}&se=1
    Digest username="{{U}}", realm="on call", qop="auth,auth-int", nc=1, response="{{X}}"
    AWS4-HMAC-SHA256 Credential={{ID}}, SignedHeaders=host;x-amz-date, Signature={{X}}
    Basic {{USER}}:{{PASSWORD}}  {{PREFIX}}-{{KEY}}`,
};
const names = {
  literal: "sig  code  pwd  passwd  db_password  x-credential",
  none: "design  country-code  codec  author  token-version  Idempotency-Key  idempotencyKey",
};
const same = (text: string): unknown => text;
const cases = (kind: string, byPart: Record<string, string>, key: string, of = same) =>
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
  expect(getSecretPart(key, value)).toBe(part);
});

const uuid = "3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8";
const hex32 = "4c1e9a7730f84b2d9b8e2d6f5a1c3e70";
const mixed = "a1Bc2De3Fg4Hi5Jk6Lm7No8P";
const token = "kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9mYh2Tf0Rsa";
const ghp = "ghp_kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLw";
const slackTarget = `${slack}T0AB12CD3/B0EF45GH6/${mixed}`;

/** Returns how a literal is recognized, or the secret part of a setting. Any unknown name is a header. */
function classifySetting(key = "", value = "", others: object = {}): string | undefined {
  const setting = ["url", "template", "serviceKey", "apiKey", "webhookSecret"].includes(key)
    ? { [key]: value }
    : { headers: [{ key, value }] };
  const [facts] = Object.values(
    redactConfig({ type: "WEBHOOK", config: { ...setting, ...others } }),
  ) as Facts[];
  return facts?.isPlaceholder ? "placeholder" : (facts?.recognizedBy ?? facts?.secretPart);
}

test.each(
  rows(String.raw`
  aeg-sas-token → r=https%3a%2f%2fops.acme.io%2fx&e=6%2f15%2f2027+6%3a20%3a15+PM&s=${mixed}%3d → name
  url → https://sqs.acme.io/1/x?X-Amz-Credential={{KEY}}%2F20261120%2Faws4_request&X-Amz-Date=20261120T120000Z&X-Amz-Signature={{S}} → reference
  template → auth:\n  Authorization: Sesame ${mixed}\n  password: >-\n    {{X}} → name
  X-Request-Id → {{$UUID}} → none
  url → ${slack}***masked*** → hidden
  Authorization → Token token=***masked*** → hidden
  apiKey → xxxx…1234 → hidden
  url → https://ops.acme.io/x?a={{AI_ANALYSIS_CODE_FIX}}{{AI_ANALYSIS_ROOT_CAUSE}}{{AI_ANALYSIS_USER_IMPACT}} → none
  url → https://ops.acme.io/rzeszow-wroclaw-szczecin/vpnhub-fritzbox-gw-nbg1/checkout-7d9f8b6c5-x2x4z → none
  template → {"headers":[["Authorization","Bearer ${ghp}"]]} → prefix
  url → https://hooks.zapier.com/%68ooks/x/../catch/1846290/b3x9kq7 → place
  X-Tags → {{#each TAGS}}{{this}}{{/each}} → none
  From → Ops <ops@acme.io> → none
  X-Gotify-Key → <token> → placeholder
  Authorization → Hawk id={{ID}}, mac=your-key → placeholder
  url → https://ops.acme.io/in/checkly-${token} → random
  url → https://ops.acme.io/in?a=1;token=s3cret → name
  template → {"bot":"1102015431:AA${token.slice(0, 33)}"} → prefix
  X-Forward → ${slackTarget} → place
  url → https://discord.com/api/webhooks/469984800622/${hex32} → place
  url → https://ops.acme.io/in?forward=${encodeURIComponent(slackTarget)} → place
  url → https://ops.acme.io/in?to=${encodeURIComponent(`https://a.acme.io/${token}`)} → random
  X-Forward → https://ops:s3cret@a.acme.io → name
  X-Pass → correct-horse → name
  X-Bypass → correct-horse → none
  X-Site → ${ghp} → prefix
  url → https://chat.googleapis.com/v1/spaces/AAA/messages?key=AIzaSyDdI0hCZtE6vySjMm-WEfRq3CPzqKqqsHI&token={{T}} → reference
  url → https://${hex32}@o1.ingest.sentry.io/4507 → none
  url → https://${hex32}@a.acme.io/4507 → name
  url → https://o1.ingest.sentry.io/api/1/x?sentry_key={{KEY}} → none
  url → https://acme.zoom.us/j/1?pwd=s3cret → none
  url → https://www.loom.com/share/x?sid=s3cret → none
  url → https://onedrive.live.com/?authkey=s3cret → none
  url → https://www.dropbox.com/s/x?rlkey=a1b2c3d4 → none
  url → https://docs.google.com/x?resourcekey=a1b2c3d4 → none
  X-Foo → TODO → placeholder
  X-Foo → foo → none
  X-Foo → session=s3cret; lang={{LANG}} → reference
  X-Foo → ${mixed} {{X}} → random
  X-Foo → your-key-${token} → random
  X-Token → !abc true → name
  Authorization → Bearer  true → none
  Cookie → session=${token}; sid=your-key{{X}} → name
  Cookie → token=hunter; lang=en → name
  Cookie → token=hunter{{X}}; lang=en → reference
  apiKey → 8b3a3663b837d09 → placeholder
  serviceKey → 8b3a3663b837d09 → placeholder
  apiKey → 8b3a3663b837d093+x → placeholder
  apiKey → x+8b3a3663b837d093 → placeholder
  apiKey → your.***masked*** → hidden
  apiKey → https://ops.acme.io/x?token=s3cret → name
  webhookSecret → s3cret{{ALERT_ID}} → name
  url → ${slackTarget} → place
  X-Site → ${slackTarget} → place
  Session → kQzRvKpLwTxBkVqXzDKv → name
  apiKey → 8765432187654321 → placeholder
  url → https://discord.com/api/webhooks/${token}/your-token-goes-here → none
  url → https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${uuid} → place
  url → https://ops.acme.io/your-team/${hex32} → none
  template → {"file":"http://acme.io/${token}"} → none
  template → {"file":"ws://acme.io/${token}"} → none
  template → {"key_auth":"Winter2026x"} → name
  template → {"auth":"dummy-a1b2c3"} → placeholder
  template → {"text":"see ${slackTarget}"} → place
  template → {"to":"https://hc-ping.com/<token>"} → placeholder
  url → https://hc-ping.com/ → none
  url → https://hc-ping.com/?a=b → none
  url → https://ntfy.sh/{{TOPIC_TOKEN}} → reference
  url → https://ops.acme.io/in/${ghp} → prefix
  url → https://a.acme.io/?to=${encodeURIComponent(`https://b.acme.io/?to=${encodeURIComponent("https://c.acme.io/?secret=s3cret")}`)} → none
  template → {"x":"https://hc-ping.com/${uuid}"} → place
  template → {"x":"{{OPS_TOKEN}}"} → reference
  template → {"value":"xBearer a1b2c3"} → none
  template → {"value":"Bearer a1b2c3 x"} → none
  url → /api/webhook/hello-super-webhook?on={{CHECK_NAME}} → place
  template → {"to":"https://hc-ping.com?q=${token}"} → none
  template → {"api_key":"phc_${token}","event":"alert"} → none
  template → {"api_key":"${token}","event":"alert"} → name
  template → {"session":"default","auth":"sso","team_key":"OPS"} → none
  template → {"session":"${token}"} → name
  template → {"auth":"Winter2026x","text":"{{ALERT_TITLE}}"} → name
  template → {"auth":"your-auth-2me"} → placeholder
  template → {"auth":"Winter2026x of 2026"} → none
  template → {"team_key":"O1P2S3"} → none
  template → {"urls":"slack://T0AB12CD3/B0EF45GH6/${mixed}"} → place
  template → {"urls":"discord://469984800622123456/${token}"} → place
  template → {"urls":"ftp://acme.io/reports","file":"https://acme.io/${token}"} → none
  template → {"api_key":"sb_publishable_${token}"} → none
  X-Foo → opsgenie_region → none
  template → {"psw":"s3cret"} → name
  template → {"senha":"s3cret"} → name
  template → {"clave":"s3cret"} → name
  template → {"mot_de_passe":"s3cret"} → name
  url → https://ops.acme.io/spreadsheets/${token}/values → random
  X-Integrity → sha384-${token} → none
  Referer → https://app.acme.io/${token} → none`),
)("the value in %s: %s is recognized as %s", (key, value, kind) => {
  expect(classifySetting(key, value.replaceAll("\\n", "\n"))).toBe(kind);
});

test.each(
  rows(`
  url → https://ops.acme.io/123456789012/${uuid}?tenant=${uuid} → none
  url → https://hooks.airtable.com/workflows/v1/genericWebhook/app${token}/wfl${token}/{{REF}} → reference
  url → https://hooks.acme.io/app${token}/{{AIRTABLE_HOOK}}/?on={{CHECK_NAME}} → reference
  url → https://hooks.acme.io/in/${token}?token={{HOOK_TOKEN}} → reference
  url → https://hooks.acme.io/app${token}/wfl{{CHECK_ID}} → random
  url → https://hooks.acme.io/{{REF}}/${token} → random
  url → https://hooks.acme.io/in/${token}?region={{REGION}} → random
  url → https://discord.com/api/webhooks/469984800622123456/${token}${token}/{{REF}} → place
  template → {"opened_by":"${hex32}"} → none
  url → https://api.render.com/v1/services/srv-cq9v8t2m3k4l5n6p7q8r/deploys → none
  url → https://ops.acme.io/v1/services/srv-cq9v8t2m3k4l5n6p7q8r/deploys → none
  url → https://ops.acme.io/projects/${token} → random
  url → https://ops.acme.io/issue/${token}/values → random
  url → https://api.instatus.com/v1/cl0q7z1kd93lmx0pr8vw2ty5/components/cl0q7z1kd93lmx0pr8vw2ty6 → none
  url → https://api.acme.io/x/${token} → none
  url → https://eu.api.acme.io/x/${token} → none
  url → https://ops.acme.io/api/x/${token} → none
  url → https://ops.acme.io/v2/x/${token} → none
  url → https://ops.acme.io/apis/x/${token} → random
  url → https://ops.acme.io/v12/x/${token} → none
  url → https://ops.acme.io/vx/x/${token} → random
  url → https://hooks.acme.io/in/${token}?session=default → random
  url → https://api.acme.io/webhook/${token} → random
  url → https://api.acme.io/in/${token} → random
  url → https://api.acme.io/v1/incoming/x/${token} → random
  url → https://api.acme.io/main/${token} → none
  url → https://ops.acme.io/spreadsheets/${token}/1a → random
  url → https://ops.acme.io/hooks/${token}/in → random
  template → {"digest":"${hex32}"} → none`),
)("only IDs in the path of an API aren't secrets: the %s %s is %s", (key, value, kind) => {
  expect(classifySetting(key, value, { headers: [{ key: "Authorization", value: "Basic {{SN}}" }] })).toBe(
    kind,
  );
});

test.each([
  ["hidden", { key: "Authorization" }],
  ["none", { key: "Accept" }],
  ["none", { key: "X-Token", value: null }],
  ["none", { key: "X-Token", value: " " }],
  ["none", { key: "X-Token", value: " true " }],
  ["literal", { key: "X-Token", value: 71_234_567 }],
])("a secret is %s in the header %j", (part, header) => {
  expect(getSecretPart("headers", [header])).toBe(part);
});

/** No host name has more than 253 characters. */
const longestHost = `${"a.".repeat(122)}slack.com`;
test.each([
  ["abc.ngrok-free.app", "inspection"],
  ["events.pagerduty.com", "on-call"],
  ["events.pagerduty.com./v2/enqueue", "on-call"],
  ["acme.atlassian.net", "ticket"],
  ["api.atlassian.com/ex/jira/4f3c2b1a/rest/api/3/issue", "ticket"],
  ["api.atlassian.com/jsm/ops/integration/v2/alerts", "on-call"],
  ["api.atlassian.com/jsm/ops/integration/v1/json/checkly", "on-call"],
  ["navy.oncall.datadoghq.com/api/v2/on-call/pages", "on-call"],
  ["http-intake.logs.datadoghq.com/api/v2/logs", undefined],
  ["api.twilio.com/2010-04-01/Accounts/AC1/Calls.json", "on-call"],
  [`${longestHost}/archives`, "people"],
  [`a${longestHost}/archives`, undefined],
  ["notslack.com", undefined],
  ["hooks.slack.com.acme.io", undefined],
  ["discord.com/invite/hTKzmak9Qe", "people"],
  ["discord.gg/hTKzmak9Qe", "people"],
  ["teams.microsoft.com/l/channel/19%3aops", "people"],
  ["acme.slack.com/archives/C0123", "people"],
  ["t.me/acme_ops", "people"],
  ["ops.acme.io/invite/1", undefined],
  ["n8n.acme.io/webhook-test/alerts", "inspection"],
  ["ops.acme.io/n8n/webhook-test/alerts", "inspection"],
  ["n8n.acme.io/webhook/alerts", undefined],
  ["ops.acme.io/a/b/webhook-test", undefined],
  ["acme.hipchat.com/v2/room/1/notification", "closed"],
  ["outlook.office.com/webhook/1", "closed"],
])("the service at %s is %s", (address, kind) => {
  expect(findReceiver(parseUrl(`https://${address}`))).toBe(kind);
});

test.each([
  [true, ["acme.pagerduty.com", "a.b.pagerduty.com", "acme.opsgenie.net"]],
  [false, ["pagerduty.com", "allquiet.app", "opsgenie.net", "ops.acme.com", "acme.io"]],
])("an on-call service receives alerts by email at these domains (%s): %j", (isOne, domains) => {
  expect(domains.filter((domain) => isOnCallMailDomain(domain) !== isOne)).toEqual([]);
});

const shownAs = (key: string, value: unknown) =>
  redactConfig({ type: "EMAIL", config: { [key]: value } }, "acme")[key];
const isHidden = /^hidden-[0-9a-f]{12}$/;

test.each([
  ["name", slackHook],
  ["serviceName", `ops ${ghp}`],
  ["name", "ops xoxb-kq3Zr8vKp1"],
])("the %s %j contains a credential, and is hidden in the same way each time", (key, value) => {
  expect(shownAs(key, value)).toMatch(isHidden);
  expect(shownAs(key, value)).toBe(shownAs(key, value));
  expect(shownAs("slackChannels", ["#ops", value])).toEqual(["#ops", shownAs(key, value)]);
});

test.each([
  ["address", "Ops on call <ops+eu-west-1@acme.io>"],
  ["address", "checkly@acme.pagerduty.com"],
  ["address", "jane.doe@todoist.net"],
  ["name", "https://acme.io/runbook"],
  ["number", "+34600145981"],
  ["slackChannels", ["#ops", "C0AB12CD3"]],
])("the %s %j contains no credential, and is shown", (key, value) => {
  expect(shownAs(key, value)).toEqual(value);
});
