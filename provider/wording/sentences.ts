/**
 * Tells the user what happens to an update: notices, which fail nothing, and refusals. Only that of an unconfirmed update quotes what is
 * declared, unless it is a secret.
 */
import { historyLimit } from "../api";
import {
  changedIdentity,
  type Content,
  type Declaration,
  type Notice,
  type Refusal,
  type Sent,
  otherProvider,
} from "../protocol";
import { amount, quotedExcerpt, sameText } from "../texts";
import { partsOf } from "../engine";

const respelled = "description, in HTML entities or Unicode alone";

/** @param declared As far as the notice needs it: one about the state alone needs nothing. */
export function noticeText(
  notice: Notice,
  { containerId: incidentId, notifySubscribers, description = "" }: Partial<Declaration>,
): string {
  switch (notice.tell) {
    case "adopted": {
      const { id, created_at: since, notifySubscribers: shownFlag } = notice.update;
      const flag =
        typeof shownFlag === "boolean" && shownFlag !== notifySubscribers
          ? ` It shows notifySubscribers ${shownFlag}${shownFlag ? "" : ", as after an edit"}, and ${notifySubscribers} is declared; no email is sent now.`
          : "";
      const what = sameText(notice.update.description, description)
        ? `an identical update (${id})`
        : `this update (${id}), edited since,`;
      return `IncidentUpdate: ${what} has existed in incident ${incidentId} since ${since ?? "an unknown time"}; adopted, nothing posted.${flag}`;
    }
    case "several":
      return `IncidentUpdate: ${notice.count} new updates of incident ${incidentId} match; the oldest, ${notice.id}, is assumed to be the one that was posted.`;
    case "found":
      return `IncidentUpdate: update ${notice.id} was published on incident ${incidentId} by a previous run, whose response was lost. It was not posted again.`;
    case "moved":
      return `IncidentUpdate: incident ${incidentId} shows the update at its new address (${notice.id}), so only the state changes; nothing posted.`;
    case "resent":
      return `IncidentUpdate: incident ${incidentId} doesn't show the update that was sent at ${new Date(notice.at).toISOString()}, and monitoring:resend permits sending it again. Remove the code after this run.`;
    case "altered":
      return (
        `IncidentUpdate: incident ${incidentId} shows update ${notice.id} with another text than the one that was sent. After a rename or ` +
        "a lost state, it may not be recognized as the declared one: write it with characters that the service keeps."
      );
    case "waits":
      return (
        `IncidentUpdate: this machine sent ${notice.isLater ? "a later entry of the timeline" : "an update that may be this one"} to incident ${incidentId} moments ago, and the ` +
        `service doesn't show it yet. Searching for it for up to ${Math.ceil(notice.ms / 1000)} s before anything is posted.`
      );
    case "overwrites":
      return `IncidentUpdate: update ${notice.id} was changed on the service. monitoring:resend permits the edit, which overwrites that. Remove the code after this run.`;
    case "early":
      return (
        `IncidentUpdate: incident ${incidentId} may still show what was sent, until ${timeOf(notice.from)}. Searching for it until then; a ` +
        "code counts from then on."
      );
    case "behind":
      return "It is posted once the result of the earlier update is known.";
    case "redated":
      return "It has the words of the update that it replaces: only publicIncidentUpdateDate changes. A date such as new Date() is another one in each run.";
    case "unread":
      return notice.why === "" ? "" : `The preview could not read the service. ${notice.why}`;
    case "notKnown": {
      const consequence = notice.isRefused ? " If the value changes, `pulumi up` refuses it." : "";
      return `Not known yet: ${notice.fields.map(toProperty).join(", ")}.${consequence}`;
    }
    case "stateOnly": {
      const fields = notice.fields.map((name) => (name === "description" ? respelled : name)).join("; ");
      return (
        `IncidentUpdate ${notice.id}: the update is public, so only the state changes (${fields}): nothing is posted, ` +
        "nobody is emailed, and the public text stays as it is."
      );
    }
  }
}

/** A refusal names at most so many posts or updates. */
const mostListed = 10;

function inOtherWords({ publicIncidentUpdateDate: date }: Partial<Declaration>): string {
  const or = date === undefined ? "" : ", or with another date or none";
  return `If the public page shows it in other words${or}, declare ${or === "" ? "those" : "what it shows"}`;
}

