/** Text that is HTML already. Everything else is escaped when it gets into a page. */
export class Html {
  constructor(readonly text: string) {}
}

type Content = Html | string | number | Content[];

/** @example html`<p>${descriptionFromAnyone}</p>` */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(escaped)));
}

function escaped(content: Content): string {
  if (content instanceof Html) return content.text;
  if (Array.isArray(content)) return content.map(escaped).join("");
  return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
