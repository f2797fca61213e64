/** References to secrets that the service stores, `{{NAME}}` or `{{{NAME}}}`, in the settings of alert channels. */
import { z } from "zod";
import { isEmpty, type RedactedCredential, type secretParts } from "../api/credentials";

const name = "\\s*[\\w.-]+\\s*";
const whole = new RegExp(`^\\s*(\\{\\{${name}\\}\\}|\\{\\{\\{${name}\\}\\}\\})\\s*$`);
const anywhere = /\{?\{\{[^{}]*\}\}\}?/;

/** Whether the text is one reference and nothing else. */
export function isReference(text: string): boolean {
  return whole.test(text);
}

function hasReference(text: string): boolean {
  return anywhere.test(text);
}

/** A URL, which may contain references. */
interface Address {
  readonly scheme: string;
  /** Missing when it is a reference. */
  readonly hostname?: string;
}

export function addressOf(text: string): Address | undefined {
  const parts = urlParts(text);
  const plain = text.replace(new RegExp(anywhere, "g"), "reference");
  if (parts === undefined || !URL.canParse(plain)) return undefined;
  const { scheme, host } = parts;
  return hasReference(host) ? { scheme } : { scheme, hostname: new URL(plain).hostname };
}

/** `rest` is everything but scheme and host: user, path and query. */
function urlParts(text: string): { scheme: string; host: string; rest: string } | undefined {
  const [, scheme, authority = "", path = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const at = authority.lastIndexOf("@") + 1;
  return { scheme: scheme.toLowerCase(), host: authority.slice(at), rest: authority.slice(0, at) + path };
}

/** Headers or query parameters. */
const pairs = z.array(z.object({ key: z.string(), value: z.unknown() }));
const secretName =
  /auth(?!or(?!i[sz]))|token|secret|passw|^pwd$|credential|cookie|signature|^sig$|^code$|key$/i;

/** What the secret part of a setting is; undefined when {@link isReference} says everything. */
export function secretPartOf(value: unknown): RedactedCredential["secretPart"] {
  if (typeof value === "string") return isReference(value) ? undefined : secretPartOfText(value);
  const { data } = pairs.safeParse(value);
  return data && secretPartOfPairs(data);
}

function secretPartOfPairs(given: z.output<typeof pairs>): (typeof secretParts)[number] {
  const secrets = given.filter(({ key, value }) => secretName.test(key) && !isEmpty(value));
  if (secrets.length === 0) return "none";
  return secrets.every(({ value }) => isOnlyReferences(String(value))) ? "reference" : "literal";
}

/** A scheme, such as `Bearer` or `GenieKey`. */
const scheme = /^\s*[a-z-]{1,20}\s+/i;
/** A reference, also with a name, as in `Token token="{{NAME}}"`. The lookbehind keeps the time linear. */
const namedReference = new RegExp(`(?:(?<![\\w-])[\\w-]+="?)?${anywhere.source}`, "g");

/** Whether nothing beside the references, their names and a scheme can be a secret. */
function isOnlyReferences(text: string): boolean {
  return hasReference(text) && !/\w/.test(text.replace(scheme, "").replace(namedReference, ""));
}

/** The host of a URL is no secret. Its query is one only under a name that suggests it. */
function secretPartOfText(text: string): RedactedCredential["secretPart"] {
  if (!hasReference(text)) return undefined;
  const [, beforeQuery = "", query = ""] = /^([^?#]*)\??([^#]*)/.exec(urlParts(text)?.rest ?? text) ?? [];
  const [, password = ""] = /^[^/@]*?:([^/@]*)@/.exec(beforeQuery) ?? [];
  const inNames = secretPartOfPairs([
    { key: "password", value: password },
    ...[...new URLSearchParams(query)].map(([key, value]) => ({ key, value })),
  ]);
  if (inNames !== "none") return inNames;
  return hasReference(beforeQuery) ? "reference" : "literal";
}