interface RefusalOptions {
  /** True if the arguments of an explicit Provider configure the connection, and not the settings of the stack. */
  readonly isOfProvider?: boolean;
  /** True if the declared text may be a secret. If undefined, neither text is quoted, because a preview shows them anyway. */
  readonly isTextSecret?: boolean;
  /** The page of the incident, if it is one with components. */
  readonly statusPageId?: string | undefined;
  /** Names the update that is declared. Default: by its incident alone. */
  readonly title?: string;
  /** Names the update that the state has, instead. */
  readonly stored?: string | undefined;
}

export function refusalText(
  refusal: Refusal,
  declared: Partial<Declaration>,
  options: RefusalOptions = {},
): string {
  const { isOfProvider = false, isTextSecret, title = "IncidentUpdate", stored } = options;
  const on = `${stored ?? `${title} on incident ${declared.containerId}`}: `;
  // A text of the client begins with its operation and its incident.
  const of = options.title === undefined ? "" : `${title}: `;
  const isEntry = declared.followedBy !== undefined;
  switch (refusal.why) {
    case "failed":
      return `${of}${refusal.text}`;
    case "lost": {
      const { problem, sent, codes } = refusal;
      const why = problem ?? `createIncidentUpdate ${declared.containerId}: ${responseText(sent, isEntry)}.`;
      const answered = `Once the public page shows that it was not published, ${resendText(refusal, isOfProvider)}.`;
      return (
        `${of}${why} ${notFoundText(refusal)} The state records it: run \`pulumi up\` again, which searches for it and posts nothing ` +
        `until its result is known.${codes.length > 0 ? ` ${answered}` : ""}`
      );
    }
    case "editLost":
      return (
        `${of}${refusal.text} The incident doesn't show the edit so far. Run \`pulumi up\` again: it edits the update if it still must, ` +
        "and posts nothing."
      );
    case "unconfirmed": {
      const { sent } = refusal;
      const { which, what, next } = contentsOf(sent, declared, isTextSecret);
      const post = `${on}a previous run sent ${which} update at ${timeOf(sent.at)}${what}, and ${responseText(sent, isEntry)}.`;
      return `${post} ${notFoundText(refusal)} Nothing was posted: ${nextStep(refusal, isOfProvider)}${next}`;
    }
    default:
      return `${on}${reasonOf(refusal, declared, options)}.`;
  }
}

const clockOf = (ms: number): string => `${timeOf(ms).slice(11, 19)} UTC`;

/** @param ms In milliseconds since 1970. */
export const timeOf = (ms: number): string => new Date(ms).toISOString();

const longestQuotation = 300;

/** Describes the post and, if it is another update, the declared one. Quotes neither if one of them is or was a secret. */
function contentsOf(sent: Sent, declared: Partial<Declaration>, isTextSecret: boolean | undefined) {
  const isSame = changedIdentity(sent.declared, declared).length === 0;
  const which = isSame ? "this" : "another";
  if (isTextSecret === undefined) return { which, what: "", next: "" };
  const contentOf = (content: Partial<Content>) => saying(content, isTextSecret || sent.isTextSecret);
  const what = ` (${contentOf(sent.declared)})`;
  if (isSame) return { which, what, next: "" };
  return { which, what, next: ` ${afterSearch[declared.onChange ?? "post"]} ${contentOf(declared)}.` };
}

const afterSearch = {
  post: "After that, it posts",
  refuse: "If it isn't public, it then posts",
  edit: "After that, it edits the update or, if it isn't public, posts",
};

function saying({ status, description = "" }: Partial<Content>, isSecret: boolean): string {
  return isSecret ? `${status}, a secret text` : `${status}: ${quotedExcerpt(description, longestQuotation)}`;
}

function responseText({ answered, declared: { containerId } }: Sent, isEntry: boolean): string {
  if (answered === undefined) return "received no response";
  if (answered === containerId) return "the service responded with the incident instead of the new update";
  return (
    `the service responded with update ${answered}, which existed before. If it keeps one of identical updates, ` +
    (isEntry ? "change the words of this entry" : "remove this declaration")
  );
}

type NotFound = Extract<Refusal, { why: "lost" | "unconfirmed" }>;

function notFoundText(refusal: NotFound): string {
  const { readProblem } = refusal;
  if (readProblem?.containerMissing) return "The incident was not found on the service.";
  if (readProblem) return `Reading the incident to search for it failed: ${readProblem.text}`;
  return `It isn't in the incident so far.${othersText(refusal)}`;
}

function othersText({ others = [] }: Extract<Refusal, { codes: unknown }>): string {
  if (others.length === 0) return "";
  const all = others.map(({ id, since }) => (since === undefined ? id : `${id} of ${since}`));
  return ` Any identical update that the incident shows (${listed(all)}) is another one.`;
}

