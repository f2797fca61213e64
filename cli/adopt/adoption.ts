/** Writes a program that declares the public updates of an incident: which of them a timeline can declare, and the text in each format. */
import {
  historyLimit,
  msOf,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../../provider/api";
import { checkUpdate } from "../../provider/lifecycles";
import { byPublicDate, saidBy, worded } from "../../provider/protocol/identity";
import { canonicalId, oneLine } from "../../provider/texts";

/** Holds what a program declares: the values of an `IncidentTimeline`. */
export interface Adoption extends Pick<StatusPageIncident, "name"> {
  readonly incidentId: string;
  readonly account: string | undefined;
  readonly statusPageId: string | undefined;
  /** They stand in the order of a timeline, and their fields in that of a program. */
  readonly entries: readonly Entry[];
  /** Says what is public and isn't declared, each with the reason. */
  readonly leftOut: readonly string[];
}

type Entry = Readonly<{
  /** Set on a page with components, which lets updates be edited. */
  key?: string;
  status: string;
  description: string;
  publicIncidentUpdateDate?: string;
  notifySubscribers?: true;
}>;

/** Declares each update as a first `pulumi up` adopts it. What the provider rejects is left out, with its reason. */
export function adoptionOf(
  incident: StatusPageIncident,
  { account, statusPageId }: Partial<Pick<Adoption, "account" | "statusPageId">> = {},
): Adoption {
  const { id: incidentId, name } = incident;
  const shown = new Map((incident.incidentUpdates ?? []).map((update) => [canonicalId(update.id), update]));
  const updates = byPublicDate([...shown.values()]);
  const keys = updates.map((update) => saidBy(worded(update)));
  const entries: Entry[] = [];
  const leftOut = incident.incidentUpdates
    ? []
    : ["all updates, because the service's response doesn't contain them"];
  for (const [index, update] of updates.entries()) {
    const { publicIncidentUpdateDate: date, ...words } = entryOf(update);
    // Their order tells them apart: a timeline can't declare two with the same words and date.
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
  return { incidentId, name, account, statusPageId, entries: named, leftOut: leftOut.map(oneLine) };
}

/** The key of an entry is also the name of its file: its number and its status, such as `02-identified`. */
function withKeys(entries: readonly Entry[]) {
  const width = Math.max(2, String(entries.length).length);
  return entries.map((entry, index) => {
    const key = `${String(index + 1).padStart(width, "0")}-${entry.status.toLowerCase()}`;
    return { key, ...entry };
  });
}

function entryOf(update: StatusPageIncidentUpdate): Entry {
  const date = dateOf(update);
  return {
    status: update.status ?? "",
    description: update.description.trim(),
    ...(date !== undefined && { publicIncidentUpdateDate: date }),
    ...(update.notifySubscribers === true && { notifySubscribers: true }),
  };
}

const minuteMs = 60_000;

/** Returns the public date, unless it is the time of the post, which is its default. */
function dateOf({ publicIncidentUpdateDate: date, created_at: created }: StatusPageIncidentUpdate) {
  const ms = msOf(date);
  if (ms === undefined || Math.abs(ms - (msOf(created) ?? Infinity)) < minuteMs) return undefined;
  return new Date(ms).toISOString();
}

/** The program in each language. @param isModule True if JavaScript of the project is an ES module. */
export const programs = {
  typescript: (adoption: Adoption) => script(adoption, true),
  javascript: script,
  yaml,
};

function script(adoption: Adoption, isModule: boolean): string {
  const { incidentId, name, entries } = adoption;
  const packageName = '"pulumi-monitoring-service"';
  const load = isModule
    ? `import { IncidentTimeline } from ${packageName};`
    : `const { IncidentTimeline } = require(${packageName});`;
  const fieldsOf = (entry: Entry) =>
    Object.entries(entry).map(([field, value]) => `      ${field}: ${literal(value)},\n`);
  return `${load}

// The public updates of ${quoted(name)}. Add new updates at the end. The next \`pulumi up\` posts them.
new IncidentTimeline(${quoted(incidentId)}, {
  incidentId: ${quoted(incidentId)},
${optional(adoption, (field, value) => `  ${field}: ${quoted(value)},\n`)}  updates: [
${entries.map((entry) => `    {\n${fieldsOf(entry).join("")}    },\n`).join("")}  ],
});
`;
}

function literal(value: string | boolean): string {
  if (typeof value === "boolean") return String(value);
  const lines = value.split("\n").map((line) => quoted(line));
  if (lines.length === 1) return lines.join("");
  return `[\n${lines.map((line) => `        ${line},\n`).join("")}      ].join("\\n")`;
}

/** The arguments of the timeline that not each program needs. */
function optional(
  { statusPageId, account }: Adoption,
  line: (field: string, value: string) => string,
): string {
  return Object.entries({ statusPageId, account })
    .flatMap(([field, value]) => (value === undefined ? [] : line(field, value)))
    .join("");
}

function yaml(adoption: Adoption): string {
  const { incidentId, name, entries } = adoption;
  const fieldsOf = (entry: Entry) =>
    Object.entries(entry).map(([field, value]) => `${field}: ${yamlScalar(value)}\n`);
  return `name: ${yamlScalar(incidentId.replace(/[^\w.-]/g, "-").slice(0, 100))}
runtime: yaml
plugins:
  providers:
    - name: monitoring
      path: node_modules/pulumi-monitoring-service/plugin
resources:
  # The public updates of ${quoted(name)}. Add new updates at the end. The next \`pulumi up\` posts them.
  ${yamlScalar(incidentId)}:
    type: monitoring:IncidentTimeline
    properties:
      incidentId: ${yamlScalar(incidentId)}
${optional(adoption, (field, value) => `      ${field}: ${yamlScalar(value)}\n`)}      updates:
${entries.map((entry) => `        - ${fieldsOf(entry).join("          ")}`).join("")}`;
}

/** Pulumi takes `${` for the begin of a reference, and `$$` for a dollar. */
function yamlScalar(value: string | boolean): string {
  if (typeof value === "boolean") return String(value);
  const text = value.replace(/\$(?=[${])/g, "$$$$");
  const lines = text.split("\n");
  const isBlock = lines.length > 1 && lines.every((line) => line.search(unusual) < 0);
  if (!isBlock) return quoted(text, (code) => `\\U${code.toString(16).padStart(8, "0")}`);
  return `|-\n${lines.map((line) => (line === "" ? "" : " ".repeat(12) + line)).join("\n")}`;
}

/** A reviewer doesn't see these characters, or takes them for others. Some end a line, or turn its direction. */
const unusual = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Returns a string literal of JavaScript, which is also one of YAML but for the escapes. */
function quoted(text: string, escape = (code: number) => `\\u{${code.toString(16)}}`): string {
  return JSON.stringify(text).replace(unusual, (character) => escape(character.codePointAt(0) ?? 0));
}

/** The files of the example incident-files, by name. */
export function markdownFiles({ entries }: Adoption): (readonly [name: string, content: string])[] {
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
