/** Recognizes credentials anywhere in a text: by a vendor's prefix, the form of a key, or their place in a vendor's hook. */

/**
 * Lists vendors, divided by `;`: how many characters of a key follow its prefix, at least, and its prefixes. They are letters and digits,
 * with `x` hexadecimal digits, with `w` also `-` and `_`, and with `d` dots, too. test/credentials/vendors.ts has the source of each form.
 */
const table = `
  GitHub 30 ghp_ gho_ ghs_ ghu_ ghr_; GitHub 40w github_pat_; GitLab 20w glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glwt- glffct-;
  Slack 10w xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-; Stripe 16 sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_; Stripe 24 whsec_;
  Anthropic 32w sk-ant-; OpenAI 32 sk-; OpenAI 32w sk-proj- sk-svcacct- sk-admin-; Groq 40 gsk_; Hugging Face 30 hf_ api_org_; Replicate 36 r8_; Perplexity 40 pplx-;
  Google 30w AIza ya29.; Google 24w GOCSPX- 1//0; Checkly 32x cu_ sv_; Pulumi 40x pul-; npm 30 npm_; PyPI 40w pypi-; RubyGems 40x rubygems_; Docker 20w dckr_pat_ dckr_oat_;
  DigitalOcean 64x dop_v1_ doo_v1_ dor_v1_; Databricks 32x dapi; Shopify 32x shpat_ shpca_ shppa_ shpss_; Brevo 64x xkeysib- xsmtpsib-;
  Linear 32 lin_api_ lin_oauth_; Vault 20w hvs. hvb. hvr.; Terraform 60w atlasv1.; Doppler 32d dp.pt. dp.ct. dp.sa. dp.st. dp.scim. dp.audit.;
  Atlassian 28w ATATT3 ATCTT3 ATBB; Grafana 32w glsa_ glc_; Sentry 40w sntrys_ sntryu_; Netlify 36 nfp_ nfc_; Fly 40w fm2_ fo1_ FlyV1; Supabase 40x sbp_; Supabase 20w sb_secret_;
  PlanetScale 32w pscale_tkn_ pscale_pw_ pscale_oauth_; Postman 24w PMAK-; Figma 40w figd_; Notion 40 ntn_; New Relic 27 NRAK-; New Relic 32w NRII-; Heroku 36w HRKU-; Prefect 36 pnu_;
  Square 22w sq0atp- sq0csp-; Square 56w EAAA; Tailscale 20w tskey-; Buildkite 40 bkua_; CircleCI 40w CCIPAT_ CCIPRJ_; Dynatrace 24 dt0c01. dt0s01. dt0s16.;
  1Password 40w ops_eyJ; Contentful 40w CFPAT-; age 58 AGE-SECRET-KEY-1; xAI 60 xai-;
  NuGet 43 oy2; JFrog 60 AKCp; Render 24 rnd_; PostHog 40 phx_; Sonar 40x sqa_ sqp_ squ_; Sourcegraph 32w sgp_; Neon 60 napi_; ReadMe 60 rdme_; Notion 40 secret_`;

const alphabets: Readonly<Record<string, string>> = { x: "[\\da-f]", w: "[\\w-]", d: "[\\w.-]" };
const vendors = table.split(";").map((row) => {
  const words = row.trim().split(" ");
  const at = words.findIndex((word) => /\d[xwd]?$/.test(word));
  const [least = "", ...all] = words.slice(at);
  const alternatives = all.map((prefix) => prefix.replaceAll(".", "\\.")).join("|");
  const rest = `${alphabets[least.slice(-1)] ?? "[A-Za-z\\d]"}{${parseInt(least)},}`;
  return {
    name: `a key of ${words.slice(0, at).join(" ")}`,
    prefixes: all,
    form: new RegExp(`(?<![A-Za-z\\d])(?:${alternatives})(${rest})`, "g"),
  };
});