function listed(all: readonly string[]): string {
  const more = all.length > mostListed ? [`and ${all.length - mostListed} more`] : [];
  return [...all.slice(0, mostListed), ...more].join("; ");
}

/** No step sends a second email, unless the user has seen on the public page that the first post failed. */
function nextStep(refusal: Extract<NotFound, { why: "unconfirmed" }>, isOfProvider: boolean): string {
  const { readProblem, sent, isCut } = refusal;
  if (readProblem?.containerMissing) {
    return (
      "if the incident exists in another account, point the stack back to that account; if its page was migrated to one with " +
      "components, set `statusPageId`. If it was deleted, remove this resource from the state with `pulumi state delete`, then from the program, or declare another incidentId."
    );
  }
  if (readProblem) return "run `pulumi up` again when the incident can be read.";
  const older = isCut
    ? `; if it shows it as it was sent, older than the latest ${historyLimit} updates, run \`pulumi state delete\` on this resource, and ` +
      "remove the declaration or declare another text"
    : "";
  return `run \`pulumi up\` again later. ${inOtherWords(sent.declared)}${older}; if it doesn't show it, ${resendText(refusal, isOfProvider)}.`;
}

function resendText(
  { codes, set = [], from }: Extract<Refusal, { codes: unknown }>,
  isOfProvider: boolean,
): string {
  const all = codes.length > 1 || isOfProvider ? `"${codes.join(" ")}"` : codes.join();
  // A Provider's code is quoted because YAML may read it as a number.
  const answer = isOfProvider
    ? `pass resend ${all} to its Provider`
    : `run \`pulumi config set monitoring:resend ${all}\` or, in a pipeline, set MONITORING_RESEND to ${codes.length > 1 ? "them" : "it"} for one job`;
  const others = set.length === 0 ? "" : ` (set already, without an answer to this: ${set.join(", ")})`;
  const early = from === undefined ? "" : `not before ${clockOf(from)}, `;
  return `${early}${answer}${others}, then run \`pulumi up\``;
}

type ProtocolRefusal = Exclude<Refusal, { why: "failed" | "lost" | "editLost" | "unconfirmed" }>;

