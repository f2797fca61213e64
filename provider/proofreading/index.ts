/**
 * Proofreads an update, and the name of an incident, before it is public, because a post can't be taken back. Content that can't be intended is rejected; a likely error
 * causes a warning. Users would disable a rule that rejects correct text.
 */
import { isIP } from "node:net";
import {
  parseMs,
  parseSecond,
  sortByPublicDate,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../api";
import { findCredential } from "../credentials";
import { classifyHost } from "../hosts";
import { type Declaration } from "../protocol";
import { sameText } from "../texts";
import { type LeftoverRule, leftoverWarnings, type Part, leftoverErrors } from "./leftoverRules";

interface Rule<Found> {
  /** True if the rule doesn't apply to edits, because an edit sends no email and adds no update. */
  readonly ofPosts?: true;
  /** Describes the finding, in a clause that follows the name of a field. */
  readonly finds: string;
  /** A clause with the reason and the correction. */
  readonly why: string;
  readonly example: string;
  readonly passes: string;
  /** Returns a string to describe the finding in more detail. */
  readonly find: (found: Found) => boolean | string | undefined;
}

/** The content of an update's text in each reading. */
type Reading = Readonly<Record<Part, string>>;

const toRule = ({ in: part, forms, ...rule }: LeftoverRule): Rule<Reading> => ({
  ...rule,
  find: (reading) => forms.some((form) => form.test(reading[part])),
});

/** A quotation can't contain its own opening quotation mark. Otherwise, the search from each mark to the end would take quadratic time. */
const quotations = [
  /(?<!=)"[^"\n]*"|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu,
  /[\u201c\u201e\u00ab\u300c\u2018][^\u00ab\u2018\u201e\u300c\n]*?[\u201c\u201d\u00bb\u300d\u2019]/g,
];

/** Rules that only check the text. A finding rejects the update. */
export const rejections: readonly Rule<Reading>[] = [
  ...leftoverErrors.map(toRule),
  {
    finds: "contains nothing to read",
    why: "Write the information that readers need",
    example: "<p>&nbsp;</p><br>",
    passes: '<img src="https://example.com/map.png">',
    find: ({ text }) => !/[\p{L}\p{N}\p{Extended_Pictographic}]|<img/iu.test(text.replace(notRead, "")),
  },
  {
    finds: "contains a credential",
    why: "Remove the credential. If anyone else may have seen it, rotate it",
    example: "Partners connect to postgres://partner:Winter2026x@db.acme.io/prod until then.",
    passes: "PEM files that begin with -----BEGIN PRIVATE KEY----- are rejected.",
    find: ({ text }) => {
      const exposed = findCredential(text);
      return exposed?.confidence === "certain" ? exposed.what : undefined;
    },
  },
];

