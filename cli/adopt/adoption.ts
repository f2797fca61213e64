/**
 * Writes a program that declares the public updates of an incident and, on request, the incident: selects the updates that a timeline can
 * declare, and formats the program in each language.
 */
import {
  historyLimit,
  parseMs,
  sortByPublicDate,
  sortOldestFirst,
  type StatusPageIncident,
  type StatusPageIncidentUpdate,
} from "../../provider/api";
import { findFirstUpdate } from "../../provider/connection";
import { checkIncident, checkUpdate } from "../../provider/lifecycles";
import { computeContentVersion, normalizeContent, type ShownUpdate } from "../../provider/protocol/identity";
import { normalizeId, type Problem, toOneLine } from "../../provider/texts";

/** The arguments of an `IncidentTimeline` that a program declares. */
export interface Adoption extends Pick<StatusPageIncident, "name"> {
  readonly incidentId: string;
  readonly account: string | undefined;
  readonly statusPageId: string | undefined;
  /** The incident with its first update. Undefined if the program only declares updates. */
  readonly opening: Opening | undefined;
  /** Entries in the order of a timeline, with their fields in the order of a program. */
  readonly entries: readonly Entry[];
  /** Descriptions of public updates and dates that aren't declared, with the reasons. */
  readonly leftOut: readonly string[];
}

type Entry = Readonly<{
  /** Set last. */
  key?: string;
  status: string;
  description: string;
  publicIncidentUpdateDate?: string;
  notifySubscribers?: true;
}>;

type Opening = Omit<Entry, "key" | "publicIncidentUpdateDate"> &
  Readonly<{ name: string; impacts: readonly Impact[] }>;

type Impact = Readonly<{ component?: string; componentId?: string; status: string }>;

interface AdoptionOptions extends Partial<Pick<Adoption, "account" | "statusPageId">> {
  /** The incidents of the page that an `Incident` with this name could adopt. Undefined if the program only declares updates. */
  readonly openings?: readonly ShownUpdate[] | undefined;
  /** Names of the page's components by their IDs. */
  readonly components?: ReadonlyMap<string, string>;
}

/**
 * Declares each update in the form that the first `pulumi up` adopts. Omits updates that the provider would reject, and records the reason.
 */
export function createAdoption(
  incident: StatusPageIncident,
  { account, statusPageId, openings, components = new Map() }: AdoptionOptions = {},
): Adoption {
  const { id: incidentId, name } = incident;
  const { opening, first, reason } = openings
    ? createOpening(incident, statusPageId, openings, components)
    : {};
  const shown = new Map((incident.incidentUpdates ?? []).map((update) => [normalizeId(update.id), update]));
  const updates = sortByPublicDate([...shown.values()]).filter(({ id }) => id !== first?.id);
  const contents = updates.map((update) => normalizeContent(update));
  const keys = contents.map(computeContentVersion);
  const entries: Entry[] = [];
  const leftOut = [
    ...(reason === undefined ? [] : [`the incident, because ${reason}`]),
    ...(incident.incidentUpdates ? [] : ["all updates, because the service's response doesn't contain them"]),
  ];
  for (const [index, update] of updates.entries()) {
    const { publicIncidentUpdateDate: date, ...words } = toEntry(update);
    // Updates with the same content are distinguished by their order, because a timeline can't declare the same content and date twice.
    const isRepeated = keys.indexOf(keys[index] ?? "") !== keys.lastIndexOf(keys[index] ?? "");
    const entry = isRepeated || date === undefined ? words : { ...words, publicIncidentUpdateDate: date };
    const title = `update ${update.id} (${update.status ?? "no status"}, ${update.created_at ?? "unknown time"})`;
    const declared = { known: { incidentId, statusPageId, ...entry }, unknown: new Set<string>() };
    const { problems } = checkUpdate(declared);
    const isFirst =
      first && entry === words && normalizeContent(first).contentKey === contents[index]?.contentKey;
    const reasons = [
      ...problems.map(formatProblem),
      ...(isFirst ? ["the first update has the same status and text"] : []),
    ];
    if (reasons.length > 0) leftOut.push(`${title}, because ${reasons.join("; ")}`);
    else entries.push(entry);
    if (reasons.length === 0 && entry === words && date !== undefined)
      leftOut.push(`the public date of ${title}, because a different update has the same text and date`);
  }
  if (shown.size >= historyLimit)
    leftOut.push(
      `any older updates, because the service returns only the latest ${historyLimit} updates of an incident`,
    );
  return {
    incidentId,
    name,
    account,
    statusPageId,
    opening,
    entries: withKeys(entries),
    leftOut: leftOut.map(toOneLine),
  };
}