function reasonOf(
  refusal: ProtocolRefusal,
  declared: Partial<Declaration>,
  { isOfProvider = false, isTextSecret = false, statusPageId }: RefusalOptions,
): string {
  const { occurrence = 1, followedBy } = declared;
  const isEntry = followedBy !== undefined;
  const { length: later } = followedBy ?? [];
  const waiting =
    later === 0 ? "" : later === 1 ? ", and 1 later entry waits" : `, and ${later} later entries wait`;
  switch (refusal.why) {
    case "twin":
      return twinText(refusal, occurrence, isEntry);
    case "changedBack": {
      const since = refusal.since === undefined ? "" : ` since ${refusal.since}`;
      return (
        `occurrence is ${occurrence}, but an identical update (${refusal.id}) has existed${since}: this resource published it ` +
        `before. Nothing was posted. To publish it again, set \`occurrence: ${refusal.next}\`; to keep the existing update ` +
        "without a new post, rename the resource"
      );
    }
    case "occurrence":
      return (
        `occurrence is ${occurrence}, but ${refusal.count} identical updates exist in the incident: ` +
        (isEntry
          ? "an earlier entry with the same words was deleted or changed on the service. Nothing was posted. Change the " +
            "description of this entry"
          : "declare the earlier ones first, and let this one depend on them")
      );
    case "unsettledTwin":
      return (
        `${nameOf(refusal.by)} sent an identical update, and it is unknown whether that was published. Nothing was posted. Remove ` +
        "one of them, or run `pulumi up` again when the result is known"
      );
    case "changed":
      return refusedChange(refusal.fields, declared, statusPageId);
    case "laterEntry":
      if (refusal.isGuess)
        return (
          `description would be published after update ${refusal.id}, which may be a later entry of this timeline, in other words. Nothing ` +
          "was posted. Declare what is new after all that is public, one entry in each `pulumi up`"
        );
      return (
        `description would be published after a later entry of this timeline (${refusal.id}). Nothing was posted. If this ` +
        `entry is public already, restore ${declared.key === undefined ? "" : "its key, its words or "}the state of the stack` +
        `${orAsShown(refusal)}; otherwise append it as the last entry`
      );
    case "earlierEntry":
      return (
        "the entry before this one isn't shown, and this run doesn't post it. Nothing was posted: run `pulumi up` without " +
        "`--exclude` and `--target`"
      );
    case "noted":
      return notedText(refusal, declared, isOfProvider);
    case "keyReused":
      return (
        "status and text must not both change: the update is public, and under its key the program declares another one. Nothing was " +
        "edited. What is new needs a key of its own; to correct this update, change its text and its status in two runs"
      );
    case "alike":
      if (refusal.updates.every(({ isRenamed }) => isRenamed))
        return (
          `${alikeText(refusal.updates)} says nearly the same, and has no resource in this program. Nothing was posted. If it is this entry, ` +
          `restore its key, under which a correction edits it; if not, ${resendText(refusal, isOfProvider)}`
        );
      return (
        `${alikeText(refusal.updates)} may be this one, if the service changes public dates or characters. Nothing was posted. ` +
        "If so, declare the date and text that it shows; if not, " +
        resendText(refusal, isOfProvider)
      );
    case "gone":
      return (
        `update ${refusal.id} isn't shown. Nothing was posted, because an edit never posts. ` +
        nextAfter(
          refusal,
          "It was probably deleted: restore the value, or remove the declaration; to publish it anew, run `pulumi state delete` on this resource",
        )
      );
    case "tooEarly":
      return (
        `publicIncidentUpdateDate is before the incident began (${new Date(refusal.began).toISOString()}), which a status page with ` +
        "components rejects. Nothing was posted. Declare a later date, or none"
      );
    case "undated":
      return (
        `update ${refusal.id} has no public date, and an edit would set it to the current time. Nothing was edited. Declare ` +
        "publicIncidentUpdateDate"
      );
    case "miscounted":
      return (
        `after this edit, the incident would not have what is declared: ${amount(refusal.count, "other update")} would say the same as ` +
        `occurrence ${refusal.occurrence}` +
        (isEntry
          ? ", or a later entry would be posted once more. Nothing was edited. Restore what was declared, or declare another text, and what " +
            "is new as the last one"
          : `. Nothing was edited. Restore what was declared, declare another text or, if both are meant, declare \`occurrence: ${refusal.count + 1}\``)
      );
    case "taken": {
      const { by, isEdit } = refusal;
      const taken = isEdit
        ? `${nameOf(by)} declares the words that this edit takes away. Nothing was edited`
        : by === undefined
          ? "an update said this until an edit took the words away. Nothing was posted"
          : `${nameOf(by)} has the update with these words, and this run edits it to say something else. Nothing was posted`;
      if (declared.key !== undefined)
        return `${taken}. Correct the text in one \`pulumi up\`, and declare these words again in the next`;
      return (
        `${taken}. Name resources by what they are about, not by their place in a list, or declare an IncidentTimeline; to publish the ` +
        'words once more, run `pulumi up` for the edit, then declare them with onChange "post"'
      );
    }
    case "editedSince":
      return (
        `update ${refusal.id} was changed on the service. It says ${saying(refusal.shown, isTextSecret)}${datedText(refusal.shown)}; the edit ` +
        `would overwrite it with ${saying(declared, isTextSecret)}${datedText(declared)}. Nothing was edited${waiting}. To keep what it ` +
        `says, declare that; to overwrite it, ${resendText(refusal, isOfProvider)}`
      );
    case "undecided":
      return (
        "the incident no longer shows the update that the state has. Nothing was posted: declare the text that it shows or, to " +
        "publish once more, run `pulumi state delete` on this resource"
      );
    case "notThere": {
      const which =
        refusal.id === undefined ? "what a previous run sent" : `update ${refusal.id} of the state`;
      const next = nextAfter(
        refusal,
        "If it was deleted or never published, run `pulumi state delete` on this resource; as long as the program declares it, the " +
          "next `pulumi up` posts it",
      );
      return (
        `${which} isn't shown at this address. Nothing was posted, because a new address alone posts nothing: check ` +
        `\`statusPageId\` and \`incidentId\`. ${next}`
      );
    }
    case "full":
      return (
        `the service shows only the latest ${historyLimit} updates of this incident, so this one may be public. Nothing was posted. If the ` +
        "public page shows it, remove the declaration; otherwise publish it in the dashboard, or on another incident"
      );
    case "moved":
      return (
        `a previous run sent this update to incident ${refusal.from}, and its result is unknown. Nothing was posted: restore ` +
        "`incidentId` until the result is known. If its page was migrated, set `statusPageId`, too; if that incident was deleted, run " +
        "`pulumi state delete` on this resource"
      );
  }
}

