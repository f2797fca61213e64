/**
 * Writes what `monitoring doctor` sent and received, to judge a service by. It shows what the lists here name, and no key, account,
 * address or text of anybody else.
 */
import { isObject } from "../provider/api";
import { type Exchange } from "../provider/client";

/** Fields whose values are shown if they are an enum's, a small number or a date. */
const shownFields =
  /^(?:status|lastUpdateStatus|severity|impact|type|length|limit|page|statusCode|\w*(?:Date|At|_at))$/;
const shownValue =
  /^(?:[A-Z_]{1,30}|\d{1,5}|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?)$/;
/** A name with other characters may be a value, such as an id. */
const fieldName = /^[A-Za-z_]{1,40}$/;
const shownHeaders = ["date", "content-type", "retry-after", "deprecation", "sunset"];
const shownHeader = /^[\w ,:;=/.+-]{1,80}$/;

/** Replaces values: an id by its number in the transcript, others by their type. */
export class Redaction {
  readonly #ids = new Map<string, number>();

  /** @param texts What this command sent. */
  constructor(private readonly texts: ReadonlySet<unknown>) {}

  id(value: unknown): string {
    const id = String(value);
    const number = this.#ids.get(id) ?? this.#ids.size + 1;
    this.#ids.set(id, number);
    return `(id ${number})`;
  }

  value(value: unknown, field = ""): unknown {
    if (Array.isArray(value)) {
      const first = value.slice(0, 1).map((item) => this.value(item, field));
      return value.length > 1 ? [...first, `(${value.length - 1} more)`] : first;
    }
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          fieldName.test(name) ? name : "(name)",
          this.value(inner, name),
        ]),
      );
    if (value === null || typeof value === "boolean" || this.texts.has(value)) return value;
    if (/^id$|Id$/.test(field)) return this.id(value);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return shownFields.test(field) && shownValue.test(text) ? value : `(${typeof value})`;
  }
}

/** @param verdictsOf Lines about the results, with the values that the transcript shows. */
export function transcriptOf(
  exchanges: readonly Exchange[],
  verdictsOf: (redaction: Redaction) => readonly string[],
): string {
  const redaction = new Redaction(new Set(exchanges.map(({ input }) => input.body?.["description"])));
  const requests = exchanges.map((exchange, index) =>
    isAmongAlikes(exchanges, index) ? "…" : textOf(exchange, redaction),
  );
  const parts = [
    "# Transcript of `monitoring doctor`",
    "Each request had the API key and the account in its headers. Ids are numbered, `(string)` and the like stand for values that aren't " +
      "shown, and of a list, the first item is; of similar requests, the first and the last.",
    verdictsOf(redaction).join("\n"),
    "## Requests",
    ...requests.filter((text, index) => text !== "…" || requests[index - 1] !== "…"),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** True between the first and the last of consecutive exchanges of one operation and status. */
function isAmongAlikes(exchanges: readonly Exchange[], index: number): boolean {
  const kindOf = (at: number): string | undefined => {
    const { operation, result } = exchanges[at] ?? {};
    return operation && result && `${operation.name} ${"status" in result ? result.status : result.at}`;
  };
  return [-1, 1].every((step) => kindOf(index + step) === kindOf(index));
}

function textOf({ operation, input, result, ms }: Exchange, redaction: Redaction): string {
  const ids = new Map<string, unknown>(Object.entries(input.ids));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => redaction.id(ids.get(name)));
  const sent = [input.query ?? [], input.body ?? []].flat().map((part) => jsonBlock(redaction.value(part)));
  const title = `### ${operation.method} ${path}`;
  if (!("status" in result)) return [title, ...sent, `No response: ${result.at}, ${ms} ms`].join("\n\n");
  const headers = shownHeaders.flatMap((name) => {
    const value = result.header(name);
    return value === undefined ? [] : `${name}: ${shownHeader.test(value) ? value : "(string)"}`;
  });
  const body = "json" in result.body ? jsonBlock(redaction.value(result.body.json)) : "(not JSON)";
  return [title, ...sent, [`HTTP ${result.status}, ${ms} ms`, ...headers].join("; "), body].join("\n\n");
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2).replaceAll("`", "\\u0060")}\n\`\`\``;
}
