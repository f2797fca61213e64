/**
 * Proofreads an update before it is public, because a post can't be taken back. What nobody means to publish is refused; what may be a
 * mistake is a warning. A rule that accuses good texts would be switched off.
 */
import { isIP } from "node:net";
import { Script } from "node:vm";
import { msOf, secondOf } from "./api/timestamps";
import { type StatusPageIncident, type StatusPageIncidentUpdate } from "./api";
import { credentialIn } from "./credentials";
import { hostClassOf } from "./hosts";
import { type Declaration, matches } from "./protocol";
import { byPublicDate } from "./protocol/identity";

interface Rule<Found> {
  /** True if it isn't about an edit, which emails nobody and adds nothing. */
  readonly ofPosts?: true;
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
  /** Words without what stands between quotes. */
  readonly unquoted: string;
}

/** Values of JavaScript, Python and Go that were made a string. */
const values =
  /\[object [A-Z]\w*\]|<(?:function|bound method|[\w.]+ object)\b[^\n]{0,200}? at 0x[\da-f]+>|%!\w?\((?:MISSING|EXTRA |[\w.*]+=)|\{0xc0[\da-f]{8}\}/;
/** No quotation has its own opening sign within it, so that no text is searched from each of them to its end. */
const quotations =
  /`[^`\n]*`|(?<!=)"[^"\n]*"|\u201c[^\u201c\u201d\n]*\u201d|\u201e[^\u201c-\u201e\n]*[\u201c\u201d]|\u00ab[^\u00ab\u00bb\n]*\u00bb|\u300c[^\u300c\u300d\n]*\u300d|\u2018[^\u2018\u2019\n]*\u2019|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu;

/** The rules on the text alone, whose findings are refused. */
export const refusals: readonly Rule<string>[] = [
  {
    finds: "has the error of an output that was made a string",
    why: "the value isn't known while the program runs. Build the text by pulumi.interpolate, pulumi.jsonStringify or apply",
    example: "Moved to Calling [toString] on an [Output<T>] is not supported.",
    passes: "Calling the API fails.",
    find: (text) => /Calling \[?(?:to(?:String|JSON)|__str__)\]? on an \[?Output/.test(text),
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
    passes: "x => x + 1 in the playground works again.",
    find: isSource,
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
    example: "Partners connect to postgres://partner:Winter2026x@db.acme.io/prod until then.",
    passes: "PEM files that begin with -----BEGIN PRIVATE KEY----- are rejected.",
    find: (text) => {
      const exposed = credentialIn(text);
      return exposed?.confidence === "certain" ? exposed.what : undefined;
    },
  },
];

/** Says what is refused in a text, as reasons that follow the name of its field. They never quote it. */
export function refusedIn(text: string): string[] {
  return found(refusals, text.trim());
}

/** Whether a text is JavaScript alone: what prints a function prints all of it, and a sentence isn't an expression. */
function isSource(text: string): boolean {
  const isBegun = /^(?:const |async\b|function\b|class\b|\(|[\w$]+\s?(?:=>|\())/.test(text);
  const body = text.slice(Math.max(0, text.search(/=>|\{/)));
  // Arrows are also in prose: "EU => US".
  if (!isBegun || !/=>|\{/.test(text) || (!/[{([`"']|\w\.\w/.test(body) && !/^(?:async|\(\))/.test(text)))
    return false;
  const source = text.replace("[native code]", "");
  return [`(${source}\n)`, `({${source}\n})`, source].some((expression) => {
    try {
      // This parses, and runs nothing.
      return new Script(expression) instanceof Script;
    } catch {
      return false;
    }
  });
}

/**
 * What tools and templates leave in a text where a value is missing or text was converted twice: where it counts, what it is, its form, an
 * example, and what is like it and passes.
 */