function twinText(refusal: Extract<Refusal, { why: "twin" }>, occurrence: number, isEntry: boolean): string {
  const { by, id, differs, isPosted } = refusal;
  const other = nameOf(by);
  if (differs === "content") {
    return (
      `description is that of update ${id}, which ${other} has, although it declares another one. Nothing was posted. Remove this ` +
      "declaration, or change its description"
    );
  }
  if (differs === "occurrence") {
    return (
      `update ${id} is recorded for ${other}, too, which declares another occurrence. Nothing was posted. Remove this resource from ` +
      "the state with `pulumi state delete`: the next `pulumi up` adopts its own update"
    );
  }
  const declares = `${other} already declares this update (${id}). Nothing was posted. Remove one of them, or`;
  if (isEntry) return `${declares} change the words of this entry`;
  if (isPosted) return `${declares} declare the new one below those that are public`;
  const first = by === otherProvider ? "the other one" : other;
  return `${declares} set \`occurrence: ${occurrence + 1}\` to publish it once more, with \`dependsOn\` on ${first}`;
}

function notedText(
  refusal: Extract<Refusal, { why: "noted" }>,
  declared: Partial<Declaration>,
  isOfProvider: boolean,
): string {
  const what = refusal.isLater ? "a later entry of this timeline" : "an identical update";
  const posts = refusal.posts.map(({ id, at }) => `${id ?? "no response"}, ${timeOf(at)}`);
  const others = refusal.isLater ? "" : othersText(refusal);
  const next =
    refusal.codes.length > 0
      ? resendText(refusal, isOfProvider)
      : "delete the lock directory, then run `pulumi up`";
  return (
    `${what} was sent (${listed(posts)}) and isn't shown.${others} Nothing was posted: run \`pulumi up\` again later. ` +
    `${inOtherWords(declared)}; if it shows ${posts.length > 1 ? "none of them" : "no such update"}, ${next}`
  );
}

/** @param ifGone What to do about an update that doesn't appear any more. */
function nextAfter({ from }: { readonly from?: number }, ifGone: string): string {
  return from === undefined
    ? ifGone
    : `It may still appear until ${clockOf(from)}: run \`pulumi up\` again after that`;
}

function alikeText(updates: Extract<Refusal, { why: "alike" }>["updates"]): string {
  return updates
    .map(({ id, date }) => `update ${id}${date === undefined ? ", without a date," : ` of ${date}`}`)
    .join(" or ");
}

function orAsShown({ alike }: Extract<Refusal, { why: "laterEntry" }>): string {
  return alike.length === 0
    ? ""
    : ` or, if it is ${alikeText(alike)}, declare the date and text that it shows`;
}

/** Changes of an update that may be public and must not change. */
function refusedChange(
  fields: readonly string[],
  { onChange, followedBy, key }: Partial<Declaration>,
  statusPageId: string | undefined,
): string {
  const isEdit = onChange === "edit";
  const why = followedBy || isEdit ? "the update is public" : 'the update is public and onChange is "refuse"';
  const restore = followedBy
    ? "Restore the value and the order of the entries, and declare what is new as the last entry of the timeline"
    : "Restore the value, and declare the change as a new resource";
  const toEdit =
    followedBy === undefined
      ? 'set onChange to "edit"'
      : `restore the value, ${key === undefined ? "give each entry a key" : 'set onChange to "edit"'}, run \`pulumi up\`, then correct it`;
  const correct =
    statusPageId === undefined ? "correct it in the dashboard, too, and run `pulumi up --refresh`" : toEdit;
  const toPost = followedBy ? "" : '; to post it in place of this one, set onChange to "post"';
  const hint = isEdit || !fields.some(isCorrectable) ? "" : `. To correct a mistake, ${correct}${toPost}`;
  return `${fields.map((field) => `${toProperty(field)} must not change: ${why}. ${restore}`).join("; ")}${hint}`;
}

/** Names a field of the protocol as a program does. */
const toProperty = (field: string): string => (field === "containerId" ? "incidentId" : field);

const isCorrectable = (field: string): boolean => field === "description" || field === "status";

function datedText({ publicIncidentUpdateDate: date }: Partial<Content>): string {
  return date == null ? "" : `, dated ${date}`;
}

export function nameOf(resource: string): string {
  if (resource === otherProvider) return "a resource of another Provider";
  return JSON.stringify(partsOf(resource).name);
}
