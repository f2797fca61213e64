/** A template tag for HTML and XML that escapes every value, unless it is {@link Markup}. */

export class Markup {
  constructor(readonly text: string) {}
}

/** Markup, styles or scripts of this package. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

type Part = Markup | string | number | readonly Part[];

export function markup(literals: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(literals.map((literal, index) => literal + render(parts[index] ?? "")).join(""));
}

function render(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(render).join("");
  return escape(String(part));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML or XML. Replaces characters that neither allows, and those that change the text direction. */
export function escape(text: string): string {
  return text
    .replace(
      /[^\t\n\r\u0020-\u007e\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
      "\ufffd",
    )
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
