/** Verdicts on the credentials of channels: in the shapes that vendors document, with made-up values, and by kind. */
import { formats } from "../../audit";
import { redactConfig } from "../../provider/credentials";
import { audit, channel, facts } from "./channels";
import { cases } from "./table";

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

const uuid = "3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8";
const hex32 = "4c1e9a7730f84b2d9b8e2d6f5a1c3e70";
const mixed = "a1Bc2De3Fg4Hi5Jk6Lm7No8P";
const ghp = "ghp_kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLw";

/** Channels, as their type with `config`, or as a webhook that has a credential by reference unless it has a URL. */
const kinds = cases<Partial<Hook> & { type?: string; config?: Record<string, unknown> }>(`
  { url: "https://ops.acme.io/x", header: "Authorization: OAuth oauth_nonce=${hex32}, oauth_timestamp=1764057600, oauth_signature={{S}}" } →
  { url: "https://ops.acme.io/x", header: "aeg-sas-token: r=https%3a%2f%2fops.acme.io%2fx&e=6%2f15%2f2027+6%3a20%3a15+PM&s={{S}}" } →
  { url: "https://ops.acme.io/x", header: "aeg-sas-token: r=https%3a%2f%2fops.acme.io%2fx&e=6%2f15%2f2027+6%3a20%3a15+PM&s=${mixed}%3d" } → credential-reference config.headers
  { url: "https://sqs.acme.io/1/x?X-Amz-Credential={{KEY}}%2F20261120%2Faws4_request&X-Amz-Date=20261120T120000Z&X-Amz-Signature={{S}}" } →
  { url: "https://ops.acme.io/123456789012/${uuid}?tenant=${uuid}", header: "X-Acme-Auth: {{S}}" } # ids beside a credential are none →
  { url: "https://ops.acme.io/x", template: "auth:\\n  Authorization: Sesame ${mixed}\\n  password: >-\\n    {{X}}" } → credential-reference config.template
  { header: "X-Request-Id: {{$UUID}}" } →
  { type: SLACK, config: { url: "https://hooks.slack.com/services/***masked***" } } → ? duplicate-target config.url ; ? credential-reference config.url
  { url: "https://ops.acme.io/x", header: "Authorization: Token token=***masked***" } → ? duplicate-target config.headers ; ? credential-reference config.headers
  { type: OPSGENIE, config: { apiKey: "xxxx\u20261234" } } → ? duplicate-target config.apiKey ; ? credential-reference config.apiKey
  { type: SLACK, config: { channel: "#ops" } } → ? empty-target config.url ; ? duplicate-target config.url ; ? https-hook config.url ; ? public-hook config.url ; ? inspection-hook config.url ; ? credential-reference config.url
  { url: "https://ops.acme.io/x", template: "{\\"opened_by\\":\\"${hex32}\\"}", header: "Authorization: Basic {{SN}}" } →
  { url: "https://ops.acme.io/x?a={{AI_ANALYSIS_CODE_FIX}}{{AI_ANALYSIS_ROOT_CAUSE}}{{AI_ANALYSIS_USER_IMPACT}}" } → webhook-secret config.webhookSecret
  { url: "https://ops.acme.io/rzeszow-wroclaw-szczecin/vpnhub-fritzbox-gw-nbg1/checkout-7d9f8b6c5-x2x4z?token={{T}}" } →
  { url: "http://alerts.acme.io:{{PORT}}/x" } → https-hook config.url ; webhook-secret config.webhookSecret
  { url: "https://10.0.0.1:{{PORT}}/x" } → public-hook config.url
  { url: "http://[{{V6}}]/" } → https-hook config.url ; ? public-hook config.url ; ? webhook-secret config.webhookSecret
  { template: "{\\"headers\\":[[\\"Authorization\\",\\"Bearer ${ghp}\\"]]}" } → credential-reference config.template
  { url: "https://hooks.zapier.com/%68ooks/x/../catch/1846290/b3x9kq7" } → credential-reference config.url
  { url: "https://ops.example.org/hook?message={{alert_title}}&on={{CHECK_NAME}}" } # variables are no secrets, and no references to them → webhook-secret config.webhookSecret
  { url: "https://ops.acme.io/hook", header: "X-Tags: {{#each TAGS}}{{this}}{{/each}}" } # neither are blocks → webhook-secret config.webhookSecret
  { url: "https://ops.acme.io/hook", header: "From: Ops <ops@acme.io>" } # words in a header are no instruction → webhook-secret config.webhookSecret
  { url: "https://hooks.acme.io/your-team/${hex32}" } # words are no instruction beside a secret → credential-reference config.url
  { url: "https://hooks.acme.io/x", header: "X-Gotify-Key: <token>" } # nothing else is missing then → placeholder config.headers
  { url: "https://hooks.acme.io/x", header: "Authorization: Hawk id={{ID}}, mac=your-key" } # the last of several → placeholder config.headers
`);