/** Declares the incident with its first update, or returns the reason why the first `pulumi up` wouldn't adopt the incident. */
function createOpening(
  incident: StatusPageIncident,
  statusPageId: string | undefined,
  openings: readonly ShownUpdate[],
  components: ReadonlyMap<string, string>,
): { opening?: Opening; first?: StatusPageIncidentUpdate; reason?: string } {
  const first = findFirstUpdate(incident);
  const shown = openings.find(({ id }) => id === normalizeId(incident.id));
  if (incident.lastUpdateStatus === "RESOLVED" || shown?.isResolved)
    return { reason: "it is resolved, and only an open incident is adopted" };
  if (!first || !shown) return { reason: "the service's response doesn't contain its first update" };
  const { publicIncidentUpdateDate: _, ...words } = toEntry(first);
  const names = [...components.values()];
  const impacts = (shown.componentImpacts ?? []).map(({ componentId, status }): Impact => {
    const component = components.get(componentId);
    const isUnique = component !== undefined && names.indexOf(component) === names.lastIndexOf(component);
    return { ...(isUnique ? { component } : { componentId }), status };
  });
  const opening = { name: incident.name, impacts, ...words };
  const { problems } = checkIncident({ known: { statusPageId, ...opening }, unknown: new Set() });
  if (problems.length > 0) return { reason: problems.map(formatProblem).join("; ") };
  const oldest = sortOldestFirst(openings).find(
    ({ isResolved, contentKey }) => !isResolved && contentKey === shown.contentKey,
  );
  if (oldest && oldest.id !== shown.id)
    return {
      reason: `the older incident ${oldest.id} is open and has the same name and the same first update`,
    };
  return { opening, first };
}

const formatProblem = ({ property, reason }: Problem): string => `its ${property} ${reason}`;

/** Adds a key to each entry, from its number and status, such as `02-identified`. */
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

/** Formats the program in each language. */
export const programs = { typescript: renderTypeScript, yaml: renderYaml };

function renderTypeScript(adoption: Adoption): string {
  const { incidentId, name, opening, entries } = adoption;
  const names = opening ? "Incident, IncidentTimeline" : "IncidentTimeline";
  const common = renderOptional(adoption, (field, value) => `  ${field}: ${quoteString(value)},\n`);
  const renderFields = (entry: Entry) =>
    Object.entries(entry).map(([field, value]) => `      ${field}: ${toLiteral(value)},\n`);
  return `import { ${names} } from "pulumi-monitoring-service";

${opening ? renderTypeScriptIncident(adoption, opening, common) : ""}// The ${opening ? "later " : ""}public updates of ${quoteString(name)}. Add new updates at the end. The next \`pulumi up\` posts them.
new IncidentTimeline(${quoteString(getTimelineName(adoption))}, {
  incidentId: ${quoteString(incidentId)},
${common}  updates: [
${entries.map((entry) => `    {\n${renderFields(entry).join("")}    },\n`).join("")}  ],
});
`;
}

