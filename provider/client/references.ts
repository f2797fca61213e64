/** References to secrets that the service stores, `{{NAME}}` or `{{{NAME}}}`, in the settings of alert channels. */
import { z } from "zod";
import { isEmpty, type RedactedCredential } from "../api/credentials";

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
const secretName = /auth(?!or(?!i[sz]))|token|secret|password|cookie|signature|key$/i;

/** What the secret part of a setting is; undefined when {@link isReference} says everything. */
export function secretPartOf(value: unknown): RedactedCredential["secretPart"] {
  if (typeof value === "string") return isReference(value) ? undefined : secretPartOfText(value);
  const { data } = pairs.safeParse(value);
  if (data === undefined) return undefined;
  const secrets = data.filter(({ key, value: given }) => secretName.test(key) && !isEmpty(given));
  if (secrets.length === 0) return "none";
  return secrets.every(({ value: given }) => hasReference(String(given))) ? "reference" : "literal";
}

/** The host of a URL is no secret. */
function secretPartOfText(text: string): RedactedCredential["secretPart"] {
  if (!hasReference(text)) return undefined;
  return hasReference(urlParts(text)?.rest ?? text) ? "reference" : "literal";
}
