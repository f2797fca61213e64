/** Reports the result of a preview as data for bots and policies, and as a document that is rendered as text and Markdown. */
import { z } from "zod";
import { parseUrn, formatTitle } from "../../provider/engine";
import { formatCount } from "../../provider/texts";
import {
  type Block,
  formatUpdateBlocks,
  previewedIncident,
  type PreviewedIncident,
  previewedUpdate,
  type PreviewedUpdate,
} from "../../provider/wording";
import { type Document } from "../documents";
import { exitCodes } from "../exitCodes";
import { formatPreviewTitle } from "../job";
import { type Gap, type Preview } from "./plan";

const text = z.string();
const count = z.int().min(0);

/** Schema of the report. The version changes if a field is removed or its meaning changes. */
const report = z.object({
  version: z.literal(1),
  stack: text.optional(),
  result: z
    .enum(["passed", "failed", "notVerified"])
    .describe(
      "failed: Pulumi failed, or an update or an incident is rejected; notVerified: the service could not be read",
    ),
  problem: text.optional().describe("The reason why the plan is missing"),
  counts: z.object({
    willPost: count.describe("Updates that will be posted. Doesn't include incidents"),
    willOpen: count.describe("Incidents that will be opened"),
    willEmail: count.describe(
      "Of the updates that will be posted and the incidents that will be opened, how many email or may email every subscriber",
    ),
    mayPost: count,
    mayOpen: count,
    mayEmail: count,
    willEdit: count.describe("Public updates that are edited in place, without an email"),
    willEditIncidents: count.describe("Public incidents that are edited in place, without an email"),
    refused: count.describe("Updates and incidents"),
    warnings: count,
    removed: count.describe("Updates and incidents that are removed only from the state"),
    otherChanges: count.describe("Other resources that would change"),
    otherErrors: count,
  }),
  updates: z
    .array(previewedUpdate)
    .describe("Rejected updates first, then by incident, timeline and program"),
  incidents: z.array(previewedIncident).describe("Rejected incidents first, then by program"),
  removed: z.array(text).describe("Names of updates that are removed only from the state"),
  removedIncidents: z.array(text).describe("Names of incidents that are removed only from the state"),
  errors: z.array(text).describe("The reasons from this package and from policies why the preview fails"),
  warnings: z
    .array(text)
    .describe(
      "Warnings about the stack's timelines, in addition to the `warnings` of each update and incident",
    ),
  unread: z.array(text).describe("Why the service could not be read"),
  isUnchanged: z.boolean().describe("True if the stack is unchanged"),
  part: text
    .optional()
    .describe("The options that restrict the preview to a part of the stack. The rest of the stack may post"),
  commit: text.optional().describe("The commit that is previewed"),
  log: text.optional().describe("The URL of the job's log"),
});
export type PreviewReport = z.output<typeof report>;

export const createPreviewSchema = () => z.toJSONSchema(report);

/** Describes how Pulumi ended. */
export interface Ended {
  readonly code: number;
  readonly signal?: NodeJS.Signals | undefined;
  /** Last line that Pulumi printed. It may contain credentials. */
  readonly lastWords?: string;
}

const nothing: Preview = {
  updates: [],
  incidents: [],
  removed: [],
  removedIncidents: [],
  errors: [],
  otherErrors: 0,
  warnings: [],
  otherChanges: 0,
  unread: undefined,
  isUnchanged: false,
};

/**
 * Converts the preview to a report. The same program and page result in the same report, regardless of the order of the engine's steps.
 *
 * @param options Pulumi's options, and the variables that set options.
 */
