/** HTML and XML: what is put in is text unless it was made here. */

export class Markup {
  constructor(readonly text: string) {}
}

/** Text of this package that is markup, style or script already. */
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

/** A text in HTML or XML. Characters that neither may hold, or that turn the direction of a line, are replaced. */
export function escape(text: string): string {
  return text
    .replace(
      /[^\t\n\r\u0020-\u007e\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
      "\ufffd",
    )
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
