// Reads the updates of incidents from Markdown files, as editors and status tools write them.
import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { isMap, parseDocument } from "yaml";

const statuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"] as const;
const fields = ["status", "notify", "date"];
const fieldsOfTools = ["title", "severity", "affected", "section", "pin", "informational", "draft"];

/** Returns the timelines in a folder, all errors in its files, and notes about ignored fields. */
export function readTimelines(folder: string) {
  const mistakes: string[] = [];
  const notes: string[] = [];
  const timelines = entriesIn(folder).flatMap((entry) => {
    const { name: incidentId } = entry;
    if (!entry.isDirectory()) {
      mistakes.push(`${folder}/${incidentId}:1: must be in a folder that has the id of an incident`);
      return [];
    }
    const names = entriesIn(`${folder}/${incidentId}`).map(({ name }) => name);
    names.sort((one, other) => parseInt(one) - parseInt(other));
    const updates = names.flatMap((name, at) => {
      const file = `${folder}/${incidentId}/${name}`;
      const before = names[at - 1] ?? "";
      const key = /^(\d+[-_.][\p{L}\p{N}._-]*)\.md$/u.exec(name)?.[1] ?? "";
      if (!/\p{L}/u.test(key))
        mistakes.push(`${file}:1: its name must be a number, a word and .md, such as 02-fixed.md`);
      if (parseInt(name) === parseInt(before)) mistakes.push(`${file}:1: ${before} has the same number`);
      // The name identifies the update: keep it when you correct the text.
      return updateIn(file, mistakes, notes).map((update) => ({ key, ...update }));
    });
    return { incidentId, updates };
  });
  return { timelines, mistakes, notes };
}

/** Leaves out what isn't an update: .DS_Store, .gitkeep, README.md. */
function entriesIn(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !/^\.|^readme\.md$/i.test(name));
}

function updateIn(file: string, mistakes: string[], notes: string[]) {
  const bytes = readFileSync(file);
  if (!isUtf8(bytes)) {
    mistakes.push(`${file}:1: isn't UTF-8. Save it with this encoding`);
    return [];
  }
  // Without the carriage returns of Windows; the decoder removes a byte order mark.
  const content = new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
  const parts = /^(\s*---[^\S\n]*\n)([^]*?\n|)---[^\S\n]*(?:\n|$)([^]*)/.exec(content);
  const [, begin = "", head = "", description = ""] = parts ?? [];
  const own: string[] = [];
  const mistakeAt = (offset: number, mistake: string) =>
    void own.push(`${file}:${(begin + head.slice(0, offset)).split("\n").length}: ${mistake}`);
  const { contents, errors } = parseDocument(head, { prettyErrors: false });
  for (const { pos, message } of errors) mistakeAt(pos[0], message);
  const found: Record<string, string | undefined> = {};
  const ignored: string[] = [];
  for (const { key, value } of isMap(contents) ? contents.items : []) {
    const name = key.toString().toLowerCase();
    if (Object.hasOwn(found, name)) mistakeAt(key.range[0], `${name} is set twice`);
    const text = value?.toString() ?? "";
    found[name] = text;
    if (fieldsOfTools.includes(name)) ignored.push(name);
    else if (!fields.includes(name)) mistakeAt(key.range[0], `${name} is none of ${fields.join(", ")}`);
    const mistake = mistakeIn(name, text);
    if (mistake !== undefined) mistakeAt(key.range[0], mistake);
  }
  if (found.status === undefined) mistakeAt(0, "status is missing");
  if (description.trim() === "") mistakeAt(head.length, "the text is missing");
  if (found.draft !== undefined && found.draft !== "false") {
    notes.push(`${file}: a draft, which isn't posted`);
    return [];
  }
  if (ignored.length > 0) notes.push(`${file}: ${ignored.join(", ")} ignored`);
  mistakes.push(...own);
  const status = statusOf(found.status) ?? "RESOLVED";
  const date = found.date === undefined ? undefined : dateOf(found.date);
  return [
    { status, description, notifySubscribers: found.notify === "true", publicIncidentUpdateDate: date },
  ];
}

function mistakeIn(name: string, value: string): string | undefined {
  const isWrong =
    (name === "status" && !statusOf(value)) ||
    (name === "notify" && !/^(true|false)$/.test(value)) ||
    (name === "date" && dateOf(value) === undefined);
  if (!isWrong) return undefined;
  const local = value.replace(/ ?[a-z]{2,5}$/i, "");
  if (name === "date" && dateOf(`${local} UTC`) !== undefined)
    return `date "${value}" needs a zone: write ${local} UTC, or its difference, such as ${local} +01:00`;
  return `${name} can't be "${value}"`;
}

const statusOf = (value = "") => statuses.find((each) => each === value.toUpperCase());

/** Returns a date in the format of the API, from `YYYY-MM-DD HH:MM` and a zone. */
function dateOf(value: string): string | undefined {
  const parts =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(?:(?:Z|UTC|GMT)|([+-]\d\d):?(\d\d))$/i;
  const [, day = "", time = "", hours = "", minutes = ""] = parts.exec(value) ?? [];
  const zone = hours === "" ? "Z" : `${hours}:${minutes}`;
  const date = `${day}T${time.length === 5 ? `${time}:00` : time}${zone}`;
  return Number.isNaN(Date.parse(date)) ? undefined : date;
}
