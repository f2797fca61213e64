/**
 * Tells the user what happens to an update: notices, which fail nothing, and refusals. Only that of an unconfirmed update quotes what is
 * declared, unless it is a secret.
 */
import { historyLimit } from "../api";
import {
  listChangedFields,
  type Content,
  type Declaration,
  type Notice,
  type Refusal,
  type UnconfirmedPost,
  otherProvider,
} from "../protocol";
import { formatCount, quoteExcerpt, sameText } from "../texts";
import { parseUrn } from "../engine";
import { getNouns, type Nouns } from "./nouns";

const respelled = "description, in HTML entities or Unicode alone";

/** @param declared As far as the notice needs it: one about the state alone needs nothing. */
export function formatNotice(
  notice: Notice,
  { containerId: incidentId, notifySubscribers, description = "", name }: Partial<Declaration>,
): string {
  const nouns = getNouns({ name });
  switch (notice.kind) {
    case "adopted": {
      const { id, created_at: since, notifySubscribers: shownFlag } = notice.update;
      const flag =
        typeof shownFlag === "boolean" && shownFlag !== notifySubscribers
          ? ` It shows notifySubscribers ${shownFlag}${shownFlag ? "" : ", as after an edit"}, and ${notifySubscribers} is declared; no email is sent now.`
          : "";
      const what = sameText(notice.update.description, description)
        ? `an identical ${nouns.entry} (${id})`
        : `this ${nouns.entry} (${id}), edited since,`;
      return `${nouns.type}: ${what} has existed in ${nouns.container} ${incidentId} since ${since ?? "an unknown time"}; adopted, nothing ${nouns.posted}.${flag}`;
    }
    case "several":
      return `${nouns.type}: ${notice.count} new ${nouns.entry}s of ${nouns.container} ${incidentId} match; the oldest, ${notice.id}, is assumed to be the one that was ${nouns.posted}.`;
    case "found":
      return `${nouns.type}: ${nouns.entry} ${notice.id} was ${nouns.published} on ${nouns.container} ${incidentId} by a previous run, whose response was lost. It was not ${nouns.posted} again.`;
    case "moved":
      return `IncidentUpdate: incident ${incidentId} shows the update at its new address (${notice.id}), so only the state changes; nothing posted.`;
    case "resent":
      return `${nouns.type}: ${nouns.container} ${incidentId} doesn't show the ${nouns.entry} that was sent at ${new Date(notice.at).toISOString()}, and monitoring:resend permits sending it again. Remove the code after this run.`;
    case "altered":
      return (
        `${nouns.type}: ${nouns.container} ${incidentId} shows ${nouns.entry} ${notice.id} with another text than the one that was sent. After a rename or ` +
        "a lost state, it may not be recognized as the declared one: write it with characters that the service keeps."
      );
    case "waits":
      return (
        `${nouns.type}: this machine sent ${notice.isLater ? "a later entry of the timeline" : `an ${nouns.entry} that may be this one`} to ${nouns.container} ${incidentId} moments ago, and the ` +
        `service doesn't show it yet. Searching for it for up to ${Math.ceil(notice.ms / 1000)} s before anything is ${nouns.posted}.`
      );
    case "overwrites":
      return `${nouns.type}: ${nouns.entry} ${notice.id} was changed on the service. monitoring:resend permits the edit, which overwrites that. Remove the code after this run.`;
    case "early":
      return (
        `${nouns.type}: ${nouns.container} ${incidentId} may still show what was sent, until ${formatTime(notice.from)}. Searching for it until then; a ` +
        "code counts from then on."
      );
    case "behind":
      return `It is ${nouns.posted} once the result of the earlier ${nouns.entry} is known.`;
    case "redated":
      return "It has the words of the update that it replaces: only publicIncidentUpdateDate changes. A date such as new Date() is another one in each run.";
    case "unread":
      return notice.why === "" ? "" : `The preview could not read the service. ${notice.why}`;
    case "notKnown": {
      const consequence = notice.isRefused ? " If the value changes, `pulumi up` refuses it." : "";
      return `Not known yet: ${notice.fields.map((field) => toProperty(field, nouns)).join(", ")}.${consequence}`;
    }
    case "stateOnly": {
      const fields = notice.fields.map((name) => (name === "description" ? respelled : name)).join("; ");
      return (
        `${nouns.type} ${notice.id}: the ${nouns.entry} is public, so only the state changes (${fields}): nothing is ${nouns.posted}, ` +
        "nobody is emailed, and the public text stays as it is."
      );
    }
  }
}