export function createReport(
  found: Preview | Gap,
  ended: Ended,
  stack?: string,
  options: readonly string[] = [],
): PreviewReport {
  const problem = typeof found === "string" ? formatGap(found, ended) : undefined;
  const { removed, removedIncidents, errors, warnings, unread, isUnchanged, ...preview } =
    typeof found === "string" ? nothing : found;
  const { otherChanges, otherErrors } = preview;
  const part = findSelection(options);
  const updates = sortEntries(preview.updates.map((update) => previewedUpdate.parse(update)));
  const incidents = sortEntries(preview.incidents.map((incident) => previewedIncident.parse(incident)));
  const entries = [...updates, ...incidents];
  const emailing = entries.filter(({ emails }) => emails !== false);
  const refused = countEntries(entries, "refused");
  const isRejected = errors.length + otherErrors + refused > 0;
  const failed = problem !== undefined || ended.code !== 0 || isRejected;
  return {
    version: 1,
    stack,
    result: failed ? "failed" : unread ? "notVerified" : "passed",
    problem: problem ?? (failed && !isRejected ? "Pulumi failed: see the log." : undefined),
    counts: {
      willPost: countEntries(updates, "will"),
      willOpen: countEntries(incidents, "will"),
      willEmail: countEntries(emailing, "will"),
      mayPost: countEntries(updates, "may"),
      mayOpen: countEntries(incidents, "may"),
      mayEmail: countEntries(emailing, "may"),
      willEdit: countResults(updates, "edited"),
      willEditIncidents: countResults(incidents, "edited"),
      refused,
      warnings: warnings.length + entries.flatMap((entry) => entry.warnings).length,
      removed: removed.length + removedIncidents.length,
      otherChanges,
      otherErrors,
    },
    updates,
    incidents,
    removed: [...removed].sort(compare),
    removedIncidents: [...removedIncidents].sort(compare),
    errors: [...errors].sort(compare),
    warnings: [...warnings].sort(compare),
    unread: [...(unread ?? [])].sort(compare),
    isUnchanged: isUnchanged && part === undefined,
    part,
  };
}

/** An incident has fewer fields than an update has, besides its own. */
type Previewed = PreviewedIncident | PreviewedUpdate;

const countEntries = (entries: readonly Previewed[], posts: Previewed["posts"]): number =>
  entries.filter((entry) => entry.posts === posts).length;

const countResults = (entries: readonly Previewed[], result: Previewed["becomes"]): number =>
  entries.filter(({ becomes }) => becomes === result).length;

/** Returns the options that select resources, with their values, and the variables that set these options. */
function findSelection(options: readonly string[]): string | undefined {
  const chosen = options.flatMap((option, index) => {
    const [name] = choosing.exec(option) ?? [];
    if (name === undefined) return [];
    const isFollowed = name === option && !name.endsWith("-dependents");
    return [[option, ...(isFollowed ? options.slice(index + 1, index + 2) : [])].join(" ")];
  });
  return chosen.length === 0 ? undefined : chosen.join(" ");
}

/**
 * Matches these options. A short option may follow flags in the same argument and may be directly followed by its value, as in `-djt=urn`.
 */
const choosing =
  /^(?:-[djry]*[tx]|--(?:target|exclude)(?:-dependents|-replace)?(?==|$)|PULUMI_OPTION_(?:TARGET|EXCLUDE)\w*=(?=.))/;

/** Returns the report to use until the preview has ended. */
export function createUnfinishedReport(): PreviewReport {
  const problem = "The job ended before the preview was complete: see the log.";
  return { ...createReport("no end", { code: 1 }), problem };
}

/** An unverified preview doesn't pass, because updates that weren't compared with the service can't be approved. */
export const exitCodeOf = {
  passed: exitCodes.success,
  failed: exitCodes.failed,
  notVerified: exitCodes.unread,
} as const;

const collator = new Intl.Collator("en", { numeric: true });

/** Compares strings, and returns 0 only for identical ones. The collator treats `a-01` and `a-1` as equal. */
function compare(one: string, other: string): number {
  return collator.compare(one, other) || Number(one > other) - Number(one < other);
}

function sortEntries<Each extends PreviewedUpdate>(updates: readonly Each[]): Each[] {
  // An update that wasn't compared with its incident only contains the incident's ID, so use the name from other updates.
  const names = new Map(
    updates
      .flatMap(({ incident }) => (incident?.name ? [[incident.id, incident.name] as const] : []))
      .sort(([, one], [, another]) => compare(one, another)),
  );
  return [...updates].sort((one, other) => compareByPlace(one, other, names));
}

/**
 * Sorts rejected updates first, then by incident. Within an incident, timelines with their entries come first, then other updates in the
 * program's order.
 */
function compareByPlace(
  one: PreviewedUpdate,
  other: PreviewedUpdate,
  names: ReadonlyMap<string, string>,
): number {
  const [places, others] = [one, other].map(({ posts, incident, timeline, order = Infinity, urn }) => {
    const { name = "", entry = order } = timeline ?? {};
    const entries = [timeline ? "0" : "1", name, String(entry)];
    return [
      posts === "refused" ? "0" : "1",
      incident ? "0" : "1",
      names.get(incident?.id ?? "") ?? "",
      incident?.id ?? "",
      ...entries,
      urn,
    ];
  });
  return (
    (places ?? []).map((each, index) => compare(each, others?.[index] ?? "")).find((sign) => sign !== 0) ?? 0
  );
}

