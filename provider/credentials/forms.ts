/** Reads the forms of vendors.ts, and finds them in texts and in addresses. */
import { linksIn, literalOf, type UrlParts, urlParts } from "./grammar";
import * as vendors from "./vendors";

const alphabets: Readonly<Record<string, string>> = {
  "": "[A-Za-z\\d]",
  x: "[\\da-f]",
  n: "\\d",
  A: "[A-Z\\d]",
  u: "[\\da-f-]",
  w: "[\\w-]",
  d: "[\\w.-]",
  t: "[\\w.~-]",
  s: "[^\\s'\"]",
};

/** Writes a form as an expression, whose groups are what the vendor draws. */
function expressionOf(form: string): string {
  const parts = form.split(/(\{[^{}]*\}|\*)/).filter((part) => part !== "");
  const expressions = parts.map((part, index) => {
    if (part === "*") return "[^/]*";
    if (part === "{}") return "([^/]+)";
    const [, least, most = least, alphabet = ""] = /^\{(\d+)(?:-(\d+))?(\w?)\}$/.exec(part) ?? [];
    if (least === undefined) return part.replace(/[.?]/g, "\\$&");
    const isOpen = index === parts.length - 1 && most === least;
    return `(${alphabets[alphabet]}{${least},${isOpen ? "" : most}})`;
  });
  return expressions.join("");
}

/** Recognizes a form within a text, which has the longest literal part of the form if it has the form. */
function recognizer(form: string) {
  const [sign = ""] = form.split(/\{[^{}]*\}|\[\w+\]/).sort((a, b) => b.length - a.length);
  return { sign, form: new RegExp(`(?<![A-Za-z\\d])${expressionOf(form)}(?![A-Za-z\\d])`, "g") };
}

interface Key extends ReturnType<typeof recognizer> {
  /** What a message calls the key. If undefined, the message quotes its first characters. */
  readonly what?: string;
  /** The number of characters before the first drawn part. */
  readonly head?: number;
}

const keys: readonly Key[] = [
  ...vendors.keys.map((form) => ({ head: headOf(form), ...recognizer(form) })),
  {
    what: "a private key",
    sign: "PRIVATE KEY",
    form: /PRIVATE KEY[A-Z -]{5,11}(?:\s|\\[nr]|[A-Z][\w-]+: [^\n\\]{1,80}(?=[\n\\])){1,12}([\w+/]{24})/g,
  },
  { what: "a private key", sign: "Private-Lines", form: /\bPrivate-Lines: \d+\s+([A-Za-z\d+/]{12,})/g },
  {
    what: "a JSON Web Token",
    sign: "eyJ",
    form: /(?<![A-Za-z\d])eyJ[\w-]{8,400}\.eyJ[\w-]{8,4000}\.([\w-]{10,})/g,
  },
];

/** Returns the number of characters before the first drawn part of a form: 4 for `gh[oprsu]_{30}`. */
function headOf(form: string): number {
  return (form.split("{")[0] ?? "").replace(/\[\w+\]/, "?").length;
}

/**
 * Describes the first key in a string, even within a sentence, such as "a key that starts with `npm_`". Undefined if the string
 * contains no key.
 */
export function keyIn(text: string): string | undefined {
  for (const { sign, form, what, head = 0 } of keys) {
    if (!text.includes(sign)) continue;
    const found = [...text.matchAll(form)].find(([, ...drawn]) => isDrawn(drawn.join("")));
    if (found)
      return what ?? (head < 2 ? "an API key" : `a key that starts with \`${found[0].slice(0, head)}\``);
  }
  return undefined;
}

const sample = /YOUR|EXAMPLE|12345678|abcdefgh|x{6}/i;

/** Whether a vendor has drawn a text, which then has a digit, or both cases, or many capitals: `XXXXXXXX` and `your-token` stand for it. */
function isDrawn(text: string): boolean {
  if (sample.test(text)) return false;
  const isCapital = text === text.toUpperCase();
  const isLong = isCapital ? new Set(text).size > 5 : text.length >= 10 && text !== text.toLowerCase();
  return /\d/.test(text) || isLong;
}

const publishedKeys = vendors.publishable.filter((form) => !form.includes("?")).map(recognizer);

/** Replaces digests, such as of an image, and keys that vendors publish by spaces. */
export function withoutPublished(text: string): string {
  return publishedKeys.reduce(
    (rest, { sign, form }) => (rest.includes(sign) ? rest.replace(form, " ") : rest),
    text.replace(/(?<!\w)sha\d{3}[:-][\w+/=]+/g, " "),
  );
}

/** Whether a vendor publishes a parameter, or it is the same in every hook or of a link to share. Sentry's is the user of its URL. */
export function isPublicParameter(hostname: string, name: string): boolean {
  return withParents(hostname).some((host) => vendors.publishable.includes(`${host}?${name.toLowerCase()}`));
}

const receivers = new Map(
  vendors.receiverKinds.flatMap((kind) => vendors.hosts[kind].map((host) => [host, kind] as const)),
);

/** Returns the kind of well-known service that a URL leads to; undefined for any other. A service may be below a path of its host. */
export function receiverAt({ hostname = "", segments }: UrlParts): vendors.ReceiverKind | undefined {
  const hosts = withParents(hostname);
  const below = segments.slice(0, 2).flatMap((one) => [...hosts, "*"].map((host) => `${host}/${one}`));
  return [...below, ...hosts].flatMap((host) => receivers.get(host) ?? [])[0];
}

/** Returns `a.b.c`, `*.b.c` and `*.c`. A host name that is too long gives none: its labels would take quadratic time. */
function withParents(hostname: string): string[] {
  if (hostname.length > 253) return [];
  const labels = hostname.toLowerCase().replace(/\.$/, "").split(".");
  return labels.map((_, index) => (index === 0 ? "" : "*.") + labels.slice(index).join("."));
}

/** Whether an on-call service receives alerts by email at this domain. Its staff have addresses at the parent domain itself. */
export function isOnCallMailDomain(domain: string): boolean {
  return withParents(domain)
    .slice(1)
    .some((parent) => receivers.get(parent) === "on-call");
}

const hooks = vendors.hooks.map((form) => ({
  isAnywhere: form.startsWith("*/"),
  address: new RegExp(`^${expressionOf(form)}(?![A-Za-z\\d])`),
  segments: form
    .split("/")
    .slice(1)
    .map((part) => (part === "*" ? "id" : part.includes("{") ? "secret" : undefined)),
}));

/** Returns the listed hook that an address is, what each segment of its path is, and its secrets; undefined if it is none. */
export function placeOf({
  hostname = "",
  segments,
  parameters,
}: Pick<UrlParts, "hostname" | "segments" | "parameters">) {
  const pairs = parameters.map(({ name, text }) => `${hostname}?${name}=${text}`);
  const parts = [[hostname, ...segments].join("/"), ...pairs];
  for (const hook of hooks) {
    // A text without a host, as most names are, may be a hook at any host.
    const found =
      hostname === "" && !hook.isAnywhere ? [] : parts.flatMap((part) => hook.address.exec(part) ?? []);
    if (found.length > 0) return { ...hook, secrets: found.slice(1) };
  }
  return undefined;
}

/** Names the hook that a marked text contains, with its secret. An invitation to a chat isn't listed, because it is public on purpose. */
export function hookIn(text: string): string | undefined {
  const isHook = (link: string) =>
    placeOf(urlParts(link))?.secrets.some((one) => isDrawn(one) && literalOf(one) === one) === true;
  const found = linksIn(text).find(isHook);
  return found && `a webhook at ${urlParts(found).hostname ?? "a known host"}`;
}
