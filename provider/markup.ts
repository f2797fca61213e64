/** Generates HTML and XML that show every value unchanged. */
import { toPrintable, normalizeSpaces } from "./texts";

/** HTML, XML, styles or scripts from this package. The template tags below escape every value that isn't an instance of this class. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | readonly Part[];

/** Tags the markup of reports. The log of a CI system may show them, so a value must not start a line or contain a command. */
export const markup = createTag(escapeMarkup);

/** Tags the markup of pages that only a browser shows. Values keep their line breaks. */
export const multilineMarkup = createTag(escapeLines);

function createTag(escaped: (text: string) => string) {
  const render = (part: Part): string => {
    if (part instanceof Markup) return part.text;
    return typeof part === "object" ? part.map(render).join("") : escaped(String(part));
  };
  return (literals: TemplateStringsArray, ...parts: Part[]): Markup =>
    new Markup(literals.map((literal, index) => literal + render(parts[index] ?? "")).join(""));
}

const markupEntities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML or XML, in one line. */
function escapeMarkup(text: string): string {
  return escapeLines(toPrintable(normalizeSpaces(text)));
}

/** Replaces characters that HTML or XML doesn't allow, and characters that change the direction of text. */
function escapeLines(text: string): string {
  return text
    .replace(
      /[^\t\n\r\u0020-\u007e\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
      "\ufffd",
    )
    .replace(/[&<>"']/g, (sign) => markupEntities[sign] ?? sign);
}
