/** References to secrets that the service stores, `{{NAME}}` or `{{{NAME}}}`, in the settings of alert channels. */

const name = "\\s*[\\w.-]+\\s*";
const whole = new RegExp(`^\\s*(\\{\\{${name}\\}\\}|\\{\\{\\{${name}\\}\\}\\})\\s*$`);
const anywhere = /\{?\{\{[^{}]*\}\}\}?/;

/** Whether the text is one reference and nothing else. */
export function isReference(text: string): boolean {
  return whole.test(text);
}

export function hasReference(text: string): boolean {
  return anywhere.test(text);
}

const all = new RegExp(anywhere, "g");

export function replaceReferences(text: string, replacement: string): string {
  return text.replace(all, replacement);
}

/** A URL, which may contain references. */
interface Address {
  readonly scheme: string;
  /** Missing when it is a reference. */
  readonly hostname?: string;
}

export function addressOf(text: string): Address | undefined {
  const parts = urlParts(text);
  const plain = replaceReferences(text, "reference");
  if (parts === undefined || !URL.canParse(plain)) return undefined;
  const { scheme, host } = parts;
  return hasReference(host) ? { scheme } : { scheme, hostname: new URL(plain).hostname };
}

/** `rest` is everything but scheme and host: user, path and query. */
export function urlParts(text: string): { scheme: string; host: string; rest: string } | undefined {
  const [, scheme, authority = "", path = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const at = authority.lastIndexOf("@") + 1;
  return { scheme: scheme.toLowerCase(), host: authority.slice(at), rest: authority.slice(0, at) + path };
}
