/** Template tags for HTML and XML that escape every value, unless it is {@link Markup}. */
import { printable, withSpaces } from "./printable";

export class Markup {
  constructor(readonly text: string) {}
}

/** Markup, styles or scripts of this package. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

type Part = Markup | string | number | readonly Part[];

/** For reports: they may be printed in the log of a CI system, where a value must not begin a line or contain a command. */
export const markup = tagWith(escapeMarkup);

/** For pages that only a browser shows: values keep their line breaks. */
export const multilineMarkup = tagWith(escapeLines);

function tagWith(escaped: (text: string) => string) {
  const render = (part: Part): string => {
    if (part instanceof Markup) return part.text;
    return typeof part === "object" ? part.map(render).join("") : escaped(String(part));
  };
  return (literals: TemplateStringsArray, ...parts: Part[]): Markup =>
    new Markup(literals.map((literal, index) => literal + render(parts[index] ?? "")).join(""));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML or XML, in one line. */
export function escapeMarkup(text: string): string {
  return escapeLines(printable(withSpaces(text)));
}

/** Replaces characters that neither HTML nor XML allows, and those that change the text direction. */
function escapeLines(text: string): string {
  return text
    .replace(
      /[^\t\n\r\u0020-\u007e\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
      "\ufffd",
    )
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
