/** Finds the mistakes in what the service fills in for each alert: they lose it without an error. */
import { isMisspelled, jsonIn, nearestOf } from "../texts";
import { literalOf, marked } from "./grammar";
import { isPair } from "./judge";

/** Variables whose value is text, as the vendor documents them, without the short ones, which resemble names of one's own. */
const textVariables = [
  "ALERT_TITLE",
  "ALERT_TYPE",
  "API_CHECK_RESPONSE_STATUS_TEXT",
  "CHECK_ERROR_MESSAGE",
  "CHECK_NAME",
  "CHECK_RESULT_ID",
  "CHECK_TYPE",
  "GROUP_NAME",
  "RESULT_LINK",
  "RUN_LOCATION",
  "SSL_CHECK_DOMAIN",
  "STARTED_AT",
] as const;
const numberVariables = ["API_CHECK_RESPONSE_STATUS_CODE", "RESPONSE_TIME", "SSL_DAYS_REMAINING"] as const;

/** Those of https://www.checklyhq.com/docs/integrations/alerts/webhooks. */
export const alertVariables = [...textVariables, ...numberVariables] as const;

/** Returns the variable that a name in braces of a text misspells; undefined if there is none. */
export function misspelledVariable(text: string): string | undefined {
  const names = [...text.matchAll(/\{\{\s*([A-Z_]{8,32})\s*\}/g)].map(([, name = ""]) => name);
  const wrong = names.find((name) => isMisspelled(name, alertVariables));
  return wrong && nearestOf(wrong, alertVariables);
}

const values = new Map<string, string>([
  ...textVariables.map((name) => [name, "text"] as const),
  ...numberVariables.map((name) => [name, "1"] as const),
]);
const variable = /\{\{\{\s*([A-Z_]+)\s*\}\}\}|\{\{\s*([A-Z_]+)\s*\}\}/g;
/** Matches what begins a block, such as `{{#if GROUP_NAME}}`, whose content may be left out or repeated, and a comment. */
const block = /\{\{~?[#^!]/;
/** Matches a string of JSON. One that isn't closed ends with the text, so that no text is searched twice. */
const string = /"(?:[^"\\]|\\[^])*["\\]?/g;
const unescaped = (one: string): string => one.replace(/\\(?:u[\dA-Fa-f]{4}|["\\/bfnrt])/g, " ");
const jsonStart = /^[\s[]*\{\s*(["'}\\]|\w+\s*:\s*["'{\d])/;
const jsonType = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Whether a template is sent as JSON, or begins as JSON and no header says what it is, and isn't JSON once it is filled in. Any other
 * variable outside of quotes may be a part of JSON, which leaves that unknown. Some receivers take JSON in each line.
 */
export function isInvalidJson(template: string, headers: unknown): boolean {
  const pairs = [headers].flat().filter(isPair);
  const type = pairs.find(({ key }) => /^content-type$/i.test(key));
  const fill = (one: string, raw: string | undefined, name = raw ?? "") => values.get(name) ?? one;
  // A mask within a string, such as three asterisks after a line break, must not take a part of an escape.
  const filled = marked(template.replace(variable, fill).replace(string, unescaped));
  const isMeant = type ? jsonType.test(String(type.value)) : jsonStart.test(filled);
  const outside = filled.replace(string, "");
  if (!isMeant || block.test(template) || literalOf(outside) !== outside) return false;
  const lines = filled.match(/\S.*/g) ?? [];
  return jsonIn(filled) === undefined && lines.some((line) => jsonIn(line) === undefined);
}
