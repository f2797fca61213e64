/** Reads the forms of vendors.ts, and finds them in texts and in addresses. */
import { linksIn, literalOf, type UrlParts, urlParts } from "./grammar";
import { type ReceiverKind, vendors } from "./vendors";

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

const placeholder = /(\{[^{}]*\}|\*)/;

/** Writes a form as an expression, whose groups are what the vendor draws. */
function expressionOf(form: string): string {
  const parts = form.split(placeholder).filter((part) => part !== "");
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

/** Pairs each form with its vendor. */
function formsOf(key: "keys" | "hooks" | "mailboxes" | "hosts" | "people" | "publishable") {
  return vendors.flatMap((vendor) => (vendor[key]?.match(/\S+/g) ?? []).map((form) => ({ vendor, form })));
}

/** Recognizes a form within a text, which has the longest literal part of the form if it has the form. */
function recognizer(form: string) {
  const [sign = ""] = form.split(/\{[^{}]*\}|\[\w+\]/).sort((a, b) => b.length - a.length);
  return { sign, form: new RegExp(`(?<![A-Za-z\\d])${expressionOf(form)}(?![A-Za-z\\d])`, "g") };
}

const keys = [
  ...formsOf("keys").map(({ vendor, form }) => ({ what: `a key of ${vendor.name}`, ...recognizer(form) })),
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

/** Names the key that a text contains, such as `a key of GitHub`, also within a sentence; undefined if there is none. */
export function keyIn(text: string): string | undefined {
  const isIn = ({ sign, form }: (typeof keys)[number]) =>
    text.includes(sign) && [...text.matchAll(form)].some(([, ...drawn]) => isDrawn(drawn.join("")));
  return keys.find(isIn)?.what;
}

const sample = /YOUR|EXAMPLE|12345678|abcdefgh|x{6}/i;

/** Whether a vendor has drawn a text, which then has a digit, or both cases, or many capitals: `XXXXXXXX` and `your-token` stand for it. */
function isDrawn(text: string): boolean {
  if (sample.test(text)) return false;
  const isCapital = text === text.toUpperCase();
  const isLong = isCapital ? new Set(text).size > 5 : text.length >= 10 && text !== text.toLowerCase();
  return /\d/.test(text) || isLong;
}

const publishable = formsOf("publishable").map(({ form }) => form);
const publishedKeys = publishable.filter((form) => !form.includes("?")).map(recognizer);
const publishedParameters = new Set(publishable.filter((form) => form.includes("?")));
/** Matches digests, such as of an image or a script. */
const digest = /(?<!\w)sha\d{3}[:-][\w+/=]+/g;

/** Replaces digests and keys that vendors publish by spaces. */
export function withoutPublished(text: string): string {
  return publishedKeys.reduce(
    (rest, { sign, form }) => (rest.includes(sign) ? rest.replace(form, " ") : rest),
    text.replace(digest, " "),
  );
}

/** Whether a vendor publishes a parameter, or it is the same in every hook or of a link to share. Sentry's is the user of its URL. */
export function isPublicParameter(hostname: string, name: string): boolean {
  return withParents(hostname).some((host) => publishedParameters.has(`${host}?${name.toLowerCase()}`));
}

const receivers = new Map([
  ...formsOf("hosts").map(({ vendor, form }) => [form, vendor.receives] as const),
  ...formsOf("people").map(({ form }) => [form, "people"] as const),
]);

/** Returns the kind of well-known service that a URL leads to; undefined for any other. A service may be below a path of its host. */
export function receiverAt({ hostname = "", segments }: UrlParts): ReceiverKind | undefined {
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
  const [, ...parents] = withParents(domain);
  return parents.some((parent) => receivers.get(parent) === "on-call");
}

const mailboxDomains = new Set(formsOf("mailboxes").map(({ form }) => form));

/** Whether the mailboxes of a domain take what anybody sends who knows the address, which has a token. */
export function isMailboxDomain(domain: string): boolean {
  return withParents(domain).some((host) => mailboxDomains.has(host));
}

const hooks = formsOf("hooks").map(({ vendor, form }) => ({
  what: `a hook of ${vendor.name}`,
  address: new RegExp(`^${expressionOf(form)}(?![A-Za-z\\d])`),
  segments: form
    .split("/")
    .slice(1)
    .map((part) => (part === "*" ? "id" : part.includes("{") ? "secret" : undefined)),
}));

/** Only these have no host of their own, so that a text without a host, as most names are, may be one. */
const hooksAnywhere = hooks.filter(({ address }) => address.source.startsWith("^[^/]*\\/"));

/** Returns the listed hook that an address is, what each segment of its path is, and its secrets; undefined if it is none. */
export function placeOf({ hostname = "", segments, parameters }: UrlParts) {
  const pairs = parameters.map(({ name, text }) => `${hostname}?${name}=${text}`);
  const parts = [[hostname, ...segments].join("/"), ...pairs];
  for (const hook of hostname === "" ? hooksAnywhere : hooks) {
    const found = parts.flatMap((part) => hook.address.exec(part) ?? []);
    if (found.length > 0) return { ...hook, secrets: found.slice(1) };
  }
  return undefined;
}

/** Names the hook that a marked text contains, with its secret. An invitation to a chat isn't listed, because it is public on purpose. */
export function hookIn(text: string): string | undefined {
  const places = linksIn(text).map((link) => placeOf(urlParts(link)));
  return places.find((place) => place?.secrets.some((one) => isDrawn(one) && literalOf(one) === one))?.what;
}