/** Subjects of the errors that end Pulumi before it has a plan. The more specific patterns are first. */
const subjects: readonly (readonly [pattern: RegExp, subject: string])[] = [
  [/passphrase|secrets manager/i, "the secrets of the stack"],
  [/access token|PULUMI_ACCESS_TOKEN|log ?in\b/i, "the login to the backend of the state"],
  [/\block(ed)?\b/i, "the lock of the stack"],
  [/project/i, "the project file"],
  [/plugin/i, "a plugin"],
  [/unknown (flag|command|shorthand)|argument/i, "the arguments of the command"],
  [/backend|state directory|bucket/i, "the backend of the state"],
  [/\bstack\b/i, "the stack"],
];

/**
 * Returns the reason why there is no plan. It doesn't quote Pulumi's output, because a host masks credentials in the log of a job but not
 * in a comment.
 */
function formatGap(gap: Gap, { code, signal, lastWords = "" }: Ended): string {
  const [, subject] = subjects.find(([pattern]) => pattern.test(lastWords)) ?? [];
  const about = subject === undefined ? "See the log" : `Its last message is about ${subject}. See the log`;
  const how = `Pulumi ended (${signal ?? `exit code ${code}`})`;
  switch (gap) {
    case "no plan":
      return code === 0
        ? "Pulumi printed no plan that this command can read. It needs Pulumi 3.200 or newer."
        : `${how} before it had a plan. ${about}.`;
    case "no end":
      return `${how} before its plan was complete. ${about}.`;
    case "steps":
      return "The plan contains fewer steps than its summary, so some of Pulumi's output was lost. Run the preview again.";
    case "line":
      return "A line of the plan can't be read. Another program may have written to the same output. See the log. Run the preview again.";
    case "fact":
      return (
        "The provider's preview data can't be read. Use the same version of pulumi-monitoring-service for the program and for this " +
        "command, and run the preview again."
      );
  }
}

/**
 * @param now Milliseconds since 1970.
 * @param markdown Errors in Markdown, by their text.
 */
export function createDocument(
  found: PreviewReport,
  now: number,
  markdown: ReadonlyMap<string, string> = new Map(),
): Document {
  const { result, problem, counts, updates, incidents, errors, warnings, unread, isUnchanged, part } = found;
  const { removed, removedIncidents } = found;
  const { otherChanges, otherErrors } = counts;
  const notVerified = "Not verified: the service could not be read, so the public updates are unknown.";
  const others = [
    ...includeIf(otherChanges > 0, `${formatCount(otherChanges, "other resource")} would change`),
    ...includeIf(otherErrors > 0, formatCount(otherErrors, "other error")),
  ];
  const isUnread = unread.length > 0 || result === "notVerified";
  const loud = updates.filter((update) => needsBlock(update, errors));
  const loudIncidents = incidents.filter((incident) => needsBlock(incident, errors));
  return {
    ...createHeading(found),
    sections: [
      {
        items: errors.map((error) => [{ ...createErrorBlock(error), markdown: markdown.get(error) }]),
        what: "error",
        most: maxMessageCharacters,
      },
      createSection(
        ...includeIf(problem !== undefined, createNote(problem ?? "")),
        ...includeIf(markdown.size > 0, {
          level: "warning",
          head: "The failed audit stopped the program. Resources that are declared after it may be missing from this preview.",
        } as const),
        ...includeIf(isUnread, { level: "warning", head: notVerified, lines: unread } as const),
        ...includeIf(part !== undefined, {
          level: "warning",
          head: `Only a part of the stack was previewed (${part}). The rest may post updates and email subscribers.`,
        } as const),
      ),
      {
        items: warnings.map((head) => [{ level: "warning", head }]),
        what: "warning",
        most: maxMessageCharacters,
      },
      { items: loudIncidents.map((incident) => formatUpdateBlocks(incident, now)), what: "incident" },
      {
        items: loud.map((update, index) => formatUpdateBlocks(update, now, loud[index - 1])),
        what: "update",
      },
      createSection(
        ...createListBlocks("Incident", incidents, removedIncidents, errors),
        ...createListBlocks("IncidentUpdate", updates, removed, errors),
      ),
      createSection(
        ...includeIf(isUnchanged && result !== "failed", createNote("The stack is unchanged.")),
        ...includeIf(others.length > 0, createNote(`${others.join(", ")}: see the log.`)),
      ),
    ],
  };
}

const createSection = (...blocks: readonly Block[]) => ({ items: [blocks] });
const createNote = (head: string): Block => ({ level: "note", head });
const includeIf = <Value>(isSo: boolean, value: Value): Value[] => (isSo ? [value] : []);