/** Returns a name for the resource of the incident, from the incident's name. */
function getResourceName({ name, incidentId }: Adoption): string {
  const words =
    name
      .toLowerCase()
      .replace(/['\u2019]/g, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join("-").slice(0, 100) || incidentId;
}

const getTimelineName = (adoption: Adoption): string =>
  `${getResourceName(adoption)}${adoption.opening ? "-updates" : ""}`;

function renderTypeScriptIncident(adoption: Adoption, opening: Opening, common: string): string {
  const { impacts, ...words } = opening;
  const fields = Object.entries(words).map(([field, value]) => `  ${field}: ${toLiteral(value, "  ")},\n`);
  const renderImpact = (impact: Impact) =>
    `    { ${Object.entries(impact)
      .map(([field, value]) => `${field}: ${quoteString(value)}`)
      .join(", ")} },\n`;
  return `// ${ofIncident}
new Incident(${quoteString(getResourceName(adoption))}, {
${common}${fields.join("")}  impacts: [
${impacts.map(renderImpact).join("")}  ],
});

`;
}

const ofIncident =
  "The incident with its first update. `impacts` lists the components that aren't operational.";

function toLiteral(value: string | boolean, indent = "      "): string {
  if (typeof value === "boolean") return String(value);
  const lines = value.split("\n").map((line) => quoteString(line));
  if (lines.length === 1) return lines.join("");
  return `[\n${lines.map((line) => `${indent}  ${line},\n`).join("")}${indent}].join("\\n")`;
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
  const { incidentId, name, opening, entries } = adoption;
  const common = renderOptional(adoption, (field, value) => `      ${field}: ${toYamlScalar(value)}\n`);
  return `name: ${toYamlScalar(incidentId.replace(/[^\w.-]/g, "-").slice(0, 100))}
runtime: yaml
plugins:
  providers:
    - name: monitoring
      path: node_modules/pulumi-monitoring-service/plugin
resources:
${opening ? renderYamlIncident(adoption, opening, common) : ""}  # The ${opening ? "later " : ""}public updates of ${quoteString(name)}. Add new updates at the end. The next \`pulumi up\` posts them.
  ${toYamlScalar(getTimelineName(adoption))}:
    type: monitoring:IncidentTimeline
    properties:
      incidentId: ${toYamlScalar(incidentId)}
${common}      updates:${renderList(entries)}`;
}

function renderYamlIncident(adoption: Adoption, opening: Opening, common: string): string {
  const { impacts, ...words } = opening;
  const fields = Object.entries(words).map(([field, value]) => `      ${field}: ${toYamlScalar(value)}\n`);
  return `  # ${ofIncident}
  ${toYamlScalar(getResourceName(adoption))}:
    type: monitoring:Incident
    properties:
${common}${fields.join("")}      impacts:${renderList(impacts)}`;
}

function renderList(items: readonly (Entry | Impact)[]): string {
  if (items.length === 0) return " []\n";
  const renderItem = (item: Entry | Impact) =>
    Object.entries(item).map(([field, value]) => `${field}: ${toYamlScalar(value)}\n`);
  return `\n${items.map((item) => `        - ${renderItem(item).join("          ")}`).join("")}`;
}

/** Escapes dollars, because Pulumi interprets `${` as the start of a reference and `$$` as a dollar. */
function toYamlScalar(value: string | boolean): string {
  if (typeof value === "boolean") return String(value);
  const text = value.replace(/\$(?=[${])/g, "$$$$");
  const lines = text.split("\n");
  // A block doesn't keep white space at its start and its end.
  const isBlock = lines.length > 1 && text === text.trim() && lines.every((line) => line.search(unusual) < 0);
  if (!isBlock) return quoteString(text, (code) => `\\U${code.toString(16).padStart(8, "0")}`);
  return `|-\n${lines.map((line) => (line === "" ? "" : " ".repeat(12) + line)).join("\n")}`;
}

/** Matches characters that a reviewer can't see or distinguish from others. Some end a line or change the direction of text. */
const unusual = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Returns a JavaScript string literal. Except for the escapes, it's also a YAML string. */
function quoteString(text: string, escape = (code: number) => `\\u{${code.toString(16)}}`): string {
  return JSON.stringify(text).replace(unusual, (character) => escape(character.codePointAt(0) ?? 0));
}
