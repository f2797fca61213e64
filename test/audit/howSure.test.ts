/** How sure the audit is that a value is a credential, and why. */
import { type AlertChannel, formats } from "../../audit";
import { redactConfig } from "../../provider/credentials";
import { camelCaseNames, drawer } from "../credentials/drawing";
import { audit, channel } from "./channels";

const lower = "abcdefghijklmnopqrstuvwxyz";
const base62 = `${lower}${lower.toUpperCase()}0123456789`;
const { drawn } = drawer(1);

/** The parts of a webhook: a URL or its path, a header, a body. */
interface Parts {
  url?: string;
  header?: string;
  template?: string;
}

function webhook({ url = "/in", header, template }: Parts): AlertChannel {
  const [key, value] = header?.split(/: (.*)/s) ?? [];
  const config = {
    url: url.startsWith("/") || url.startsWith("?") ? `https://ops.acme.io${url}` : url,
    ...(header !== undefined && { headers: [{ key, value }] }),
    ...(template !== undefined && { template }),
  };
  return channel({ type: "WEBHOOK", config: redactConfig({ type: "WEBHOOK", config }) });
}

/** Each finding of the rule in `strict`, such as `error, certain: config.url: a secret in plain text, by its name`. */
function verdicts(parts: Parts, likely?: "off" | "error"): string[] {
  const rules = { extends: "strict", rules: { "credential-reference": { options: { likely } } } } as const;
  return audit([webhook(parts)], likely === undefined ? { extends: "strict" } : rules)
    .findings.filter(({ rule }) => rule === "credential-reference")
    .map(({ severity, confidence, field, actual }) => `${severity}, ${confidence}: ${field}: ${actual}`);
}

const certain = (way: string) => expect.stringMatching(`^error, certain: .*, by ${way}$`) as string;
const name = certain("its name");
const place = certain("its place in a known hook");
const prefix = certain("a vendor's prefix or a key's header");
const likely = expect.stringMatching(/^warning, likely: .*: looks random$/) as string;

const token = "kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9mYh2Tf0Rsa";
const hex = "4c1e9a7730f84b2d9b8e2d6f5a1c3e70";
const slack = "https://hooks.slack.com/services/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";
const encoded = encodeURIComponent;
const bearer = "Authorization: Bearer {{OPS_TOKEN}}";

