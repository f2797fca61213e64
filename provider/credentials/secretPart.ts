/** What the secret part of a setting is: by the names of headers, parameters, members and cookies, and by the parts of a URL. */
import { z } from "zod";
import { isEmpty } from "./settingKinds";
import { isPlaceholder } from "./isPlaceholder";
import { receiverAt } from "./receiverHosts";
import { addressOf, hasReference, isReference, replaceReferences, urlParts } from "./references";

/** What the secret part of a credential is, such as the path of a hook's URL or the value of an `Authorization` header. */
export const secretParts = ["literal", "reference", "none"] as const;
type SecretPart = (typeof secretParts)[number];

/** Headers or query parameters. */
const pairs = z.array(z.object({ key: z.string(), value: z.unknown() }));
const secretName =
  /auth(?!or(?!i[sz]))|token|secret|passw|^pwd$|credential|cookie|signature|^sig$|^code$|(?<!idempotency[-_]?)key$/i;
/** Names of cookies that are as good as a password. */
const sessionName = /sess(?:ion)?(?:[._-]?id)?$|(?:^|[._-])sid$/i;

/** What the secret part of a setting is; undefined when {@link isReference} says everything. */
export function secretPartOf(key: string, value: unknown): SecretPart | undefined {
  if (typeof value === "string") {
    if (isReference(value)) return undefined;
    return key === "template" ? secretPartOfPairs(pairsIn(value), secretMember) : secretPartOfText(value);
  }
  const { data } = pairs.safeParse(value);
  return data && secretPartOfPairs(data);
}

/** Whether a header or a query parameter that is a secret has a placeholder as its value. */
export function isPlaceholderInPairs(value: unknown): boolean {
  const given = pairs.safeParse(value).data ?? [];
  return given.some((pair) => secretName.test(pair.key) && isPlaceholder("", pair.value));
}

/** Names of secrets in the body of a request. A `key` is one of a project or an alert there. */
const secretMember =
  /token$|secret|passw|^pwd$|credential|authori[sz]ation|^auth$|(?:api|access|routing|integration|service|private|auth|signing|subscription|license)[-_]?key$/i;

/** The strings in a JSON template and the values in a form, by name. A template needn't be JSON until its references are replaced. */
function pairsIn(template: string): z.output<typeof pairs> {
  const members = [...template.matchAll(/"([\w.-]{1,100})"\s*:\s*"((?:[^"\\]|\\.)*)"/g)];
  const fields = /^\s*[{[<]/.test(template) ? [] : [...new URLSearchParams(template)];
  return [
    ...members.map(([, key = "", value]) => ({ key, value })),
    ...fields.map(([key, value]) => ({ key, value })),
  ];
}

function secretPartOfPairs(
  given: z.output<typeof pairs>,
  names: RegExp = secretName,
): (typeof secretParts)[number] {
  const secrets = given.filter(({ key, value }) => names.test(key) && !isEmpty(value));
  if (secrets.length === 0) return "none";
  return secrets.every(({ value }) => isOnlyReferences(String(value))) ? "reference" : "literal";
}

/** A scheme, such as `Bearer` or `GenieKey`. Other words with a digit could be a secret. */
const scheme = /^\s*(?:[a-z-]{1,20}|aws4-[a-z0-9-]{1,20})\s+/i;
/** What separators don't divide. AWS lists the names of headers with `;` in one value. */
const part = /(?:"[^"]*"|'[^']*'|;(?!\s*[\w.-]+=)|[^"'\s;,&]+)+/g;
const flag = /^(?:secure|httponly);?$/i;

/** Whether references are the only secrets in a text that must contain one. */
function isOnlyReferences(text: string): boolean {
  const plain = replaceReferences(text, "{}").replace(scheme, "");
  return hasReference(text) && !(plain.match(part) ?? []).some(hasSecret);
}

/** Whether a part of a text without its references is a secret: of `name=value`, as in a cookie, the name tells. */
function hasSecret(text: string): boolean {
  const [, key, value = text] = /^([\w.-]+)=(?=[^\s=])(.*)$/s.exec(text) ?? [];
  if (!/\w/.test(value) || flag.test(text)) return false;
  return key === undefined || secretName.test(key) || sessionName.test(key);
}

/**
 * The host of a URL is no secret. Its query and its fragment are one only under a name that suggests it; its user name only
 * without a password, because then services take a token there.
 */
function secretPartOfText(text: string): SecretPart | undefined {
  const url = urlParts(text);
  if (!hasReference(text) && addressOf(text) === undefined) return undefined;
  const [, beforeQuery = "", query, fragment] = /^([^?#]*)\??([^#]*)#?(.*)$/s.exec(url?.rest ?? text) ?? [];
  const [, user = "", password = ""] = /^([^/@:]*)(?::([^/@]*))?@/.exec(beforeQuery) ?? [];
  const parameters = [query, fragment].flatMap((one) => [...new URLSearchParams(one)]);
  const inNames = secretPartOfPairs([
    { key: "password", value: password === "" && url ? user : password },
    ...parameters.map(([key, value]) => ({ key, value })),
  ]);
  if (inNames !== "none") return inNames;
  if (hasReference(beforeQuery)) return "reference";
  if (hasReference(text)) return "literal";
  const path = beforeQuery.replace(/^[^/]*/, "");
  return url && path.length > 1 && receiverAt(url.host.replace(/:\d*$/, ""))?.hasSecretPath === true
    ? "literal"
    : "none";
}
