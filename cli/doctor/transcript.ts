/**
 * Writes what `monitoring doctor` sent and received, to judge a service by. It shows names, dates, numbers and enums of the contract
 * alone, and no key, account, address or text of anybody else.
 */
import { z } from "zod";
import { isObject, type Operation, operations, present, type Schema } from "../../provider/api";
import * as enums from "../../provider/api/enums";
import { type Exchange } from "../../provider/client";
import { wrappedText } from "../../provider/texts";

/** The fields of the contract by name, with those of the bodies of errors. */
const fields = new Map<string, Schema>([["statusCode", z.number()]]);
for (const name of ["error", "message", "attributes", "validation"]) fields.set(name, z.string());
for (const { response, query, body } of Object.values<Operation>(operations)) {
  for (const schema of [response, query, body]) if (schema) collect(schema);
}

function collect(schema: Schema): void {
  const inner = present(schema);
  if (inner instanceof z.ZodArray) collect(inner.element);
  else if (inner instanceof z.ZodUnion) inner.options.forEach(collect);
  else if (inner instanceof z.ZodObject)
    for (const [name, field] of Object.entries<Schema>(inner.shape)) {
      fields.set(name, present(field));
      collect(field);
    }
}

const enumFields = /^(?:status|lastUpdateStatus|severity|impact|type)$/;
const enumValues: ReadonlySet<unknown> = new Set(Object.values(enums).filter(Array.isArray).flat());
const dateFields = /(?:Date|At|_at)$/;
const shownDate = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)?$/;

const shownHeaders = ["date", "content-type", "retry-after", "deprecation", "sunset"];
/** Matches a number of seconds, what says that an operation is deprecated, and a media type; a date is the other form. */
const headerForm =
  /^(?:\d{1,5}|true|@\d{9,10}|(?:application\/(?:problem\+)?json|text\/(?:html|plain))(?:; ?charset=utf-8)?)$/i;

const hidden = "(text)";

/** Replaces values: an id by its number in the transcript, and what the contract doesn't have. */
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
        Object.entries(value).map(([name, inner]) =>
          fields.has(name) ? [name, this.value(inner, name)] : ["(name)", hidden],
        ),
      );
    if (value === null || typeof value === "boolean" || this.texts.has(value)) return value;
    if (/^id$|Id$/.test(field)) return this.id(value);
    const isShown =
      typeof value === "string"
        ? (enumFields.test(field) && enumValues.has(value)) ||
          (dateFields.test(field) && shownDate.test(value))
        : fields.get(field) instanceof z.ZodNumber;
    return isShown ? value : hidden;
  }
}

/** @param verdictsOf Lines about the results, with the values that the transcript shows. */
export function transcriptOf(
  exchanges: readonly Exchange[],
  verdictsOf: (redaction: Redaction) => readonly string[],
): string {
  const redaction = new Redaction(new Set(exchanges.map(({ input }) => input.body?.["description"])));
  const requests = exchanges.map((exchange, index) =>
    isAmongAlikes(exchanges, index) ? "…" : exchangeText(exchange, redaction),
  );
  const parts = [
    "# Transcript of `monitoring doctor`",
    "Each request had the API key and the account in its headers. Names, dates, numbers and enums are those of the contract; `(text)` " +
      "is anything else. Ids are numbered. Of a list, the first item is shown; of similar requests, the first and the last.",
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

function exchangeText({ operation, input, result, ms }: Exchange, redaction: Redaction): string {
  const ids = new Map<string, unknown>(Object.entries(input.ids));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => redaction.id(ids.get(name)));
  const sent = [input.query ?? [], input.body ?? []].flat().map((part) => layout(redaction.value(part)));
  const title = `### ${operation.method} ${path}`;
  const lines = [...sent, ...(sent.length > 0 ? [""] : []), ...responseLines(result, ms, redaction)];
  return `${title}\n\n\`\`\`text\n${lines.join("\n").replaceAll("`", "\\u0060")}\n\`\`\``;
}

function responseLines(result: Exchange["result"], ms: number, redaction: Redaction): string[] {
  if (!("status" in result)) return [`No response: ${result.at}, ${ms} ms`];
  const headers = shownHeaders.flatMap((name) => {
    const value = result.header(name);
    if (value === undefined) return [];
    const isShown = headerForm.test(value) || new Date(value).toUTCString() === value;
    return `${name}: ${isShown ? value : hidden}`;
  });
  const body = "json" in result.body ? layout(redaction.value(result.body.json)) : "(not JSON)";
  return [[`HTTP ${result.status}, ${ms} ms`, ...headers].join("; "), body];
}

/** Lays out JSON in few lines. */
function layout(value: unknown): string {
  return wrappedText(JSON.stringify(value, null, 1).replace(/\n */g, " "), 110).join("\n");
}
