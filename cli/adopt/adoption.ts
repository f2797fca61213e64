/**
 * Writes a program that declares the public updates of an incident: selects the updates that a timeline can declare, and formats the
 * program in each language.
 */
import {
  historyLimit,
  parseMs,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../../provider/api";
import { checkUpdate } from "../../provider/lifecycles";
import { sortByPublicDate, computeContentVersion, normalizeContent } from "../../provider/protocol/identity";
import { normalizeId, toOneLine } from "../../provider/texts";

/** The arguments of an `IncidentTimeline` that a program declares. */
export interface Adoption extends Pick<StatusPageIncident, "name"> {
  readonly incidentId: string;
  readonly account: string | undefined;
  readonly statusPageId: string | undefined;
  /** Entries in the order of a timeline, with their fields in the order of a program. */
  readonly entries: readonly Entry[];
  /** Descriptions of public updates and dates that aren't declared, with the reasons. */
  readonly leftOut: readonly string[];
}

type Entry = Readonly<{
  /** Set on pages with components, because editing an update requires a key. */
  key?: string;
  status: string;
  description: string;
  publicIncidentUpdateDate?: string;
  notifySubscribers?: true;
}>;

/**
 * Declares each update in the form that the first `pulumi up` adopts. Omits updates that the provider would reject, and records the reason.
 */
export function createAdoption(
  incident: StatusPageIncident,
  { account, statusPageId }: Partial<Pick<Adoption, "account" | "statusPageId">> = {},
): Adoption {
  const { id: incidentId, name } = incident;
  const shown = new Map((incident.incidentUpdates ?? []).map((update) => [normalizeId(update.id), update]));
  const updates = sortByPublicDate([...shown.values()]);
  const keys = updates.map((update) => computeContentVersion(normalizeContent(update)));
  const entries: Entry[] = [];
  const leftOut = incident.incidentUpdates
    ? []
    : ["all updates, because the service's response doesn't contain them"];
  for (const [index, update] of updates.entries()) {
    const { publicIncidentUpdateDate: date, ...words } = toEntry(update);
    // Updates with the same content are distinguished by their order, because a timeline can't declare the same content and date twice.
    const isRepeated = keys.indexOf(keys[index] ?? "") !== keys.lastIndexOf(keys[index] ?? "");
    const entry = isRepeated || date === undefined ? words : { ...words, publicIncidentUpdateDate: date };
    const title = `update ${update.id} (${update.status ?? "no status"}, ${update.created_at ?? "unknown time"})`;
    const declared = { known: { incidentId, statusPageId, ...entry }, unknown: new Set<string>() };
    const { problems } = checkUpdate(declared);
    const reasons = problems.map(({ property, reason }) => `its ${property} ${reason}`);
    if (reasons.length > 0) leftOut.push(`${title}, because ${reasons.join("; ")}`);
    else entries.push(entry);
    if (reasons.length === 0 && entry === words && date !== undefined)
      leftOut.push(`the public date of ${title}, because a different update has the same text and date`);
  }
  if (shown.size >= historyLimit)
    leftOut.push(
      `any older updates, because the service returns only the latest ${historyLimit} updates of an incident`,
    );
  const named = statusPageId === undefined ? entries : withKeys(entries);
  return { incidentId, name, account, statusPageId, entries: named, leftOut: leftOut.map(toOneLine) };
}

/** Adds a key to each entry, from its number and status, such as `02-identified`. The key is also the entry's file name. */
function withKeys(entries: readonly Entry[]) {
  const width = Math.max(2, String(entries.length).length);
  return entries.map((entry, index) => {
    const key = `${String(index + 1).padStart(width, "0")}-${entry.status.toLowerCase()}`;
    return { key, ...entry };
  });
}

function toEntry(update: StatusPageIncidentUpdate): Entry {
  const date = getPublicDate(update);
  return {
    status: update.status ?? "",
    description: update.description.trim(),
    ...(date !== undefined && { publicIncidentUpdateDate: date }),
    ...(update.notifySubscribers === true && { notifySubscribers: true }),
  };
}

const minuteMs = 60_000;

/** Returns the public date. Undefined if it's the time of the post, because that is the default. */
function getPublicDate({ publicIncidentUpdateDate: date, created_at: created }: StatusPageIncidentUpdate) {
  const ms = parseMs(date);
  if (ms === undefined || Math.abs(ms - (parseMs(created) ?? Infinity)) < minuteMs) return undefined;
  return new Date(ms).toISOString();
}

/** Formats the program in each language. @param isModule True if the project's JavaScript files are ES modules. */
export const programs = {
  typescript: (adoption: Adoption) => renderScript(adoption, true),
  javascript: renderScript,
  yaml: renderYaml,
};

function renderScript(adoption: Adoption, isModule: boolean): string {
  const { incidentId, name, entries } = adoption;
  const packageName = '"pulumi-monitoring-service"';
  const load = isModule
    ? `import { IncidentTimeline } from ${packageName};`
    : `const { IncidentTimeline } = require(${packageName});`;
  const renderFields = (entry: Entry) =>
    Object.entries(entry).map(([field, value]) => `      ${field}: ${toLiteral(value)},\n`);
  return `${load}

// The public updates of ${quoteString(name)}. Add new updates at the end. The next \`pulumi up\` posts them.
new IncidentTimeline(${quoteString(incidentId)}, {
  incidentId: ${quoteString(incidentId)},
${renderOptional(adoption, (field, value) => `  ${field}: ${quoteString(value)},\n`)}  updates: [
${entries.map((entry) => `    {\n${renderFields(entry).join("")}    },\n`).join("")}  ],
});
`;
}

function toLiteral(value: string | boolean): string {
  if (typeof value === "boolean") return String(value);
  const lines = value.split("\n").map((line) => quoteString(line));
  if (lines.length === 1) return lines.join("");
  return `[\n${lines.map((line) => `        ${line},\n`).join("")}      ].join("\\n")`;
}

/** Formats the timeline's optional arguments. */
function renderOptional(
  { statusPageId, account }: Adoption,
  line: (field: string, value: string) => string,
): string {
  return Object.entries({ statusPageId, account })
    .flatMap(([field, value]) => (value === undefined ? [] : line(field, value)))
    .join("");
}

function renderYaml(adoption: Adoption): string {
  const { incidentId, name, entries } = adoption;
  const renderFields = (entry: Entry) =>
    Object.entries(entry).map(([field, value]) => `${field}: ${toYamlScalar(value)}\n`);
  return `name: ${toYamlScalar(incidentId.replace(/[^\w.-]/g, "-").slice(0, 100))}
runtime: yaml
plugins:
  providers:
    - name: monitoring
      path: node_modules/pulumi-monitoring-service/plugin
resources:
  # The public updates of ${quoteString(name)}. Add new updates at the end. The next \`pulumi up\` posts them.
  ${toYamlScalar(incidentId)}:
    type: monitoring:IncidentTimeline
    properties:
      incidentId: ${toYamlScalar(incidentId)}
${renderOptional(adoption, (field, value) => `      ${field}: ${toYamlScalar(value)}\n`)}      updates:
${entries.map((entry) => `        - ${renderFields(entry).join("          ")}`).join("")}`;
}

/** Escapes dollars, because Pulumi interprets `${` as the start of a reference and `$$` as a dollar. */
function toYamlScalar(value: string | boolean): string {
  if (typeof value === "boolean") return String(value);
  const text = value.replace(/\$(?=[${])/g, "$$$$");
  const lines = text.split("\n");
  const isBlock = lines.length > 1 && lines.every((line) => line.search(unusual) < 0);
  if (!isBlock) return quoteString(text, (code) => `\\U${code.toString(16).padStart(8, "0")}`);
  return `|-\n${lines.map((line) => (line === "" ? "" : " ".repeat(12) + line)).join("\n")}`;
}

/** Matches characters that a reviewer can't see or distinguish from others. Some end a line or change the direction of text. */
const unusual = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Returns a JavaScript string literal. Except for the escapes, it's also a YAML string. */
function quoteString(text: string, escape = (code: number) => `\\u{${code.toString(16)}}`): string {
  return JSON.stringify(text).replace(unusual, (character) => escape(character.codePointAt(0) ?? 0));
}

/** Returns the names and contents of files for the example `incident-files`. */
export function renderMarkdownFiles({ entries }: Adoption): (readonly [name: string, content: string])[] {
  return withKeys(entries).map((entry) => {
    const { key, status, description, notifySubscribers, publicIncidentUpdateDate: date } = entry;
    const head = [
      `status: ${status}`,
      ...(notifySubscribers ? ["notify: true"] : []),
      ...(date === undefined ? [] : [`date: ${date}`]),
    ];
    return [`${key}.md`, `---\n${head.join("\n")}\n---\n\n${description}\n`];
  });
}