/** A refusal names at most so many posts or updates. */
const mostListed = 10;

function formatOtherTextAdvice({ publicIncidentUpdateDate: date }: Partial<Declaration>): string {
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

export function formatRefusal(
  refusal: Refusal,
  declared: Partial<Declaration>,
  options: RefusalOptions = {},
): string {
  const nouns = getNouns(declared);
  const { isOfProvider = false, isTextSecret, title = nouns.type, stored } = options;
  const on = `${stored ?? `${title} on ${nouns.container} ${declared.containerId}`}: `;
  // A text of the client begins with its operation and its incident.
  const of = options.title === undefined ? "" : `${title}: `;
  const isEntry = declared.followedBy !== undefined;
  switch (refusal.kind) {
    case "failed":
      return `${of}${refusal.text}`;
    case "lost": {
      const { problem, sent, codes } = refusal;
      const operation = declared.name === undefined ? "createIncidentUpdate" : "openComponentPageIncident";
      const why = problem ?? `${operation} ${declared.containerId}: ${formatResponse(sent, isEntry)}.`;
      const answered = `Once the public page shows that it was not ${nouns.published}, ${formatResendAdvice(refusal, isOfProvider)}.`;
      return (
        `${of}${why} ${formatNotFound(refusal)} The state records it: run \`pulumi up\` again, which searches for it and ${nouns.posts} nothing ` +
        `until its result is known.${codes.length > 0 ? ` ${answered}` : ""}`
      );
    }
    case "editLost":
      return (
        `${of}${refusal.text} The ${nouns.container} doesn't show the edit so far. Run \`pulumi up\` again: it edits the ${nouns.entry} if it still must, ` +
        `and ${nouns.posts} nothing.`
      );
    case "unconfirmed": {
      const { sent } = refusal;
      const { which, what, next } = describePost(sent, declared, isTextSecret);
      const post = `${on}a previous run sent ${which} ${nouns.entry} at ${formatTime(sent.at)}${what}, and ${formatResponse(sent, isEntry)}.`;
      return `${post} ${formatNotFound(refusal)} Nothing was ${nouns.posted}: ${formatNextStep(refusal, isOfProvider)}${next}`;
    }
    default:
      return `${on}${formatReason(refusal, declared, options)}.`;
  }
}

const formatClock = (ms: number): string => `${formatTime(ms).slice(11, 19)} UTC`;

/** @param ms In milliseconds since 1970. */
export const formatTime = (ms: number): string => new Date(ms).toISOString();

const longestQuotation = 300;

/** Describes the post and, if it is another update, the declared one. Quotes neither if one of them is or was a secret. */
function describePost(
  sent: UnconfirmedPost,
  declared: Partial<Declaration>,
  isTextSecret: boolean | undefined,
) {
  const isSame = listChangedFields(sent.declared, declared).length === 0;
  const which = isSame ? "this" : "another";
  if (isTextSecret === undefined) return { which, what: "", next: "" };
  const formatContent = (content: Partial<Content>) =>
    quoteContent(content, isTextSecret || sent.isTextSecret);
  const what = ` (${formatContent(sent.declared)})`;
  if (isSame) return { which, what, next: "" };
  return { which, what, next: ` ${afterSearch[declared.onChange ?? "post"]} ${formatContent(declared)}.` };
}

const afterSearch = {
  post: "After that, it posts",
  refuse: "If it isn't public, it then posts",
  edit: "After that, it edits the update or, if it isn't public, posts",
};

function quoteContent({ status, description = "" }: Partial<Content>, isSecret: boolean): string {
  return isSecret ? `${status}, a secret text` : `${status}: ${quoteExcerpt(description, longestQuotation)}`;
}

function formatResponse(
  { answered, declared: { containerId, name } }: UnconfirmedPost,
  isEntry: boolean,
): string {
  const nouns = getNouns({ name });
  if (answered === undefined) return "received no response";
  if (answered === containerId)
    return `the service responded with the ${nouns.container} instead of the new ${nouns.entry}`;
  return (
    `the service responded with ${nouns.entry} ${answered}, which existed before. If it keeps one of identical ${nouns.entry}s, ` +
    (isEntry ? "change the words of this entry" : "remove this declaration")
  );
}

type NotFoundRefusal = Extract<Refusal, { kind: "lost" | "unconfirmed" }>;

function formatNotFound(refusal: NotFoundRefusal): string {
  const nouns = getNouns(refusal.sent.declared);
  const { readProblem } = refusal;
  if (readProblem?.containerMissing) return `The ${nouns.container} was not found on the service.`;
  if (readProblem) return `Reading the ${nouns.container} to search for it failed: ${readProblem.text}`;
  return `It isn't in the ${nouns.container} so far.${formatOthers(refusal, nouns)}`;
}

function formatOthers({ others = [] }: Extract<Refusal, { codes: unknown }>, nouns: Nouns): string {
  if (others.length === 0) return "";
  const all = others.map(({ id, since }) => (since === undefined ? id : `${id} of ${since}`));
  return ` Any identical ${nouns.entry} that the ${nouns.container} shows (${joinLimited(all)}) is another one.`;
}

function joinLimited(all: readonly string[]): string {
  const more = all.length > mostListed ? [`and ${all.length - mostListed} more`] : [];
  return [...all.slice(0, mostListed), ...more].join("; ");
}

/** No step sends a second email, unless the user has seen on the public page that the first post failed. */
function formatNextStep(
  refusal: Extract<NotFoundRefusal, { kind: "unconfirmed" }>,
  isOfProvider: boolean,
): string {
  const { readProblem, sent, isCut } = refusal;
  const nouns = getNouns(sent.declared);
  if (readProblem?.containerMissing) {
    return (
      `if the ${nouns.container} exists in another account, point the stack back to that account; if its page was migrated to one with ` +
      "components, set `statusPageId`. If it was deleted, remove this resource from the state with `pulumi state delete`, then from the program, or declare another " +
      `${nouns.containerProperty}.`
    );
  }
  if (readProblem) return `run \`pulumi up\` again when the ${nouns.container} can be read.`;
  const older = isCut
    ? `; if it shows it as it was sent, older than the latest ${historyLimit} ${nouns.entry}s, run \`pulumi state delete\` on this resource, and ` +
      "remove the declaration or declare another text"
    : "";
  return `run \`pulumi up\` again later. ${formatOtherTextAdvice(sent.declared)}${older}; if it doesn't show it, ${formatResendAdvice(refusal, isOfProvider)}.`;
}

function formatResendAdvice(
  { codes, set = [], from }: Extract<Refusal, { codes: unknown }>,
  isOfProvider: boolean,
): string {
  const all = codes.length > 1 || isOfProvider ? `"${codes.join(" ")}"` : codes.join();
  // A Provider's code is quoted because YAML may read it as a number.
  const answer = isOfProvider
    ? `pass resend ${all} to its Provider`
    : `run \`pulumi config set monitoring:resend ${all}\` or, in a pipeline, set MONITORING_RESEND to ${codes.length > 1 ? "them" : "it"} for one job`;
  const others = set.length === 0 ? "" : ` (set already, without an answer to this: ${set.join(", ")})`;
  const early = from === undefined ? "" : `not before ${formatClock(from)}, `;
  return `${early}${answer}${others}, then run \`pulumi up\``;
}

type ProtocolRefusal = Exclude<Refusal, { kind: "failed" | "lost" | "editLost" | "unconfirmed" }>;

function formatReason(
  refusal: ProtocolRefusal,
  declared: Partial<Declaration>,
  { isOfProvider = false, isTextSecret = false, statusPageId }: RefusalOptions,
): string {
  const nouns = getNouns(declared);
  const { occurrence = 1, followedBy } = declared;
  const isEntry = followedBy !== undefined;
  const { length: later } = followedBy ?? [];
  const waiting =
    later === 0 ? "" : later === 1 ? ", and 1 later entry waits" : `, and ${later} later entries wait`;
  switch (refusal.kind) {
    case "twin":
      if (declared.name !== undefined)
        return `${formatResourceName(refusal.by)} already declares this incident (${refusal.id}). Nothing was opened. Remove one of them, or change its name`;
      return formatTwin(refusal, occurrence, isEntry);
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
        `${formatResourceName(refusal.by)} sent an identical ${nouns.entry}, and it is unknown whether that was ${nouns.published}. Nothing was ${nouns.posted}. Remove ` +
        "one of them, or run `pulumi up` again when the result is known"
      );
    case "changed":
      return formatRefusedChange(refusal.fields, declared, statusPageId);
    case "laterEntry":
      if (refusal.isGuess)
        return (
          `description would be published after update ${refusal.id}, which may be a later entry of this timeline, in other words. Nothing ` +
          "was posted. Declare what is new after all that is public, one entry in each `pulumi up`"
        );
      return (
        `description would be published after a later entry of this timeline (${refusal.id}). Nothing was posted. If this ` +
        `entry is public already, restore ${declared.key === undefined ? "" : "its key, its words or "}the state of the stack` +
        `${formatDeclareAsShown(refusal)}; otherwise append it as the last entry`
      );
    case "earlierEntry":
      return (
        "the entry before this one isn't shown, and this run doesn't post it. Nothing was posted: run `pulumi up` without " +
        "`--exclude` and `--target`"
      );
    case "noted":
      return formatNoted(refusal, declared, isOfProvider);
    case "keyReused":
      return (
        "status and text must not both change: the update is public, and under its key the program declares another one. Nothing was " +
        "edited. What is new needs a key of its own; to correct this update, change its text and its status in two runs"
      );
    case "alike":
      if (declared.name !== undefined) return sameNameText(refusal, declared.name, isOfProvider);
      if (refusal.updates.every(({ isRenamed }) => isRenamed))
        return (
          `${formatSimilarUpdates(refusal.updates)} says nearly the same, and has no resource in this program. Nothing was posted. If it is this entry, ` +
          `restore its key, under which a correction edits it; if not, ${formatResendAdvice(refusal, isOfProvider)}`
        );
      return (
        `${formatSimilarUpdates(refusal.updates)} may be this one, if the service changes public dates or characters. Nothing was posted. ` +
        "If so, declare the date and text that it shows; if not, " +
        formatResendAdvice(refusal, isOfProvider)
      );
    case "gone":
      return (
        `${nouns.entry} ${refusal.id} isn't shown. Nothing was ${nouns.posted}, because an edit never ${nouns.posts}. ` +
        formatRetryAdvice(
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
        `after this edit, the ${nouns.container} would not have what is declared: ${formatCount(refusal.count, `other ${nouns.entry}`)} would say the same as ` +
        `occurrence ${refusal.occurrence}` +
        (isEntry
          ? `, or a later entry would be ${nouns.posted} once more. Nothing was edited. Restore what was declared, or declare another text, and what ` +
            "is new as the last one"
          : `. Nothing was edited. Restore what was declared, declare another text or, if both are meant, declare \`occurrence: ${refusal.count + 1}\``)
      );
    case "taken": {
      const { by, isEdit } = refusal;
      const taken = isEdit
        ? `${formatResourceName(by)} declares the words that this edit takes away. Nothing was edited`
        : by === undefined
          ? `an ${nouns.entry} said this until an edit took the words away. Nothing was ${nouns.posted}`
          : `${formatResourceName(by)} has the ${nouns.entry} with these words, and this run edits it to say something else. Nothing was ${nouns.posted}`;
      if (declared.key !== undefined)
        return `${taken}. Correct the text in one \`pulumi up\`, and declare these words again in the next`;
      return (
        `${taken}. Name resources by what they are about, not by their place in a list, or declare an IncidentTimeline; to publish the ` +
        'words once more, run `pulumi up` for the edit, then declare them with onChange "post"'
      );
    }
    case "editedSince":
      return (
        `${nouns.entry} ${refusal.id} was changed on the service. It says ${quoteContent(refusal.shown, isTextSecret)}${formatDate(refusal.shown)}; the edit ` +
        `would overwrite it with ${quoteContent(declared, isTextSecret)}${formatDate(declared)}. Nothing was edited${waiting}. To keep what it ` +
        `says, declare that; to overwrite it, ${formatResendAdvice(refusal, isOfProvider)}`
      );
    case "undecided":
      return (
        `the ${nouns.container} no longer shows the ${nouns.entry} that the state has. Nothing was ${nouns.posted}: declare the text that it shows or, to ` +
        "publish once more, run `pulumi state delete` on this resource"
      );
    case "notThere": {
      const which =
        refusal.id === undefined ? "what a previous run sent" : `update ${refusal.id} of the state`;
      const next = formatRetryAdvice(
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
        `the service shows only the latest ${historyLimit} ${nouns.entry}s of this ${nouns.container}, so this one may be public. Nothing was ${nouns.posted}. If the ` +
        `public page shows it, remove the declaration; otherwise publish it in the dashboard, or on another ${nouns.container}`
      );
    case "moved":
      return (
        `a previous run sent this ${nouns.entry} to ${nouns.container} ${refusal.from}, and its result is unknown. Nothing was ${nouns.posted}: restore ` +
        `\`${nouns.containerProperty}\` until the result is known. If its page was migrated, set \`statusPageId\`, too; if that ${nouns.container} was deleted, run ` +
        "`pulumi state delete` on this resource"
      );
  }
}

function formatTwin(
  refusal: Extract<Refusal, { kind: "twin" }>,
  occurrence: number,
  isEntry: boolean,
): string {
  const { by, id, differs, isPosted } = refusal;
  const other = formatResourceName(by);
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

function formatNoted(
  refusal: Extract<Refusal, { kind: "noted" }>,
  declared: Partial<Declaration>,
  isOfProvider: boolean,
): string {
  const nouns = getNouns(declared);
  const what = refusal.isLater ? "a later entry of this timeline" : `an identical ${nouns.entry}`;
  const posts = refusal.posts.map(({ id, at }) => `${id ?? "no response"}, ${formatTime(at)}`);
  const others = refusal.isLater ? "" : formatOthers(refusal, nouns);
  const next =
    refusal.codes.length > 0
      ? formatResendAdvice(refusal, isOfProvider)
      : "delete the lock directory, then run `pulumi up`";
  return (
    `${what} was sent (${joinLimited(posts)}) and isn't shown.${others} Nothing was ${nouns.posted}: run \`pulumi up\` again later. ` +
    `${formatOtherTextAdvice(declared)}; if it shows ${posts.length > 1 ? "none of them" : `no such ${nouns.entry}`}, ${next}`
  );
}

/** Names the incidents of the declared name that aren't adopted. */
function sameNameText(
  refusal: Extract<Refusal, { kind: "alike" }>,
  name: string,
  isOfProvider: boolean,
): string {
  const idsOf = (isOver: boolean): string =>
    refusal.updates
      .filter((each) => (each.isOver ?? false) === isOver)
      .map(({ id }) => id)
      .join(", ");
  const [open, over] = [idsOf(false), idsOf(true)];
  const shown = JSON.stringify(name);
  const found = [
    ...(open === "" ? [] : [`incident ${open} is open with the name ${shown} and a different first update`]),
    ...(over === "" ? [] : [`incident ${over} with the name ${shown} and the same first update is resolved`]),
  ];
  const adopting =
    open === ""
      ? ""
      : " To adopt the open incident, declare the status and the description of its first update.";
  return (
    `${found.join(", and ")}. Nothing was opened.${adopting} If the declared incident is a different one, put the release or the date into ` +
    `its name or, to open it with this name, ${formatResendAdvice(refusal, isOfProvider)}`
  );
}

/** @param ifGone What to do about an update that doesn't appear any more. */
function formatRetryAdvice({ from }: { readonly from?: number }, ifGone: string): string {
  return from === undefined
    ? ifGone
    : `It may still appear until ${formatClock(from)}: run \`pulumi up\` again after that`;
}

function formatSimilarUpdates(updates: Extract<Refusal, { kind: "alike" }>["updates"]): string {
  return updates
    .map(({ id, date }) => `update ${id}${date === undefined ? ", without a date," : ` of ${date}`}`)
    .join(" or ");
}

function formatDeclareAsShown({ alike }: Extract<Refusal, { kind: "laterEntry" }>): string {
  return alike.length === 0
    ? ""
    : ` or, if it is ${formatSimilarUpdates(alike)}, declare the date and text that it shows`;
}

/** Changes of an update that may be public and must not change. */
function formatRefusedChange(
  fields: readonly string[],
  { onChange, followedBy, key, name }: Partial<Declaration>,
  statusPageId: string | undefined,
): string {
  const nouns = getNouns({ name });
  if (name !== undefined) {
    const properties = fields.map((field) => toProperty(field, nouns)).join(", ");
    const hint = fields.includes("containerId")
      ? "Restore the value"
      : 'Restore the value or, to edit the incident without an email, set onChange to "edit". Declare a different incident as a new resource';
    return `${properties} must not change: the incident is public. Nothing was opened. ${hint}`;
  }
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
  return `${fields.map((field) => `${toProperty(field, nouns)} must not change: ${why}. ${restore}`).join("; ")}${hint}`;
}

/** Names a field of the protocol as a program does. */
const toProperty = (field: string, { containerProperty }: Nouns): string =>
  field === "containerId" ? containerProperty : field;

const isCorrectable = (field: string): boolean => field === "description" || field === "status";

function formatDate({ publicIncidentUpdateDate: date }: Partial<Content>): string {
  return date == null ? "" : `, dated ${date}`;
}

export function formatResourceName(resource: string): string {
  if (resource === otherProvider) return "a resource of another Provider";
  return JSON.stringify(parseUrn(resource).name);
}
