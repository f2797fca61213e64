/** Recognizes credentials anywhere in a text: by a header, a vendor's prefix, or their place in a vendor's hook. */

/** Lists vendors with the number of characters of a key after its prefix, at least, and its prefixes. */
const prefixes = `
  GitHub 20 ghp_ gho_ ghs_ ghu_ ghr_ github_pat_
  GitLab 20 glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glwt- glffct-
  Slack 10 xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-
  Stripe 10 sk_live_ sk_test_ rk_live_ rk_test_ whsec_
  Google 30 AIza
  SendGrid 20 SG.
  npm 30 npm_
  Linear 16 lin_api_
  Vault 20 hvs.
  OpenAI 20 sk-
  Databricks 32 dapi`
  .trim()
  .split("\n")
  .map((row) => row.trim().split(" "))
  .flatMap(([vendor = "", least, ...all]) => all.map((prefix) => ({ vendor, least: Number(least), prefix })));

/** Lists keys without a prefix. */
const forms: readonly (readonly [name: string, form: RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g],
  ["a JSON Web Token", /(?<![\w-])eyJ[\w-]{8,400}\.eyJ[\w-]{8}/g],
  ["a key of AWS", /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}/g],
];

/** The group is the part that the vendor generates. An invitation to a chat isn't listed, because it is public on purpose. */
const hooks: typeof forms = [
  ["a hook of Slack", /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/(?:\w+\/)+(\w{12,})/g],
  ["a hook of Discord", /discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{15,}\/([\w-]{40,})/g],
  ["a hook of Microsoft Teams", /\boffice(?:365)?\.com\/webhook(?:b2)?\/([\w-]{36,})/g],
  ["a hook of Google Chat", /chat\.googleapis\.com\/[^\s"'<>]{1,400}?[?&]token=([\w%-]{20,})/g],
  ["a token of a Telegram bot", /(?:\/bot\d{5,12}|\b\d{8,12})(?::|%3A)([\w-]{30,})/g],
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
  const key = prefixes.find(({ prefix, least }) => hasPrefixed(text, prefix, least));
  return key === undefined ? nameIn(forms, text) : `a key of ${key.vendor}`;
}

/** No known credential is shorter. */
const shortest = 15;

function nameIn(named: typeof forms, text: string): string | undefined {
  if (text.length < shortest) return undefined;
  // `search` is cheaper where there is none.
  const isIn = (form: RegExp) =>
    text.search(form) >= 0 &&
    [...text.matchAll(form)].some(([, drawn]) => drawn === undefined || isDrawn(drawn));
  return named.find(([, form]) => isIn(form))?.[0];
}

function hasPrefixed(text: string, prefix: string, least: number): boolean {
  for (let at = text.indexOf(prefix); at >= 0;) {
    const start = at + prefix.length;
    const [rest = ""] = /^[\w-]*/.exec(text.slice(start)) ?? [];
    if (rest.length >= least && isDrawn(rest) && !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true;
    at = text.indexOf(prefix, start + rest.length);
  }
  return false;
}

/** Whether a text has a digit, or letters of both cases. Without this condition, `npm_config_registry_and_other_settings` would be a key. */
function isDrawn(text: string): boolean {
  return /\d/.test(text) || (text !== text.toLowerCase() && text !== text.toUpperCase());
}
