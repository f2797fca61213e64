/** Recognizes credentials anywhere in a text: by a header, a vendor's prefix, or their place in a vendor's hook. */

/**
 * Lists credentials with their patterns. The group of a pattern is the part that the vendor generates: it has a digit, or letters of
 * both cases. Without this condition, `npm_config_registry_and_other_settings` would be a key.
 */
const forms: readonly (readonly [name: string, form: RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g],
  ["a JSON Web Token", /(?<![\w-])eyJ[\w-]{8,400}\.eyJ[\w-]{8}/g],
  ["a token of GitHub", /(?:gh[opsur]|github_pat)_(\w{20,})/g],
  ["a token of GitLab", /gl[a-z]{2,5}-([\w-]{20,})/g],
  ["a token of Slack", /(?:xox[a-z]|xapp)-([\w-]{10,})/g],
  ["a key of Stripe", /(?:[rs]k_(?:live|test)|whsec)_(\w{10,})/g],
  ["an access key of AWS", /(?:AKIA|ASIA)[A-Z0-9]{16}/g],
  ["a key of Google", /AIza([\w-]{30,})/g],
  ["a key of SendGrid", /SG\.[\w-]{16,40}\.([\w-]{16,})/g],
  ["a token of npm", /npm_(\w{30,})/g],
  ["a key of Linear", /lin_api_(\w{16,})/g],
  ["a token of Vault", /hvs\.([\w-]{20,})/g],
  ["a key of OpenAI", /sk-([\w-]{20,})/g],
  ["a token of Databricks", /dapi[0-9a-f]{32}/g],
  ["a hook of Slack", /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/(?:\w+\/)+(\w{12,})/g],
  ["a hook of Discord", /discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{15,}\/([\w-]{40,})/g],
  ["a hook of Microsoft Teams", /office(?:365)?\.com\/webhook(?:b2)?\/([\w-]{36,})/g],
  ["a hook of Google Chat", /chat\.googleapis\.com\/[^\s"'<>]{1,400}?[?&]token=([\w%-]{20,})/g],
  ["a token of a Telegram bot", /\/bot\d{5,20}(?::|%3A)([\w-]{30,})/gi],
];

/** No known credential is shorter. */
const shortest = 15;

/**
 * Names the credential that a text contains, such as `a token of GitHub`, also within a sentence; undefined if there is none. An
 * invitation to a chat doesn't count, because it is public on purpose.
 */
export function knownCredentialIn(text: string): string | undefined {
  if (text.length < shortest) return undefined;
  return forms.find(([, form]) => text.search(form) >= 0 && [...text.matchAll(form)].some(isDrawn))?.[0];
}

function isDrawn({ index, input, 0: whole, 1: drawn }: RegExpExecArray): boolean {
  if (/^\w/.test(whole) && /[A-Za-z0-9]/.test(input.charAt(index - 1))) return false;
  if (drawn === undefined || /\d/.test(drawn)) return true;
  return drawn !== drawn.toLowerCase() && drawn !== drawn.toUpperCase();
}
