/** Literals beside references. */
import { redactConfig } from "../../provider/client/redact";

const secretPartOf = (value: unknown) =>
  redactConfig({ type: "WEBHOOK", config: { value } }, "acc-1")["value"];

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
  expect(secretPartOf(url)).toMatchObject({ secretPart });
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
  expect(secretPartOf([{ key: "authorization", value }])).toMatchObject({ secretPart });
});

test.each(["sig", "code", "pwd", "passwd", "db_password", "x-credential"])(
  "%s is the name of a secret",
  (key) => {
    expect(secretPartOf([{ key, value: "s3cret" }])).toMatchObject({ secretPart: "literal" });
  },
);

test.each(["design", "country-code", "codec", "author", "Idempotency-Key", "idempotencyKey"])(
  "%s is the name of no secret",
  (key) => {
    expect(secretPartOf([{ key, value: "x" }])).toMatchObject({ secretPart: "none" });
  },
);

test("long values are checked in time", () => {
  const value =
    ["a", "=", ";", "; ", "'", "a=;", "{", "{{"].map((one) => one.repeat(100_000)).join(" ") + "{{X}}";
  expect(secretPartOf([{ key: "token", value }])).toMatchObject({ secretPart: "literal" });
});