const leftBehind: readonly (readonly [
  keyof Reading,
  finds: string,
  form: RegExp,
  example: string,
  passes: string,
])[] = [
  [
    "prose",
    "has a part of a template, such as {{…}}, ${…}, {name} or {one | other}",
    /\{\{[^{}]*\}\}|\{[%#][^%#\n]*[%#]\}|<%[^%\n]*%>|\$\{(?![A-Z][A-Z\d_]*\})[^{}]*\}|\{IF\s|(?<![{$])\{(?=[^{}"'`=<>]*(?:[\p{L}\d]\s+[\p{L}\d]|[\p{L}\d]\s*\|\s*[\p{L}\d]))[^{}"'`=<>]*\}|(?<![\w/{}$#=\\^\]])#?\{(?!id\})(?:[a-z][\w.]*|\d|\w*:\.?\d*[A-Za-z%]\d*)\}(?![\w/}])|\*\|\w{1,40}\|\*|\[\[\w{1,40}\]\](?!\()|##[A-Z_]{3,40}##/u,
    "Hello {{ customer.name }}, {component} is back.",
    'The API returned {"status": "ok"} for /users/{id} and ignored ${REGION}.',
  ],
  [
    "unquoted",
    "has a place for a value, such as %s or $TIMESTAMP",
    /(?<![\w%])%(?:\d\$)?(?:[-+]?\d{0,3}(?:\.\d{1,2})?[sdvifg@]|\(\w{1,40}\)[sd])(?![\w'\u2019])|(?<![\w$])\$(?:(?!\w*_HOME\b)[A-Z]+_[A-Z_]+|[A-Z]{6,}|DATE|TIME|NAME|HOST|TITLE|\([A-Z_]{3,}\))(?!\w)|%(?!(?:LOCAL)?APPDATA|TE?MP|PATH|PROGRAM|USER|SYSTEM|WINDIR)[A-Z][A-Z_]{3,}%|(?<!\w)__(?!(?:UPDATE|RESOLVED|MONITORING|INVESTIGATING|IDENTIFIED|NOTE|IMPORTANT|WARNING)__)[A-Z][A-Z_]+__(?!\w)|@@\w{1,40}@@/,
    "Errors in %s since $TIMESTAMP.",
    "It costs $5, is at 100%, and no longer reads $HOME.",
  ],
  [
    "unquoted",
    "has a value that is missing or was no date, such as undefined, <no value> or Invalid Date",
    /(?<![\w-])(?:undefined|NaN)(?![\w-])|<(?:no value|nil|null|none)>|\bmap\[\w+:|\bInvalid Date(?:Time)?\b|#(?:REF!|VALUE!|N\/A|NAME\?|DIV\/0!)|\b(?:1970-01-01|0001-01-01)T00:00|Jan 0?1 1970|\[Function: |Promise \{ <|System\.\w+\[\]|\(null\)|[Tt]ranslation missing: \w/,
    "Work begins on Invalid Date.",
    'Pages showed `undefined` or "Invalid Date" in place of a price.',
  ],
  [
    "prose",
    "has text that was encoded twice, such as &amp;amp; or â€™",
    /&amp;(?:\w{2,8}|#x?[\da-f]{1,6});|\ufffd|\u00ef\u00bf\u00bd|\u00e2\u20ac.|\u00c3[\u00a1-\u00ba\u00bc-\u00be]|\u00c2[\u00a0-\u00ba\u00bc-\u00bf]|\u00f0\u0178|\\u[\da-f]{4}/i,
    "Weâ€™re back.",
    "R&D &amp; São Paulo are back.",
  ],
  [
    "unquoted",
    "has a line break that was written as \\n",
    /(?<!\b[A-Z]:)(?<=[\w)\]][.!?:;,)])\\(?:r\\)?[nt]|\\(?:r\\)?n(?=\\(?:r\\)?n|\s|$|[A-Z*#])/,
    "We are back.\\nThank you.",
    "C:\\network is back.",
  ],
  [
    "prose",
    "has what a tool printed: a merge conflict, a stack trace, codes of a terminal, or a whole page",
    /^(?:<{7}|>{7}|\|{7}) |<!doctype html|<(?:html|head|body)\b[^<>]{0,80}>\s{0,8}<|Traceback \(most recent call last\)|^[ \t]{1,8}at \S{0,80}[./].{0,200}:\d+\)?$|^panic: |^<\?xml |\[38;5;\d|^[^\S\n]{0,8}\{\s{0,8}"\w|\[missing "|\[(?:[01];)?[349]\dm(?!\])[^]{0,200}\[0?m/im,
    "<<<<<<< HEAD",
    "<p>The head of the queue moves again.</p>",
  ],
  [
    "words",
    "has a mark such as TODO, XX:XX or lorem ipsum",
    /(?<![\p{L}\d_])(?:TODO(?!\s\p{Lu}{2})|FIXME|X{3,}|XX:XX|HH:MM|[Ll]orem ipsum|LOREM IPSUM)(?![\p{L}\d_]|\.\w)/u,
    "We expect a fix by XX:XX UTC.",
    "Details follow at https://example.com/TODO, the ETA is TBD.",
  ],
  [
    "prose",
    "has a placeholder in brackets",
    /^\s*\[(?:\p{Lu}[\p{L}\d\s',./-]*|(?:add|enter)\s[^\][\n]*)\]\s*$|\[(?:[Ii]nsert|[Yy]our|[Dd]escribe|INSERT|YOUR|DESCRIBE)\s[^\][\n]*\](?![([:])/u,
    "[Insert the cause here]",
    "See [your dashboard](https://example.com/dashboard), and [RFC 9110].",
  ],
];

/** The rules on the text alone, whose findings are warnings. */
export const textDoubts: readonly Rule<Reading>[] = [
  ...leftBehind.map(([where, finds, form, example, passes]) => ({
    finds,
    example,
    passes,
    why: "write what it stands for, or put it between backticks if it is meant",
    find: (reading: Reading) => form.test(reading[where]),
  })),
  {
    finds: "names a private address or an internal host",
    why: "customers can't reach it, and it tells others about your network",
    example: "Requests to 10.4.17.3, fd12:3456::1 and http://jenkins:8080 fail.",
    passes: "Allow the range 10.0.0.0/8; 203.0.113.7 answers again.",
    find: ({ prose }) => hasInternalHost(prose),
  },
  {
    finds: "may have a credential",
    why: "remove it if it is one",
    example: "Log in with the password hW7x-kP29-qZ41m until then.",
    passes: "The host key changed to SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDSC2tIqWbVqTdxA1M.",
    find: ({ text }) => credentialIn(text)?.confidence === "likely",
  },
  {
    finds: "has a day of the week that isn't the one of the date beside it",
    why: "correct one of them",
    example: "Maintenance on Monday, November 26, 2026.",
    passes: "Maintenance on Thursday, November 26, 2026.",
    find: ({ words }) =>
      datesWithDays(words).some(([day, date]) => dayOf(date) !== day.slice(0, 3).toLowerCase()),
  },
];

/** Hosts of addresses of the web, IP addresses that are no version and no range, and names with a dot. */
const hosts =
  /\b(?:https?|wss?|s?ftp|ssh):\/\/(?:[^\s/?#@]{0,200}@)?([\w.-]+|\[[\da-f:.]+\])|(?<![\w.:-]|(?:[Vv]ersions?|[Rr]elease|[Bb]uild|[Ff]irmware):? )((?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,4}(?::{1,2}[\da-f]{1,4}){1,7}(?:::)?|::1)(?![\w:/-]|\.\d)|(?<![\w.-])((?!(?:config|settings|env)\.local)(?:[\w-]{1,63}\.){1,9}(?:internal|local|localdomain|lan|intranet|corp|home\.arpa)|localhost)(?![\w-]|\.\w)/gi;
/** Addresses of documentation, and networks as a whole. */
const ofDocumentation = /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|^\[?2001:db8:|\.0$/i;

function hasInternalHost(prose: string): boolean {
  return [...prose.matchAll(hosts)].some(([whole, linked, address, name]) => {
    if (address !== undefined && isIP(address) === 0) return false;
    const host = (linked ?? name ?? whole).toLowerCase();
    return !ofDocumentation.test(host) && hostClassOf(host) !== "public";
  });
}

/** An update that would be posted, and its incident as it is shown, if it could be read. */
export interface Draft {
  readonly declared: Partial<Declaration>;
  readonly incident?: StatusPageIncident | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly isEdit?: boolean;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
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
    ofPosts: true,
    finds: "publicIncidentUpdateDate is before that of the newest update",
    why: "the page may show them in this order",
    example: "09:30, where the newest update is of 10:00",
    passes: "10:00, where the newest update is of 09:30",
    find: ({ declared: { publicIncidentUpdateDate: date }, incident }) =>
      secondOf(date) < secondOf(shownDate(newestUpdate(incident))),
  },
  {
    ofPosts: true,
    finds: "publicIncidentUpdateDate is in the past, and every subscriber is emailed",
    why: "what is entered later is rarely news. Set notifySubscribers to false, unless it is",
    example: "09:00 at 12:00, with an email",
    passes: "11:30 at 12:00 with an email, or 09:00 without one",
    find: ({ declared, now }) =>
      declared.notifySubscribers === true && (dateOf(declared) ?? now) < now - 2 * hourMs,
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
    ofPosts: true,
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
  const rules = draftDoubts.filter(({ ofPosts }) => !(ofPosts && draft.isEdit));
  return [...ofText.map((doubt) => `description ${doubt}`), ...found(rules, draft)];
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
    .replace(/^(```|~~~)[^]*?(?:^\1|(?![^]))/gm, " ")
    .replace(/`+[^`\n]*`+|<(code|pre)\b[^<>]*>[^<]*<\/\1>/gi, " ");
  const words = prose.replace(/\b(?:[a-z][a-z\d+.-]{1,9}:\/\/|www\.)[^\s<>"]+/gi, " ");
  return { text, prose, words, unquoted: words.replace(quotations, " ") };
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

/** The newest update, as readers of the page see it. */
export function newestUpdate(incident: StatusPageIncident | undefined): StatusPageIncidentUpdate | undefined {
  return byPublicDate(incident?.incidentUpdates ?? []).at(-1);
}

/** When the incident was created or, if that is earlier, the date of its first update. */
export function beginningOf(incident: StatusPageIncident | undefined): number | undefined {
  const times = [incident?.created_at, ...(incident?.incidentUpdates ?? []).map(shownDate)].flatMap(
    (time) => msOf(time) ?? [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
