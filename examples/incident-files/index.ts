import { readdirSync, readFileSync } from "node:fs";
import { RunError } from "@pulumi/pulumi";
import { IncidentTimeline } from "pulumi-monitoring-service";
import { isMap, parseDocument } from "yaml";

const statuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"] as const;
const fields = { status: statuses.join("|"), notify: "true|false", date: "\\d{4}-\\d\\d-\\d\\dT.+" };
const mistakes: string[] = [];

function updateIn(file: string) {
  const parts = /^---\r?\n([^]*?\n|)---(?:\r?\n|$)([^]*)/.exec(readFileSync(file, "utf8"));
  const [, head = "", description = ""] = parts ?? [];
  const mistakeAt = (offset: number, text: string) =>
    void mistakes.push(`${file}:${head.slice(0, offset).split("\n").length + 1}: ${text}`);
  const { contents, errors } = parseDocument(head, { prettyErrors: false });
  for (const { pos, message } of errors) mistakeAt(pos[0], message);
  const found: Record<string, string | undefined> = {};
  for (const { key, value } of isMap(contents) ? contents.items : []) {
    const name = key.toString();
    const [, allowed = ""] = Object.entries(fields).find(([field]) => field === name) ?? [];
    found[name] = value?.toString() ?? "";
    if (allowed === "") mistakeAt(key.range[0], `${name} is none of ${Object.keys(fields).join(", ")}`);
    else if (!RegExp(`^(${allowed})$`).test(found[name]))
      mistakeAt(key.range[0], `${name} can't be "${found[name]}"`);
  }
  if (found.status === undefined) mistakeAt(0, "status is missing");
  if (description.trim() === "") mistakeAt(head.length, "the text is missing");
  const status = statuses.find((one) => one === found.status) ?? "RESOLVED";
  const notifySubscribers = found.notify === "true";
  return { status, description, notifySubscribers, publicIncidentUpdateDate: found.date };
}

const timelines = readdirSync("incidents").map((incidentId) => {
  const files = readdirSync(`incidents/${incidentId}`).sort((one, other) => parseInt(one) - parseInt(other));
  const paths = files.map((file) => `incidents/${incidentId}/${file}`);
  files.forEach((file, at) => {
    if (!/^\d+.*\.md$/.test(file)) mistakes.push(`${paths[at]}:1: its name must be a number, a word and .md`);
    const before = files[at - 1] ?? "";
    if (parseInt(file) === parseInt(before)) mistakes.push(`${paths[at]}:1: ${before} has the same number`);
  });
  return { incidentId, updates: paths.map(updateIn) };
});
if (mistakes.length > 0) throw new RunError(`Correct these files:\n${mistakes.join("\n")}`);
for (const timeline of timelines) new IncidentTimeline(timeline.incidentId, timeline);
