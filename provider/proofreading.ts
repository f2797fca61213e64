/**
 * Proofreads an update before it is public, because a post can't be taken back. What nobody means to publish is refused; what may be a
 * mistake is a warning. The rules were tuned on 30,000 public updates: a rule that accuses good texts would be switched off.
 */
import { msOf, secondOf } from "./api/timestamps";
import { type StatusPageIncident, type StatusPageIncidentUpdate } from "./api";
import { isToken, knownCredentialIn } from "./credentials";
import { type Declaration, matches } from "./protocol";
import { oldestFirst } from "./protocol/identity";

interface Rule<Found> {
  /** A clause that follows the name of a field. */
  readonly finds: string;
  /** A clause that says why, and what to write instead. */
  readonly why: string;
  readonly example: string;
  readonly passes: string;
  /** The second kind of result is what is found, in words. */
  readonly find: (found: Found) => boolean | string | undefined;
}

/** A text as it is declared, in several readings. */
interface Reading {
  readonly text: string;
  /** Without code, which is between backticks or within `<code>` and `<pre>`. */
  readonly prose: string;
  /** Prose without addresses. */
  readonly words: string;
}

/** Values of JavaScript, Python and Go that were made a string. */
const values =
  /\[object [A-Z]\w*\]|<(?:function|bound method|[\w.]+ object)\b[^\n]{0,200}? at 0x[\da-f]+>|%!\w?\((?:MISSING|EXTRA |[\w.*]+=)|\{0xc0[\da-f]{8}\}/;
const quotations =
  /`[^`\n]*`|"[^"\n]*"|\u201c[^\u201d\n]*\u201d|\u201e[^\u201c\u201d\n]*[\u201c\u201d]|\u00ab[^\u00bb\n]*\u00bb|\u300c[^\u300d\n]*\u300d|\u2018[^\u2019\n]*\u2019|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu;

/** Arrows are also in prose: what isn't a list of parameters, or a parameter that isn't used as in code, is a sentence. */
const functions = [
  /^(?:async\s+)?\*?(?:function\b\s*\*?\s*[\w$]*\s*|[\w$]+)\([^{}]{0,300}\)\s*\{/,
  /^(?:async\s*)?\((?!\p{Lu}|[^()]{0,300}[\p{L}\d]\s+[\p{L}\d])[^()]{0,300}\)\s*=>/u,
  /^(?:async\s+)?([a-z_$][\w$]*)\s*=>\s*(?:[{`"'[]|\(\s*\{|[^]{0,300}?\b\1\s*(?:$|\.\w|[^\s\w.:'\u2019]))/,
  /^class\b\s*(?:[\w$]+\s*)?(?:extends\s[^{]{1,100})?\{/,
];

/** The rules on the text alone, whose findings are refused. */
export const refusals: readonly Rule<string>[] = [
  {
    finds: "has the error of an output that was made a string",
    why: "the value isn't known while the program runs. Build the text by pulumi.interpolate, pulumi.jsonStringify or apply",
    example: "Moved to Calling [toString] on an [Output<T>] is not supported.",
    passes: "Calling the API fails.",
    find: (text) => /Calling \[?(?:to(?:string|json)|__str__)\]? on an \[?Output/i.test(text),
  },
  {
    finds: "has [object Object], or another value that isn't a text",
    why: "write the property that you mean. If the incident is about it, put it between quotes or backticks",
    example: "We moved to [object Object].",
    passes: 'The page shows "[object Object]" in place of names.',
    find: (text) => values.test(text) && values.test(text.replace(quotations, "")),
  },
  {
    finds: "is the source of a function or a class",
    why: "call it, and write what it returns",
    example: "() => `Restored at ${time}`",
    passes: "Function keys work again => no further action is needed.",
    find: (text) => functions.some((each) => each.test(text)),
  },
  {
    finds: "is undefined, null or NaN",
    why: "a value was missing when the text was made",
    example: '"undefined".',
    passes: "A null value in a response broke the app.",
    find: (text) =>
      /^["'`\u2018-\u201e]*(?:undefined|null|NaN|None|nil|<nil>)["'`.\u2018-\u201e\u2026]*$/.test(text),
  },
  {
    finds: "has a credential",
    why: "remove it. If others have seen it, replace it",
    example: "Use -----BEGIN PRIVATE KEY----- MIIEvQIBADANBg until then.",
    passes:
      "Slack invites such as https://join.slack.com/t/acme/shared_invite/zt-1a2b3c4d5-AbCdEfGhIjKl work again.",
    find: knownCredentialIn,
  },
];

/** Says what is refused in a text, as reasons that follow the name of its field. They never quote it. */
export function refusedIn(text: string): string[] {
  return found(refusals, text.trim());
}

const leftovers =
  /\{\{[^{}]*\}\}|\{%[^%\n]*%\}|<%[^%\n]*%>|\$\{(?![A-Z][A-Z\d_]*\})[^{}]*\}|\{IF\s|(?<![{$])\{(?=[^{}"'`=<>]*(?:[\p{L}\d]\s+[\p{L}\d]|[\p{L}\d]\s*\|\s*[\p{L}\d]))[^{}"'`=<>]*\}/u;
const brackets = [
  /^\[\p{Lu}[\p{L}\d\s',./-]*\]$/u,
  /^\[(?:add|enter)\s[^\][\n]*\]$|\[(?:insert|your|describe)\s[^\][\n]*\](?![([:])/i,
];
const later = /(?<![\p{L}\d_])(?:TODO|FIXME|X{3,}|XX:XX|HH:MM)(?![\p{L}\d_]|\.\w)/u;
const privateAddress =
  /(?<![\w.-]|(?:[Vv]ersion|[Rr]elease|[Bb]uild) )(?:10(?:\.\d{1,3}){3}|127(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})(?<!\.0)(?![\w-]|\.\d)/;
const privateHost =
  /(?<![\w.-])localhost(?![\w-])|(?<=[\w-])\.(?:internal|local|localdomain|lan|intranet|corp|home\.arpa)(?![\w-]|\.\w)/i;
const doubled =
  /(?<![\p{L}'\u2019-])(the|an|of|to|and|we|our|for|with|are|UTC|GMT|PST|PDT|EST|EDT|CET)\s+\1(?![\p{L}'\u2019-])/iu;
const noTime =
  /(?<![\d:.])(?:1[3-9]|2[0-3])[:.]\d\d\s?[ap]m\b|(?<![\d.,/-])(?:[2-9]?[123]th|1[123](?:st|nd|rd))\b/i;

/** The rules on the text alone, whose findings are warnings. */
export const textDoubts: readonly Rule<Reading>[] = [
  {
    finds: "has a part of a template, such as {{…}}, ${…} or {one | other}",
    why: "the page shows it as it is. Fill it in, or put it between backticks",
    example: "Hello {{ customer.name }}, we are back.",
    passes: 'The API returned {"status": "ok"} and ignored ${REGION}.',
    find: ({ prose }) => leftovers.test(prose),
  },
  {
    finds: "has a placeholder in brackets",
    why: "fill it in",
    example: "[Insert the cause here]",
    passes: "See [your dashboard](https://example.com/dashboard), and [RFC 9110].",
    find: ({ prose }) => brackets.some((each) => each.test(prose.trim())),
  },
  {
    finds: "has a mark such as TODO, XX:XX or lorem ipsum",
    why: "somebody meant to write more",
    example: "We expect a fix by XX:XX UTC.",
    passes: "Details follow at https://example.com/TODO, the ETA is TBD.",
    find: ({ words }) => later.test(words) || /lorem ipsum/i.test(words),
  },
  {
    finds: "has undefined or NaN as a word",
    why: "a value may have been missing when the text was made. Put it between backticks if it is meant",
    example: "Errors are down to NaN percent.",
    passes: "Pages showed `undefined` in place of a price.",
    find: ({ words }) => /(?<![\w-])(?:undefined|NaN)(?![\w-])/.test(words),
  },
  {
    finds: "names a private address or an internal host",
    why: "customers can't reach it, and it tells others about your network",
    example: "Requests to 10.4.17.3 and db-1.prod.internal fail.",
    passes: "Allow the range 10.0.0.0/8; 203.0.113.7 answers again.",
    find: ({ prose }) => privateAddress.test(prose) || privateHost.test(prose),
  },
  {
    finds: "may have a credential after a word such as key, token or password",
    why: "remove it if it is one",
    example: "Log in with the password hW7x-kP29-qZ41m until then.",
    passes: "The host key changed to SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDSC2tIqWbVqTdxA1M.",
    find: ({ words }) => hasCredentialByWord(words),
  },
  {
    finds: "has a day of the week that isn't the one of the date beside it",
    why: "correct one of them",
    example: "Maintenance on Monday, November 26, 2026.",
    passes: "Maintenance on Thursday, November 26, 2026.",
    find: ({ words }) =>
      datesWithDays(words).some(([day, date]) => dayOf(date) !== day.slice(0, 3).toLowerCase()),
  },
  {
    finds: "has the same word twice",
    why: "remove one",
    example: "We restored the the database.",
    passes: "We know that that helps, and had had to wait.",
    find: ({ words }) => doubled.test(words),
  },
  {
    finds: "has a time or an ordinal that doesn't exist, such as 13:00 pm or 23th",
    why: "correct it",
    example: "It ends on the 23th at 14:30pm.",
    passes: "It ends on the 13th at 2:30 pm, on 112th Street.",
    find: ({ words }) => noTime.test(words),
  },
];

/** An update that would be posted, and its incident as it is shown, if it could be read. */
export interface Draft {
  readonly declared: Partial<Declaration>;
  readonly incident?: StatusPageIncident | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The rules on the update within its incident, whose findings are warnings. */
export const draftDoubts: readonly Rule<Draft>[] = [
  {
    finds: "status opens the incident again",
    why: "its newest update is RESOLVED",
    example: "MONITORING after RESOLVED",
    passes: "RESOLVED after RESOLVED, such as a post-mortem",
    find: ({ declared: { status }, incident }) =>
      status !== undefined && status !== "RESOLVED" && newestUpdate(incident)?.status === "RESOLVED",
  },
  {
    finds: "publicIncidentUpdateDate is in the future",
    why: "the page shows it so",
    example: "a date 11 minutes ahead",
    passes: "a date 9 minutes ahead, or before the post",
    find: ({ declared, now }) => (dateOf(declared) ?? now) > now + 10 * minuteMs,
  },
  {
    finds: "publicIncidentUpdateDate is before the incident began",
    why: "the page shows it so",
    example: "a date in the year 0026",
    passes: "the date of the first update, before the incident was created",
    find: ({ declared, incident, now }) => {
      const began = beginningOf(incident) ?? Infinity;
      return began <= now && (dateOf(declared) ?? Infinity) < began;
    },
  },
  {
    finds: "publicIncidentUpdateDate is before that of the newest update",
    why: "the page may show them in this order",
    example: "09:30, where the newest update is of 10:00",
    passes: "10:00, where the newest update is of 09:30",
    find: ({ declared: { publicIncidentUpdateDate: date }, incident }) =>
      date !== undefined && secondOf(date) < secondOf(shownDate(newestUpdate(incident))),
  },
  {
    finds: "description has a date of a year ago",
    why: "correct the year, unless it is meant",
    example: "2025-11-24 on 26 November 2026",
    passes: "2025-06-30, or https://example.com/2025-11-24",
    find: ({ declared, now }) => {
      const ago = [...readingOf(declared.description ?? "").words.matchAll(isoDate)].map(
        ([date]) => ((dateOf(declared) ?? now) - (msOf(date) ?? NaN)) / dayMs,
      );
      return ago.some((days) => days >= 340 && days <= 390);
    },
  },
  {
    finds: "description and status are those of the newest update, which is a few minutes old",
    why: "it may be declared twice",
    example: "a second entry with the same words within 15 minutes",
    passes: "the same words an hour later, or with `occurrence: 2`",
    find: ({ declared, incident, now }) => {
      const { status, description, occurrence = 1, followedBy } = declared;
      const newest = newestUpdate(incident);
      if (!newest || status === undefined || description === undefined) return false;
      const isAsked = occurrence > 1 && followedBy === undefined;
      const age = now - (msOf(newest.created_at) ?? -Infinity);
      return !isAsked && age < 15 * minuteMs && matches({ status, description }, newest);
    },
  },
];

const isoDate = /(?<![\d-])\d{4}-\d\d-\d\d(?!\d|-\d)/g;

/** Says what may be a mistake in an update, in clauses that begin with the name of a field. They never quote its text. */
export function doubtsIn(draft: Draft): string[] {
  const { description } = draft.declared;
  const ofText = description === undefined ? [] : found(textDoubts, readingOf(description));
  return [...ofText.map((doubt) => `description ${doubt}`), ...found(draftDoubts, draft)];
}

function found<Given>(rules: readonly Rule<Given>[], given: Given): string[] {
  return rules.flatMap(({ finds, why, find }) => {
    const what = find(given);
    if (what === undefined || what === false) return [];
    return `${typeof what === "string" ? `has ${what}` : finds}: ${why}`;
  });
}

function readingOf(text: string): Reading {
  const prose = text
    .replace(/^(```|~~~)[^]*?(?:^\1|$(?![^]))/gm, " ")
    .replace(/`+[^`\n]*`+|<(code|pre)\b[^<>]*>[^<]*<\/\1>/gi, " ");
  return { text, prose, words: prose.replace(/\b(?:[a-z][a-z\d+.-]{1,9}:\/\/|www\.)[^\s<>"]+/gi, " ") };
}

/** A word names what follows it; one of the others says that it is public. */
const credentialWord = /(?:key|token|password|passwd|secret|credential)s?$/i;
const publicWord = /^(?:id|ids|hash|fingerprint|commit|public|sha-?\d*|md5)$/i;

function hasCredentialByWord(text: string): boolean {
  if (!/key|token|passw|secret|credential/i.test(text)) return false;
  const words = text.split(/[\s=:,;"'()[\]<>\u2018-\u201e]+/);
  return words.some((word, index) => {
    if (!credentialWord.test(word) || publicWord.test(words[index - 1] ?? "")) return false;
    const next = words.slice(index + 1, index + 4);
    const until = next.findIndex((each) => publicWord.test(each));
    return next.slice(0, until < 0 ? undefined : until).some(looksRandom);
  });
}

/** True for a token of 16 characters and more, or a shorter word that changes often between digits and letters of both cases. */
function looksRandom(word: string): boolean {
  const text = word.replace(/^[^\w]+|[^\w]+$/g, "");
  if (isToken(text)) return true;
  if (text.length < 8 || text.length > 100 || !/\d/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text))
    return false;
  const chunks = text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  return text.length / chunks.length <= 2.8;
}

const dayName = "(sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?";
const monthName = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";
const fullDate = `\\d{4}-\\d\\d-\\d\\d|${monthName}\\.?\\s\\d{1,2}(?:st|nd|rd|th)?,?\\s\\d{4}|\\d{1,2}(?:st|nd|rd|th)?\\s(?:of\\s)?${monthName}\\.?,?\\s\\d{4}`;
const dayAndDate = new RegExp(`\\b${dayName}\\b[,.]{0,2}\\s(?:the\\s)?(${fullDate})(?!\\d)`, "gi");
const dateAndDay = new RegExp(`(?<!\\d)(${fullDate})\\s\\(${dayName}\\)`, "gi");

function datesWithDays(text: string): (readonly [day: string, date: string])[] {
  return [
    ...[...text.matchAll(dayAndDate)].map(([, named = "", dated = ""]) => [named, dated] as const),
    ...[...text.matchAll(dateAndDay)].map(([, dated = "", named = ""]) => [named, dated] as const),
  ];
}

/** The day of the week of a date, in three letters. */
function dayOf(date: string): string {
  const plain = date.replace(/(\d)(?:st|nd|rd|th)\b/i, "$1").replace(/\sof\s|[.,]/gi, " ");
  return new Date(`${plain} UTC`).toUTCString().slice(0, 3).toLowerCase();
}

const dateOf = ({ publicIncidentUpdateDate: date }: Partial<Declaration>) => msOf(date);
const shownDate = (update: StatusPageIncidentUpdate | undefined) =>
  update?.publicIncidentUpdateDate ?? update?.created_at;

export function newestUpdate(incident: StatusPageIncident | undefined): StatusPageIncidentUpdate | undefined {
  return oldestFirst(incident?.incidentUpdates ?? []).at(-1);
}

/** When the incident was created or, if that is earlier, the date of its first update. */
export function beginningOf(incident: StatusPageIncident | undefined): number | undefined {
  const times = [incident?.created_at, ...(incident?.incidentUpdates ?? []).map(shownDate)].flatMap(
    (time) => msOf(time) ?? [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