test.each<[string, Parts, string?]>([
  ["beside a word", { url: `/in/checkly-${token}` }, likely],
  ["beside a word and an underscore", { url: `/in/secret_${token}` }, likely],
  ["before a word", { url: `/in/${token}-production` }, likely],
  ["words", { url: "/in/checkly-production-frankfurt-2026" }],
  ["a parameter of the path", { url: `/in;token=${token}` }, name],
  ["a segment with a name", { url: `/in/token=${token}` }, name],
  ["another segment with a name", { url: "/in/region=frankfurt;zone=2" }],
  ["a parameter after a semicolon", { url: "/in?a=1;token=s3cret" }, name],
  ["another parameter after a semicolon", { url: "/in?a=1;topic=s3cret" }],
  ["beside a word in a header", { header: `X-Foo: checkly-${token}` }, likely],
  ["words in a header", { header: "X-Foo: checkly-production-frankfurt-2026" }],
  ["beside a word in a body", { template: `{"x":"alerts-${token}"}` }, likely],
  ["words in a body", { template: '{"x":"alerts-production-frankfurt-2026"}' }],
  ["after a number", { template: `{"bot":"1102015431:AA${token.slice(0, 33)}"}` }, place],
  ["a number after a number", { template: '{"bot":"1102015431:1102015431"}' }],
  ["a hook in a header", { header: `X-Forward: ${slack}` }, place],
  ["a hook of another length", { url: `https://discord.com/api/webhooks/469984800622/${hex}` }, place],
  ["a page beside a hook", { url: `https://discord.com/channels/469984800622/${hex.slice(0, 8)}` }],
  ["a hook in a parameter", { url: `/in?forward=${encoded(slack)}` }, place],
  ["a hook of one's own in a parameter", { url: `/in?to=${encoded(`https://a.acme.io/${token}`)}` }, likely],
  ["a password in a URL in a header", { header: "X-Forward: https://ops:s3cret@a.acme.io" }, name],
  ["a page in a parameter", { url: `/in?forward=${encoded("https://wiki.acme.io/runbooks/on-call")}` }],
  ["a page in a header", { header: `X-Runbook: https://wiki.acme.io/pages/${hex}` }],
  ["X-Pass", { header: "X-Pass: correct-horse" }, name],
  ["pw and pass", { template: "pw=correct&pass=horse" }, name],
  ["a bypass", { header: "X-Bypass: correct-horse" }],
  ["a known hook", { url: slack }, place],
  ["a key of a vendor", { header: `X-Site: ghp_${token.slice(0, 36)}` }, prefix],
  ["words after a prefix", { url: "/global-regional-zonal-resources" }],
  ["other words after a prefix", { header: "X-Site: sk-learn-contrib-lightning-model" }],
  [
    "a project of CircleCI",
    {
      url: `https://circleci.com/api/v2/project/circleci/${token.slice(0, 22)}/${token.slice(9, 31)}/pipeline`,
      header: bearer,
    },
  ],
  [
    "a service of Render",
    { url: "https://api.render.com/v1/services/srv-cq9v8t2m3k4l5n6p7q8r/deploys", header: bearer },
  ],
  [
    "the same at one's own host",
    { url: "/v1/services/srv-cq9v8t2m3k4l5n6p7q8r/deploys", header: bearer },
    likely,
  ],
  [
    "a deploy hook of Render",
    { url: "https://api.render.com/deploy/srv-cq9v8t2m3k4l5n6p7q8r?key=rl0pB4tY6u" },
    name,
  ],
  [
    "a template of Courier",
    {
      url: "https://api.courier.com/send",
      header: bearer,
      template: '{"message":{"to":{"user_id":"ops"},"template":"4N5FYQMHG1MD8KQ5Q7Y3Q7Q3"}}',
    },
  ],
  ["a member of another name", { template: '{"message":{"text":"4N5FYQMHG1MD8KQ5Q7Y3Q7Q3"}}' }, likely],
  ["Pushcut", { url: "https://api.pushcut.io/v1/notifications/Alarm", header: "API-Key: {{PUSHCUT}}" }],
  ["a hook of Pushcut", { url: "https://api.pushcut.io/k3vQ9xZ1/notifications/Alarm" }, place],
  [
    "the key of every hook of Google Chat",
    {
      url: `https://chat.googleapis.com/v1/spaces/AAA/messages?key=AIzaSyDdI0hCZtE6vySjMm-WEfRq3CPzqKqqsHI&token={{T}}`,
    },
  ],
  [
    "a hook of Google Chat",
    { url: `https://chat.googleapis.com/v1/spaces/AAA/messages?key=AIza&token=${token}` },
    name,
  ],
  ["Sentry's key in a URL", { url: `https://${hex}@o1.ingest.sentry.io/4507` }],
  ["a user elsewhere", { url: `https://${hex}@a.acme.io/4507` }, name],
  ["Sentry's key in a header", { header: `X-Sentry-Auth: Sentry sentry_version=7, sentry_key=${hex}` }],
  ["PostHog's key", { template: `{"api_key":"phc_${token}","event":"alert"}` }],
  ["another key", { template: `{"api_key":"${token}","event":"alert"}` }, name],
  ["a digest of an image", { template: `{"image":"acme/web@sha256:${hex}${hex}"}` }],
  ["a digest of a script", { header: `X-Integrity: sha384-${token}${token.slice(0, 24)}` }],
  ["the same without its kind", { header: `X-Integrity: ${token}${token.slice(0, 24)}` }, likely],
  ["a page that refers", { header: `Referer: https://app.acme.io/${token}` }],
  ["names in camelCase", { url: "/OAuth2ToSAML2BridgeEu/IPv4ToIPv6GatewayEu1/S3ToSNSToSQSBridgeV2" }],
])("%s", (_, parts, ...expected) => {
  expect(verdicts(parts)).toEqual(expected);
});

test("what is likely is an error or no finding if the rules say so, and says nothing of rotating it", () => {
  const parts = { url: `/in/${token}` };
  expect(verdicts(parts, "off")).toEqual([]);
  expect(verdicts(parts, "error")).toEqual([expect.stringMatching(/^error, likely: /)]);
  // What is certain keeps its severity.
  expect(verdicts({ header: "X-Pass: correct-horse" }, "off")).toEqual([name]);
  const [finding] = audit([webhook(parts)], { extends: "recommended" }).findings;
  expect(finding).toMatchObject({
    confidence: "likely",
    fix: expect.stringMatching(/^If it is a secret, /) as string,
  });
});

test("reports say how sure a finding is", () => {
  const rules = { "credential-reference": "error" } as const;
  const report = audit([webhook({ url: `/in/${token}` })], { rules });
  const { runs } = JSON.parse(formats.sarif(report)) as { runs: { results: object[] }[] };
  expect(runs[0]?.results).toMatchObject([
    { level: "warning", rank: 50, properties: { confidence: "likely" } },
  ]);
  expect(formats.json(report)).toContain('"confidence":"likely"');
  expect(formats.text(report)).toMatch(
    /^warning .* config.url: looks random, expected a reference, if it is a secret\. If/,
  );
});

const places: readonly ((one: string) => Parts)[] = [
  (one) => ({ url: `/in/checkly-${one}` }),
  (one) => ({ url: `/in/${one}-production` }),
  (one) => ({ url: `/in?topic=alert_${one}` }),
  (one) => ({ header: `X-Foo: acme.${one}` }),
  (one) => ({ template: `{"x":"1102015431:${one}"}` }),
];

test("of tokens beside words, 97 % are found, at any place and with any alphabet", () => {
  const alphabets = [
    "0123456789abcdef",
    base62,
    `${base62}-_`,
    `${lower}0123456789`,
    `${lower.toUpperCase()}234567`,
  ];
  const shares = alphabets.flatMap((alphabet) =>
    places.map((at) => {
      const tokens = Array.from({ length: 50 }, () => drawn(alphabet, 40));
      return tokens.filter((one) => verdicts(at(one)).length === 1).length / tokens.length;
    }),
  );
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.97);
});

test("of names in camelCase, of words and digits, fewer than 1 of 20 is likely, and none is certain", () => {
  const names = camelCaseNames(1, 1_000);
  const found = names.flatMap((one) => verdicts({ url: `/in/${one}` }));
  expect(found).toEqual(found.map(() => likely));
  expect(found.length / names.length).toBeLessThan(1 / 20);
});