test.each(kinds)(
  "an audit of %s finds what is wrong with its credentials, and nothing else",
  (_yaml, { type = "WEBHOOK", config, ...hook }, verdicts) => {
    const url = "https://ops.acme.io/x?token={{T}}";
    expect(findingsOn(type, config ?? configOf({ url, ...hook }))).toEqual(verdicts);
  },
);

const token = "kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9mYh2Tf0Rsa";
const slack = "https://hooks.slack.com/services/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";

/** How sure each finding of the rule is, such as `error, certain, name`. */
function confidences(hook: Partial<Hook>, likely?: "off" | "error"): string[] {
  const url = new URL(hook.url ?? "/in", "https://ops.acme.io").href;
  const config = redactConfig({ type: "WEBHOOK", config: configOf({ ...hook, url }) });
  const options = { "credential-reference": { options: { likely } } } as const;
  const rules = { extends: "strict", ...(likely && { rules: options }) } as const;
  const { findings } = audit([channel({ type: "WEBHOOK", config })], rules);
  return findings
    .filter(({ rule }) => rule === "credential-reference")
    .map(({ severity, confidence, actual }) => {
      const [, way = "look"] = /by (?:its |a vendor's )?(name|place|prefix)/.exec(actual) ?? [];
      return `${severity}, ${confidence}, ${way}`;
    });
}

const [likely, byName, byPlace] = ["warning, likely, look", "error, certain, name", "error, certain, place"];

test.each(
  cases<Partial<Hook>>(`
  { url: "/in/checkly-${token}" } → ${likely}
  { url: "/in/checkly-production-frankfurt-2026" } →
  { url: "/in;token=${token}" } → ${byName}
  { url: "/in?a=1;token=s3cret" } → ${byName}
  { header: "X-Foo: checkly-${token}" } → ${likely}
  { template: '{"x":"alerts-${token}"}' } → ${likely}
  { template: '{"bot":"1102015431:AA${token.slice(0, 33)}"}' } → ${byPlace}
  { header: "X-Forward: ${slack}" } → ${byPlace}
  { url: "https://discord.com/api/webhooks/469984800622/${hex32}" } # of another length → ${byPlace}
  { url: "/in?forward=${encodeURIComponent(slack)}" } → ${byPlace}
  { url: "/in?to=${encodeURIComponent(`https://a.acme.io/${token}`)}" } → ${likely}
  { header: "X-Forward: https://ops:s3cret@a.acme.io" } → ${byName}
  { header: "X-Pass: correct-horse" } → ${byName}
  { header: "X-Bypass: correct-horse" } →
  { header: "X-Site: ${ghp}" } → error, certain, prefix
  { url: "https://api.render.com/v1/services/srv-cq9v8t2m3k4l5n6p7q8r/deploys", header: "Authorization: Bearer {{T}}" } →
  { url: "/v1/services/srv-cq9v8t2m3k4l5n6p7q8r/deploys", header: "Authorization: Bearer {{T}}" } → ${likely}
  { template: '{"message":{"text":"4N5FYQMHG1MD8KQ5Q7Y3Q7Q3"}}' } → ${likely}
  { url: "https://chat.googleapis.com/v1/spaces/AAA/messages?key=AIzaSyDdI0hCZtE6vySjMm-WEfRq3CPzqKqqsHI&token={{T}}" } # the key of every hook →
  { url: "https://${hex32}@o1.ingest.sentry.io/4507" } →
  { url: "https://${hex32}@a.acme.io/4507" } → ${byName}
  { template: '{"api_key":"phc_${token}","event":"alert"}' } # a key that its vendor publishes →
  { template: '{"api_key":"${token}","event":"alert"}' } → ${byName}
  { header: "X-Integrity: sha384-${token}" } # a digest →
  { header: "Referer: https://app.acme.io/${token}" } →`),
)("the audit is as sure of a secret in %s as it can be", (_yaml, hook, found) => {
  expect(confidences(hook)).toEqual(found);
});

test("what is likely is an error or no finding if the rules say so, and says nothing of rotating it", () => {
  const parts = { url: `/in/${token}` };
  expect(confidences(parts, "off")).toEqual([]);
  expect(confidences(parts, "error")).toEqual(["error, likely, look"]);
  // What is certain keeps its severity.
  expect(confidences({ header: "X-Pass: correct-horse" }, "off")).toEqual([byName]);
});

test("reports say how sure a finding is", () => {
  const config = { url: facts("a", { scheme: "https", secretPart: "literal", recognizedBy: "random" }) };
  const report = audit([channel({ type: "WEBHOOK", config })], {
    rules: { "credential-reference": "error" },
  });
  expect(formats.sarif(report)).toMatch(/"level":"warning",.*"rank":50,.*"confidence":"likely"/);
  expect(formats.json(report)).toContain('"confidence":"likely"');
  expect(formats.text(report)).toMatch(/^warning .* looks random, expected a reference, if it is a secret/);
});