function createErrorBlock(error: string): Block {
  const [head = "", ...lines] = error.split("\n");
  return { level: "error", head, lines };
}

/**
 * Returns true if the report needs the update's own block. A rejected update with an error needs none, and an update that isn't posted may
 * be listed in one line.
 */
const needsBlock = ({ posts, urn, blocks }: Previewed, errors: readonly string[]): boolean =>
  blocks.some(({ lines, isDeclared = false }) => lines.length > 0 || isDeclared) ||
  (posts === "refused" && !errors.some((error) => error.startsWith(formatTitle(urn))));

/** Lists the resources of a type in one block for each reason, so that a plan that posts nothing fits on a screen. */
function createListBlocks(
  type: "Incident" | "IncidentUpdate",
  entries: readonly Previewed[],
  removed: readonly string[],
  errors: readonly string[],
): Block[] {
  const [done, what] = type === "Incident" ? ["opened", "incidents"] : ["posted", "updates"];
  const listUnchanged = (kind: "adopted" | "kept") =>
    entries.flatMap((one) =>
      one.becomes === kind && !needsBlock(one, errors) ? parseUrn(one.urn).name : [],
    );
  const lists = {
    [`already public and adopted (nothing is ${done})`]: listUnchanged("adopted"),
    [`changed only in the state (nothing is ${done} or emailed)`]: listUnchanged("kept"),
    [`removed only from the state (public ${what} stay public)`]: removed,
  };
  return Object.entries(lists).flatMap(([reason, names]) => {
    if (names.length === 0) return [];
    const shown = names.slice(0, maxListed).map((name) => JSON.stringify(name));
    const more = names.length > maxListed ? `, and ${names.length - maxListed} more` : "";
    return { head: `${formatCount(names.length, type)} ${reason}`, lines: [`${shown.join(", ")}${more}.`] };
  });
}

/** Limits the list, because a state may contain hundreds of updates. */
const maxListed = 50;

/** Limits the errors, and the warnings, so that a comment with many of them still has space for the updates. */
const maxMessageCharacters = 15_000;

/** Returns a heading such as `Preview of abc1234: 1 update will be posted, with an email to every subscriber`. */
function createHeading(found: PreviewReport): Pick<Document, "heading" | "level"> {
  const { stack, result, counts, updates, incidents, part } = found;
  const title = formatPreviewTitle(stack);
  if (result === "failed") return { heading: [`The ${title}`, " failed"], level: "error" };
  const { warnings } = counts;
  const parts = [
    ...formatEntryCount(incidents, "will", "incident", "will be opened"),
    ...formatEntryCount(updates, "will", "update", "will be posted"),
    ...formatEntryCount(incidents, "may", "incident", "may be opened"),
    ...formatEntryCount(updates, "may", "update", "may be posted"),
    ...formatResultCount(incidents, "edited", "public incident", "will be edited without an email"),
    ...formatResultCount(updates, "edited", "public update", "will be edited without an email"),
    ...formatResultCount(incidents, "verified", "public incident", "will be verified"),
    ...formatResultCount(updates, "verified", "public update", "will be verified"),
  ];
  const ofPart = part === undefined ? "" : " of the part that was previewed";
  const verdict = `${parts.join(", ") || "nothing will be posted"}${ofPart}`;
  const isDoubtful =
    result === "notVerified" || counts.mayPost + counts.mayOpen + warnings > 0 || part !== undefined;
  const warned = warnings > 0 ? `; ${formatCount(warnings, "warning")}` : "";
  return {
    heading: [
      title.replace("p", "P"),
      `${result === "notVerified" ? ", not verified" : ""}: ${verdict}${warned}`,
    ],
    level: isDoubtful ? "warning" : undefined,
  };
}

function formatEntryCount(
  entries: readonly Previewed[],
  posts: Previewed["posts"],
  noun: string,
  what: string,
): string[] {
  const these = entries.filter((entry) => entry.posts === posts);
  if (these.length === 0) return [];
  const emails = these.filter((each) => each.emails !== false);
  const perhaps = emails.some((each) => each.emails === undefined) ? "perhaps " : "";
  const each = emails.length < these.length ? `${emails.length} ` : these.length > 1 ? "each " : "";
  return [
    `${formatCount(these.length, noun)} ${what}`,
    ...includeIf(emails.length > 0, `${each}${perhaps}with an email to every subscriber`),
  ];
}

function formatResultCount(
  entries: readonly Previewed[],
  result: Previewed["becomes"],
  noun: string,
  what: string,
): string[] {
  const count = countResults(entries, result);
  return includeIf(count > 0, `${formatCount(count, noun)} ${what}`);
}