/** Matches elements and references to spaces, because neither contains readable text. */
const notRead = /<(?!img\b)[^<>]*>|&(?:nbsp|ensp|emsp|thinsp|zw\w*|#160|#xa0|#8203);/gi;

/** Returns the reasons to reject an update's text, in clauses that follow the name of its field. They never quote the text. */
export function findRejections(text: string): string[] {
  return text.trim() === "" ? [] : applyRules(rejections, createReading(text.trim()));
}

/** Rules that only check the text. A finding causes a warning. */
export const textWarnings: readonly Rule<Reading>[] = [
  ...leftoverWarnings.map(toRule),
  {
    finds: "contains a private IP address or an internal host name",
    why: "Customers can't reach it, and it reveals details of your network",
    example: "Requests to 10.4.17.3, fd12:3456::1 and http://jenkins:8080 fail.",
    passes: "Allow the range 10.0.0.0/8; 203.0.113.7 is reachable again.",
    find: ({ prose }) => hasInternalHost(prose),
  },
  {
    finds: "may contain a credential",
    why: "If it is a credential, remove it",
    example: "Log in with the password hW7x-kP29-qZ41m until then.",
    passes: "The host key changed to SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDSC2tIqWbVqTdxA1M.",
    find: ({ text }) => findCredential(text)?.confidence === "likely",
  },
  {
    finds: "contains a weekday that doesn't match the date next to it",
    why: "Correct the weekday or the date",
    example: "Maintenance on Monday, November 26, 2026.",
    passes: "Maintenance on Thursday, November 26, 2026.",
    find: ({ unquoted }) => dates.some((form) => [...unquoted.matchAll(form)].some(hasOtherDay)),
  },
];

/** Match the hosts of URLs, IP addresses that aren't part of a range, and host names with a dot. */
const hosts = [
  /\b(?:https?|wss?|s?ftp|ssh):\/\/(?:[^\s/?#@]{0,200}@)?([\w.-]+|\[[\da-f:.]+\])/gi,
  /(?<![\w.:\u2013-])((?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,4}:[\da-f:]{2,40}|::1)(?![\w:/\u2013-]|\.\d)/gi,
  /(?<![\w.-])((?:[\w-]{1,63}\.){1,9}(?:internal|local|lan|intranet|corp)|localhost)(?![\w-]|\.\w)/gi,
];
/** Match addresses for documentation, addresses of whole networks, and names that are the same in every network. */
const known = [
  /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|^\[?2001:db8:|\.0$/,
  /^(?:config|settings|env)\.local$|\.docker\.internal$|^metadata\.google/,
];
/** Match text before a version, such as a word for a version, or the name of a product, as in "Oracle 10.2.0.4". */
const beforeVersion = [
  /(?:[Vv]ersions?|[Rr]elease|[Bb]uild|[Ff]irmware):? $/,
  /(?<!\w)(?!(?:Hosts?|Servers?|Nodes?|IP|Address|At|From|To|On|In) )[A-Z][\w+#]{1,30} $/,
];

function hasInternalHost(prose: string): boolean {
  const found = hosts.flatMap((form) => [...prose.matchAll(form)]);
  return found.some(({ 1: named = "", index }) => {
    const host = named.toLowerCase();
    const before = prose.slice(Math.max(0, index - 32), index);
    const isVersion = isIP(host) === 4 && beforeVersion.some((form) => form.test(before));
    const isTime = isIP(host) === 0 && /^[^[].*:/.test(host);
    return !isVersion && !isTime && !known.some((form) => form.test(host)) && classifyHost(host) !== "public";
  });
}

/** An update to post or edit, and its incident as it is shown, if it could be read. */
export interface Draft {
  readonly declared: Partial<Declaration>;
  readonly incident?: StatusPageIncident | undefined;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  readonly isEdit?: boolean;
  /** True if a resource of the program declares the newest update. */
  readonly isNewestDeclared?: boolean;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** Rules that compare the update with its incident. A finding causes a warning. */
export const draftWarnings: readonly Rule<Draft>[] = [
  {
    finds: "status reopens the incident",
    why: "Its newest update is RESOLVED",
    example: "MONITORING after RESOLVED",
    passes: "RESOLVED after RESOLVED, such as a post-mortem",
    find: ({ declared: { status }, incident }) =>
      status !== undefined && status !== "RESOLVED" && findNewest(incident)?.status === "RESOLVED",
  },
  {
    ofPosts: true,
    finds: "status is RESOLVED, and every subscriber is emailed, but the incident is already resolved",
    why: "The program doesn't declare its newest update. Remove this update, or set notifySubscribers to false",
    example: "RESOLVED with an email, after a colleague has resolved the incident in the dashboard",
    passes: "RESOLVED without an email, or after a RESOLVED update of the same program",
    find: ({ declared: { status, notifySubscribers }, incident, isNewestDeclared = false }) =>
      status === "RESOLVED" &&
      notifySubscribers === true &&
      !isNewestDeclared &&
      findNewest(incident)?.status === "RESOLVED",
  },
  {
    finds: "publicIncidentUpdateDate is in the future",
    why: "The page will show this date",
    example: "a date 11 minutes ahead",
    passes: "a date 9 minutes ahead, or before the post",
    find: ({ declared, now }) => (getDateMs(declared) ?? now) > now + 10 * minuteMs,
  },
  {
    finds: "publicIncidentUpdateDate is before the start of the incident",
    why: "The page will show this date",
    example: "a date in the year 0026",
    passes: "the date of the first update, before the incident was created",
    find: ({ declared, incident, now }) => {
      const began = computeBeginning(incident) ?? Infinity;
      return began <= now && (getDateMs(declared) ?? Infinity) < began;
    },
  },
  {
    ofPosts: true,
    finds: "publicIncidentUpdateDate is earlier than the date of the newest update",
    why: "The page may show the updates in the order of their dates",
    example: "09:30, if the newest update is dated 10:00",
    passes: "10:00, if the newest update is dated 09:30",
    find: ({ declared: { publicIncidentUpdateDate: date }, incident }) =>
      parseSecond(date) < parseSecond(getShownDate(findNewest(incident))),
  },
  {
    ofPosts: true,
    finds: "publicIncidentUpdateDate is in the past, but every subscriber is emailed",
    why: "Subscribers are rarely emailed about past events. Set notifySubscribers to false, unless this is intended",
    example: "09:00 at 12:00, with an email",
    passes: "11:30 at 12:00 with an email, or 09:00 without one",
    find: ({ declared, now }) =>
      declared.notifySubscribers === true && (getDateMs(declared) ?? now) < now - 2 * hourMs,
  },
  {
    ofPosts: true,
    finds: "description and status match the newest update, posted a few minutes ago",
    why: "The update may be declared twice",
    example: "a second entry with the same text within 15 minutes",
    passes: "the same text an hour later",
    find: ({ declared, incident, now }) => {
      const { status, description = "" } = declared;
      const newest = findNewest(incident);
      if (!newest || newest.status !== status) return false;
      const age = now - (parseMs(newest.created_at) ?? -Infinity);
      return age < 15 * minuteMs && sameText(description, newest.description);
    },
  },
];

/** Returns possible errors in an update, in clauses that start with the name of a field. They never quote its text. */
export function findWarnings(draft: Draft): string[] {
  const { name, description } = draft.declared;
  const rules = draftWarnings.filter(({ ofPosts }) => !(ofPosts && draft.isEdit));
  // Only an incident has a name, which is as public as its description.
  const ofTexts = Object.entries({ name, description }).flatMap(([field, text = ""]) =>
    applyRules(textWarnings, createReading(text)).map((warning) => `${field} ${warning}`),
  );
  return [...ofTexts, ...applyRules(rules, draft)];
}

function applyRules<Given>(rules: readonly Rule<Given>[], given: Given): string[] {
  const all = rules.flatMap(({ finds, why, find }) => {
    const what = find(given);
    if (what === undefined || what === false) return [];
    return `${typeof what === "string" ? `contains ${what}` : finds}. ${why}`;
  });
  return [...new Set(all)];
}

function createReading(text: string): Reading {
  const prose = text
    // A fence at the start of a line, even in a list or a quotation, ends at the start of a line or at the end of the text. Any other fence
    // has to be closed.
    .replace(/^[ \t>*+\d.-]*(```|~~~)[^]*?(?:^[ \t>]*\1|(?![^]))|(```|~~~)[^]*?\2/gm, " ")
    .replace(/`+[^`\n]*`+|<(code|pre)\b[^<>]*>[^<]*<\/\1>/gi, " ");
  const words = prose.replace(/\b(?:[a-z][a-z\d+.-]{1,9}:\/\/|www\.)[^\s<>"]+/gi, " ");
  return { text, prose, unquoted: quotations.reduce((rest, form) => rest.replace(form, " "), words) };
}

const dates = [
  /(?<!\d)\d{4}-\d\d-\d\d(?!\d)/g,
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s\d{1,2}[a-z]{0,2},?\s\d{4}\b/gi,
  /\d{1,2}[a-z]{0,2}\s(?:of\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s\d{4}\b/gi,
];
const dayBefore = /\b(sun|mon|tue|wed|thu|fri|sat)(?:s|rs?|[a-z]{0,4}day)?\b[,.]{0,2}\s(?:the\s)?$/i;

/** Returns true if the day of the week before a date is wrong. */
function hasOtherDay({ 0: date, index, input }: RegExpExecArray): boolean {
  const [, day] = dayBefore.exec(input.slice(Math.max(0, index - 20), index)) ?? [];
  return day !== undefined && day.toLowerCase() !== getWeekday(date);
}

/** Returns the day of the week of a date, in three letters. */
function getWeekday(date: string): string {
  const plain = date.replace(/(\d)(?:st|nd|rd|th)\b/i, "$1").replace(/\sof\s|[.,]/gi, " ");
  return new Date(`${plain} UTC`).toUTCString().slice(0, 3).toLowerCase();
}

const getDateMs = ({ publicIncidentUpdateDate: date }: Partial<Declaration>) => parseMs(date);
const getShownDate = (update: StatusPageIncidentUpdate | undefined) =>
  update?.publicIncidentUpdateDate ?? update?.created_at;

/** Returns the newest update, as readers of the page see it. */
export function findNewest(incident: StatusPageIncident | undefined): StatusPageIncidentUpdate | undefined {
  return sortByPublicDate(incident?.incidentUpdates ?? []).at(-1);
}

/** Returns the time when the incident was created or, if that is earlier, the date of its first update. */
export function computeBeginning(incident: StatusPageIncident | undefined): number | undefined {
  const times = [incident?.created_at, ...(incident?.incidentUpdates ?? []).map(getShownDate)].flatMap(
    (time) => parseMs(time) ?? [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