/** Lists keys without a prefix. A group is what the vendor generates: without it, a text only names the form. */
const forms: readonly (readonly [name: string, form: RegExp])[] = [
  [
    "a private key",
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]|[A-Z][\w-]{2,20}: [^\n\\]{1,80}(?:\n|\\n)){1,12}([A-Za-z\d+/]{24,})/g,
  ],
  ["a key of Mailgun", /(?<![\w-])key-([\da-f]{32})(?![\w-])/g],
  ["a key of SendGrid", /(?<![A-Za-z\d])SG\.[\w-]{22}\.([\w-]{43})/g],
  ["a private key", /\bPrivate-Lines: \d+\s+([A-Za-z\d+/]{12,})/g],
  ["a JSON Web Token", /(?<![\w-])eyJ[\w-]{8,400}\.eyJ[\w-]{8,4000}\.[\w-]{10}/g],
  ["a key of AWS", /(?<![A-Za-z0-9])(?:AKIA|ASIA)(?!\w*EXAMPLE)[A-Z0-9]{16}/g],
  ["a key of Mailchimp", /(?<![A-Za-z0-9])([0-9a-f]{32})-us\d{1,2}(?!\w)/g],
  ["a key of Airtable", /(?<![A-Za-z0-9])pat\w{14}\.([0-9a-f]{64})/g],
  ["a key of Azure", /(?<![\w.~-])[\w.~-]{3}\dQ~([\w.~-]{31,34})(?![\w.~-])/g],
  ["a key of Resend", /(?<![A-Za-z0-9])re_[A-Za-z0-9]{8}_([A-Za-z0-9]{24})(?![A-Za-z0-9])/g],
  ["a key of Mapbox", /(?<![\w.-])sk\.eyJ([\w-]{20,400})\./g],
  ["a key of Plaid", /(?<!\w)access-(?:production|development|sandbox)-([\da-f-]{36})/g],
  ["a key of HubSpot", /(?<!\w)pat-[a-z]{2}\d-([\da-f-]{36})/g],
  ["a key of 1Password", /(?<!\w)A3-([A-Z\d]{6}-[A-Z\d]{6}(?:-[A-Z\d]{5}){4})/g],
  ["a key of Cloudflare", /(?<!\w)v1\.0-([\da-f]{24}-[\da-f]{100})/g],
  ["a key of Django", /\bdjango-insecure-([^\s'"]{30})/g],
  ["a token of a Discord bot", /(?<![\w.-])[MNO]([\w-]{23,27})\.[\w-]{6}\.[\w-]{27}/g],
];

/** The group is the part that the vendor generates. An invitation to a chat isn't listed, because it is public on purpose. */
const hooks: typeof forms = [
  ["a hook of Slack", /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/(?:\w+\/)+(\w{12,})/g],
  ["a hook of Discord", /discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{15,}\/([\w-]{40,})/g],
  ["a hook of Microsoft Teams", /\boffice(?:365)?\.com\/webhook(?:b2)?\/([\w-]{36,})/g],
  [
    "a hook of Microsoft Teams",
    /\b(?:logic\.azure|powerplatform)\.\w{2,3}[^\s"'<>]{1,400}?[?&]sig=([\w%-]{20,})/g,
  ],
  ["a hook of Google Chat", /chat\.googleapis\.com\/[^\s"'<>]{1,400}?[?&]token=([\w%-]{20,})/g],
  ["a token of a Telegram bot", /(?:\/bot\d{5,12}(?::|%3A)|(?<![:\w])\d{8,12}:AA)([\w-]{30,})/g],
];

/** Names the credential that a text contains, such as `a key of GitHub`, also within a sentence; undefined if there is none. */
export function knownCredentialIn(text: string): string | undefined {
  return keyIn(text) ?? hookIn(text);
}

/** Names the hook that a text contains. */
export function hookIn(text: string): string | undefined {
  return nameIn(hooks, text);
}

/** Names the key that a text contains. */
export function keyIn(text: string): string | undefined {
  if (text.length < shortest) return undefined;
  const isIn = ({ prefixes, form }: (typeof vendors)[number]) =>
    prefixes.some((prefix) => text.includes(prefix)) && hasDrawn(text, form);
  return vendors.find(isIn)?.name ?? nameIn(forms, text);
}

/** No known credential is shorter. */
const shortest = 15;

function nameIn(named: typeof forms, text: string): string | undefined {
  return named.find(([, form]) => hasDrawn(text, form))?.[0];
}

/** Whether a text has the form. What the vendor generates has a digit, or letters of both cases: `XXXXXXXX` and `YOUR-Token` stand for it. */
function hasDrawn(text: string, form: RegExp): boolean {
  // `search` is cheaper where there is none.
  if (text.search(form) < 0) return false;
  return [...text.matchAll(form)].some(
    ([, drawn]) =>
      drawn === undefined ||
      (!/YOUR|EXAMPLE|12345678|abcdefgh/i.test(drawn) &&
        (/\d/.test(drawn) || (drawn !== drawn.toLowerCase() && drawn !== drawn.toUpperCase()))),
  );
}
