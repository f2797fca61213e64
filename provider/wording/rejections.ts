/**
 * Formats rejections of a declaration, which fail the run. Only the rejection of an unconfirmed update quotes the declaration, unless it is a
 * secret.
 */
import { historyLimit } from "../api";
import { isOfType, parseUrn } from "../engine";
import {
  listChangedFields,
  type Content,
  type Declaration,
  isEditable,
  isPredictedId,
  type Rejection,
  type UnconfirmedPost,
} from "../protocol";
import { quoteExcerpt } from "../texts";
import { formatResourceName, formatTime, getNouns, type Nouns, toProperty } from "./labels";

/** The number of posts or updates that a rejection lists at most. */
const maxListed = 10;

function formatOtherTextAdvice(declared: Partial<Declaration>): string {
  const { publicIncidentUpdateDate: date } = declared;
  const { entry } = getNouns(declared);
  return date === undefined
    ? `If the public page shows this ${entry} with a different text, declare that text`
    : `If the public page shows this ${entry} with a different text or date, or without a date, declare that content`;
}

interface RejectionOptions {
  /** True if the connection is configured by the arguments of an explicit Provider instead of the stack's settings. */
  readonly isOfProvider?: boolean;
  /** True if the declared text may be a secret. If undefined, no text is quoted, because the preview shows the texts anyway. */
  readonly isTextSecret?: boolean;
  /** The title of the declared update. Default: only its incident. */
  readonly title?: string;
}

export function formatRejection(
  rejection: Rejection,
  declared: Partial<Declaration>,
  options: RejectionOptions = {},
): string {
  const nouns = getNouns(declared);
  const { isOfProvider = false, isTextSecret, title = nouns.type } = options;
  const on = `${title} on ${nouns.container} ${declared.containerId}: `;
  // Messages of the client start with the operation and the incident.
  const of = options.title === undefined ? "" : `${title}: `;
  const isEntry = declared.followedBy !== undefined;
  switch (rejection.kind) {
    case "failed":
      return `${of}${rejection.text}`;
    case "lost": {
      const { problem, sent, codes } = rejection;
      const operation = declared.name === undefined ? "createIncidentUpdate" : "openComponentPageIncident";
      const why = problem ?? `${operation} ${declared.containerId}: ${formatResponse(sent, isEntry)}.`;
      const isMissing = `If the ${nouns.entry} isn't on the public page`;
      const resending = `${formatResendAdvice(rejection, isOfProvider, isMissing)}.`;
      return (
        `${of}${why} ${formatNotFound(rejection)} The state records the attempt. Run \`pulumi up\` again: it searches for the ` +
        `${nouns.entry} and doesn't ${nouns.verb} it again until the result is known.${codes.length > 0 ? ` ${resending}` : ""}`
      );
    }
    case "editLost":
      return (
        `${of}${rejection.text} The edit isn't visible yet. Run \`pulumi up\` again: it checks the ${nouns.entry} and repeats the edit if ` +
        `necessary. It doesn't ${nouns.post}.`
      );
    case "unconfirmed": {
      const { sent } = rejection;
      const { which, what, next } = describePost(sent, declared, isTextSecret);
      const post = `${on}a previous run sent ${which} ${nouns.entry} at ${formatTime(sent.at)}${what}`;
      const isSimple = sent.answered === undefined && !rejection.readProblem;
      const response = isSimple
        ? `${post} and received no response, and the ${nouns.entry} isn't on the ${nouns.container}.${formatOthers(rejection, nouns)}`
        : `${post}${sent.answered === undefined ? " and" : ", and"} ${formatResponse(sent, isEntry)}. ${formatNotFound(rejection)}`;
      return `${response} Nothing was ${nouns.posted}.${next} ${formatNextStep(rejection, isOfProvider)}`;
    }
    case "changed":
      return (
        `${title} on ${nouns.container} ${rejection.from ?? declared.containerId}: ` +
        `${formatRejectedChange(rejection, declared, isTextSecret)}.`
      );
    default:
      return `${on}${formatReason(rejection, declared, options)}.`;
  }
}

const formatClock = (ms: number): string => `${formatTime(ms).slice(11, 19)} UTC`;

const longestQuotation = 300;

/** Describes the post and, if the declared update is a different one, that update. Quotes neither if one of them is or was a secret. */
function describePost(
  sent: UnconfirmedPost,
  declared: Partial<Declaration>,
  isTextSecret: boolean | undefined,
) {
  const isSame = listChangedFields(sent.declared, declared).length === 0;
  const which = isSame ? "this" : "a different";
  if (isTextSecret === undefined) return { which, what: "", next: "" };
  const formatContent = (content: Partial<Content>) =>
    quoteContent(content, isTextSecret || sent.isTextSecret);
  const what = ` (${formatContent(sent.declared)})`;
  if (isSame) return { which, what, next: "" };
  const { entry, posts } = getNouns(declared);
  const content = formatContent(declared);
  const next = isEditable(declared)
    ? `When the result is known, \`pulumi up\` edits the earlier ${entry} or, if it isn't public, ${posts} ${content}.`
    : `Declare the text that was sent and run \`pulumi up\`, which adopts the ${entry} when it is public. If it isn't public, \`pulumi up\` with the resend code ${posts} ${content}.`;
  return { which, what, next: ` ${next}` };
}

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
    return `the service returned the ${nouns.container} instead of the new ${nouns.entry}`;
  return (
    `the service returned the existing ${nouns.entry} ${answered} instead of creating one. If the service deduplicates identical ` +
    `${nouns.entry}s, ${isEntry ? "change the text of this entry" : "remove this declaration"}`
  );
}

type NotFoundRejection = Extract<Rejection, { kind: "lost" | "unconfirmed" }>;

function formatNotFound(rejection: NotFoundRejection): string {
  const nouns = getNouns(rejection.sent.declared);
  const { readProblem } = rejection;
  if (readProblem?.containerMissing) return `The ${nouns.container} was not found on the service.`;
  if (readProblem)
    return `Reading the ${nouns.container} to search for the ${nouns.entry} failed: ${omitOutcome(readProblem.text)}`;
  return `The ${nouns.entry} isn't on the ${nouns.container} so far.${formatOthers(rejection, nouns)}`;
}

/** Removes the outcome from a message that is quoted, because only the message that quotes it knows what was posted. */
export const omitOutcome = (message: string): string =>
  message.replace(/ Nothing was (?:posted|opened|edited|sent)\./g, "");

function formatOthers({ others = [] }: Extract<Rejection, { codes: unknown }>, nouns: Nouns): string {
  if (others.length === 0) return "";
  const all = others.map(({ id, since }) => (since === undefined ? id : `${id} of ${since}`));
  const [plural, are] = all.length === 1 ? ["", "is"] : ["s", "are"];
  return ` The identical ${nouns.entry}${plural} already on the ${nouns.container} (${joinLimited(all)}) ${are} not this one.`;
}

function joinLimited(all: readonly string[]): string {
  const more = all.length > maxListed ? [`and ${all.length - maxListed} more`] : [];
  return [...all.slice(0, maxListed), ...more].join("; ");
}

/** Returns the next step. No step sends a second email unless the user has seen that the first post isn't on the public page. */
function formatNextStep(
  rejection: Extract<NotFoundRejection, { kind: "unconfirmed" }>,
  isOfProvider: boolean,
): string {
  const { readProblem, sent, isCut } = rejection;
  const nouns = getNouns(sent.declared);
  const { entry, container, containerProperty } = nouns;
  if (readProblem?.containerMissing) {
    return (
      `Do one of the following. If the ${container} belongs to another account, restore that account. If the ${container} was ` +
      `deleted, run \`pulumi state delete\` on this resource, and remove it from the program or change its \`${containerProperty}\`.`
    );
  }
  if (readProblem) return "Run `pulumi up` again when the service is available.";
  const older = isCut
    ? ` If it shows the ${entry} as it was sent, but older than the latest ${historyLimit} ${entry}s, run \`pulumi state delete\` on this ` +
      "resource, and remove the declaration or declare a different text."
    : "";
  const resending = `${formatResendAdvice(rejection, isOfProvider, `If the ${entry} isn't there`)}.`;
  return `Run \`pulumi up\` again later. ${formatOtherTextAdvice(sent.declared)}.${older} ${resending}`;
}

function formatResendAdvice(
  { codes, set = [], from }: Extract<Rejection, { codes: unknown }>,
  isOfProvider: boolean,
  condition: string,
): string {
  const all = codes.length > 1 || isOfProvider ? `"${codes.join(" ")}"` : codes.join();
  // The code of a Provider is quoted because YAML may parse it as a number.
  const answer = isOfProvider
    ? `pass resend ${all} to its Provider`
    : `run \`pulumi config set monitoring:resend ${all}\` (in a pipeline, set MONITORING_RESEND=${all} for one job)`;
  const others =
    set.length === 0 ? "" : `. The codes that are set now (${set.join(", ")}) are for other updates`;
  const early = from === undefined ? "" : ` after ${formatClock(from)}`;
  return `${condition}${early}, ${answer}, then run \`pulumi up\`${others}`;
}

/** Quotes the public content in parentheses, if it is known. */
function quotePublic(shown: Partial<Content> | undefined, isSecret: boolean, isDated = false): string {
  return shown ? ` (${isDated ? quoteDated(shown, isSecret) : quoteContent(shown, isSecret)})` : "";
}

function quoteDated(content: Partial<Content>, isSecret: boolean): string {
  const { publicIncidentUpdateDate: date } = content;
  return quoteContent(content, isSecret) + (date == null ? "" : `, dated ${date}`);
}

function formatOverwriteRejection(
  { id, shown }: Extract<Rejection, { kind: "editedSince" }>,
  declared: Partial<Declaration>,
  isTextSecret: boolean,
): string {
  const { entry } = getNouns(declared);
  const [theirs, ours] = [shown, declared].map((content) => quoteDated(content, isTextSecret));
  return (
    `${entry} ${id} was changed on the service to ${theirs}. Your edit would overwrite that with ${ours}. Nothing was edited. ` +
    "Declare the public text, and run `pulumi up`. To replace the public text, declare your text after that"
  );
}

type ProtocolRejection = Exclude<
  Rejection,
  { kind: "failed" | "lost" | "editLost" | "unconfirmed" | "changed" }
>;

function formatReason(
  rejection: ProtocolRejection,
  declared: Partial<Declaration>,
  { isOfProvider = false, isTextSecret = false }: RejectionOptions,
): string {
  const nouns = getNouns(declared);
  const { entry, container, posted } = nouns;
  const repost = declared.name === undefined ? "post this update again" : "open this incident again";
  switch (rejection.kind) {
    case "twin":
      return formatTwin(rejection, declared);
    case "laterEntry":
      if (rejection.unowned)
        return (
          `the incident has a newer update that this timeline doesn't declare (${quoteContent(rejection.unowned, isTextSecret)}). It may be a later ` +
          "entry of this timeline with a changed text. Nothing was posted. If someone else posted that update, declare it before this entry, with its " +
          "status and text. The next `pulumi up` then posts this entry and the later ones. If it is a later entry, move this entry to the end of the timeline"
        );
      return (
        `this entry would be posted after a later entry of this timeline (update ${rejection.id}). Nothing was posted. If this entry is already ` +
        "public, restore its key, its text or the stack's state" +
        `${formatDeclareAsShown(rejection)}. Otherwise, move this entry to the end of the timeline`
      );
    case "earlierEntry":
      return (
        "the previous entry isn't on the incident, because it failed or because this run excludes it. Nothing was posted. " +
        "If the previous entry failed, follow its error message. Then run `pulumi up` without `--exclude` and `--target`"
      );
    case "doubtedPost":
      return formatNoted(rejection, declared, isOfProvider);
    case "keyReused":
      if (rejection.isResolution)
        return (
          `the edit would set \`status\` to RESOLVED and close the incident without an email. Nothing was edited. To announce the ` +
          "resolution, restore the public status and text" +
          `${quotePublic(rejection.shown, isTextSecret)}, and declare a new entry with status RESOLVED and its own key at the end of the timeline`
        );
      return (
        `the status and most of the text of a public entry${quotePublic(rejection.shown, isTextSecret)} changed, so this looks like a new update ` +
        "under an existing key. Nothing was edited. To publish a new update, restore this entry, and give the new update a new key at the end. " +
        "To correct this entry, change the status and the text in separate runs"
      );
    case "alike":
      if (declared.name !== undefined) return sameNameText(rejection, isOfProvider);
      if (rejection.updates.every(({ isRenamed }) => isRenamed))
        return (
          `${formatSimilarUpdates(rejection.updates)} has nearly the same text, and no resource in this program declares it. Nothing was posted. ` +
          `If it is this entry, restore its key, and the change will be an edit. ${formatResendAdvice(rejection, isOfProvider, "If not")}`
        );
      return (
        `${formatSimilarUpdates(rejection.updates)} may be this update, if the service changes public dates or characters. Nothing was posted. ` +
        `If it is, declare its date and text. ${formatResendAdvice(rejection, isOfProvider, "If not")}`
      );
    case "gone":
      return (
        `${entry} ${rejection.id}, which this run would edit, isn't on the ${container}. Nothing was edited. ` +
        formatRetryAdvice(
          rejection,
          nouns,
          `The ${entry} was probably deleted. Restore the earlier values, or remove the declaration. To ${repost}, run \`pulumi state delete\` on ` +
            "this resource",
        )
      );
    case "tooEarly":
      return (
        `\`publicIncidentUpdateDate\` is before the start of the incident (${formatTime(rejection.began)}), and status pages with components ` +
        "reject such dates. Nothing was posted. Declare a later date, or omit it"
      );
    case "undated":
      return (
        `update ${rejection.id} has no public date, and an edit would set its date to the current time. Nothing was edited. Declare ` +
        "`publicIncidentUpdateDate`"
      );
    case "editedSince":
      return formatOverwriteRejection(rejection, declared, isTextSecret);
    case "undecided":
      return (
        `the ${entry} in the state is no longer on the ${container}. Nothing was ${posted}. To use an existing ${entry}, declare its text. To ` +
        `${repost}, run \`pulumi state delete\` on this resource`
      );
    case "full":
      return (
        `it is unknown whether this ${entry} is public, because the API returns only the latest ${historyLimit} ${entry}s. Nothing was ${posted}. ` +
        `Look at the public page. If the ${entry} is there, remove the declaration. If it is there with a different text, declare that text. ` +
        `If it isn't there, publish it in the dashboard, or on a different ${container}`
      );
    case "moved": {
      return (
        `a previous run sent this ${entry} to ${container} ${rejection.from}, and the result is unknown. Nothing was ${posted}. Restore ` +
        `\`${nouns.containerProperty}\` until the result is known. If ${container} ${rejection.from} was deleted or its page was migrated, run ` +
        "`pulumi state delete` on this resource"
      );
    }
  }
}

function formatNoted(
  rejection: Extract<Rejection, { kind: "doubtedPost" }>,
  declared: Partial<Declaration>,
  isOfProvider: boolean,
): string {
  const nouns = getNouns(declared);
  const { entry, container, posted } = nouns;
  const posts = rejection.posts.map(
    ({ id, at }) => `at ${formatTime(at)}, ${id === undefined ? "no response" : `${entry} ${id}`}`,
  );
  const isOne = posts.length < 2;
  const what = rejection.isLater
    ? "a later entry of this timeline"
    : isOne
      ? `an identical ${entry}`
      : `identical ${entry}s`;
  const others = rejection.isLater ? "" : formatOthers(rejection, nouns);
  const isMissing = `If ${isOne ? `the ${entry} isn't` : `none of these ${entry}s is`} there`;
  const next =
    rejection.codes.length > 0
      ? formatResendAdvice(rejection, isOfProvider, isMissing)
      : `${isMissing}, delete the lock directory, then run \`pulumi up\``;
  return (
    `another run sent ${what} (${joinLimited(posts)}), which ${isOne || rejection.isLater ? "isn't" : "aren't"} on the ${container}.${others} ` +
    `Nothing was ${posted}. Run \`pulumi up\` again later. ${formatOtherTextAdvice(declared)}. ${next}`
  );
}

/** Describes the incidents that have the declared name and aren't adopted. */
function sameNameText(rejection: Extract<Rejection, { kind: "alike" }>, isOfProvider: boolean): string {
  const { updates } = rejection;
  const describeIncidents = (these: typeof updates, how: string): string[] => {
    const ids = these.map(({ id }) => id);
    if (ids.length === 0) return [];
    const are = ids.length === 1 ? `incident ${ids.join()} is` : `incidents ${ids.join(", ")} are`;
    return [`${are} ${how}`];
  };
  // The name may be a secret, so the text doesn't quote it.
  const over = describeIncidents(
    updates.filter(({ isResolved }) => isResolved),
    "resolved, with the declared name and the same first update",
  );
  const renamed = describeIncidents(
    updates.filter(({ isRenamed }) => isRenamed),
    "open with another name and the declared first update, and was opened when an interrupted run sent the declared incident",
  );
  const open = describeIncidents(
    updates.filter(({ isResolved = false, isRenamed = false }) => !isResolved && !isRenamed),
    "open with the declared name and another first update",
  );
  const adopting = updates.every(({ isResolved }) => isResolved)
    ? ""
    : " To adopt an open incident, declare its name, and the status and the description of its first update.";
  const removing =
    over.length === 0 ? "" : " If a resolved incident is the declared one, remove the declaration.";
  return (
    `${[...open, ...renamed, ...over].join(", and ")}. Nothing was opened.${adopting}${removing} If the declared incident is a different one, add ` +
    `the release or the date to its name. ${formatResendAdvice(rejection, isOfProvider, "To open it with this name")}`
  );
}

/** @param ifGone The advice for an update that can't appear anymore. */
function formatRetryAdvice({ from }: { readonly from?: number }, { entry }: Nouns, ifGone: string): string {
  return from === undefined
    ? ifGone
    : `The ${entry} may still appear until ${formatClock(from)}. Run \`pulumi up\` again after that`;
}

function formatSimilarUpdates(updates: Extract<Rejection, { kind: "alike" }>["updates"]): string {
  return updates
    .map(({ id, date }) => `update ${id} (${date === undefined ? "without a date" : `dated ${date}`})`)
    .join(" or ");
}

function formatDeclareAsShown({ alike }: Extract<Rejection, { kind: "laterEntry" }>): string {
  return alike.length === 0
    ? ""
    : ` or, if it is ${formatSimilarUpdates(alike)}, declare the date and text of that update`;
}

/** Describes changes of an entry that may be public and must not change, with the ways on. */
function formatRejectedChange(
  { fields, shown, opener }: Extract<Rejection, { kind: "changed" }>,
  { key, name, followedBy }: Partial<Declaration>,
  isSecret = false,
): string {
  const nouns = getNouns({ name });
  const { entry, container, posted } = nouns;
  const properties = new Intl.ListFormat("en").format(fields.map((field) => toProperty(field, nouns)));
  const isRedated = fields.includes("publicIncidentUpdateDate");
  const quoted = quotePublic(shown, isSecret, isRedated);
  const isMoved = fields.includes("containerId") || fields.includes("statusPageId");
  if (isMoved) {
    const what = key === undefined && followedBy === undefined ? "resource" : "timeline";
    const why = opener === undefined ? "" : `, and ${formatResourceName(opener)} opens another incident`;
    return (
      `${properties} must not change, because the ${entry} is public${quoted}${why}. Nothing was ${posted}. For another ` +
      `${name === undefined ? "incident or page" : container}, give the ${what} a new name. An identical ${entry} ` +
      `there is adopted and not ${posted} again${opener === undefined ? ". Otherwise, restore the value" : ""}`
    );
  }
  const publicName = shown?.name === undefined || isSecret ? "" : ` ${quoteExcerpt(shown.name, 60)}`;
  const why = shown
    ? `the ${entry}${publicName} is public${quoted}`
    : `a previous run ${posted} the ${entry}`;
  const rejection = `${properties} must not change, because ${why}. Nothing was ${posted}.`;
  const correct = `To correct an error, correct it in the dashboard, declare what the page then shows, and run \`pulumi up\`, which sends nothing`;
  if (name !== undefined)
    return `${rejection} For another incident, such as the next maintenance, give the resource a new name. ${correct}. Otherwise, restore the value`;
  if (key !== undefined)
    return `${rejection} Restore the value and the order of the entries, and add new entries at the end of the timeline. ${correct}`;
  return (
    `${rejection} Restore the value. For new information, declare a new resource. ${correct}. On a page with components, an entry of an ` +
    "IncidentTimeline can also be edited"
  );
}

function formatTwin(
  { by, id }: Extract<Rejection, { kind: "twin" }>,
  { name, followedBy }: Partial<Declaration>,
): string {
  const { entry, posted } = getNouns({ name });
  const other = formatResourceName(by);
  if (id === undefined)
    return (
      `${other} declares an identical ${entry}, which was sent but received no response. Nothing was ${posted}. Remove one of the two, or run ` +
      `\`pulumi up\` again after ${other} succeeds`
    );
  // A preview gives an ID to an entry that isn't posted yet, which no service has.
  const shownId = isPredictedId(id) ? "" : ` (${id})`;
  const declares = `${other} already declares this ${entry}${shownId}. Nothing was ${posted}. Remove one of the two`;
  if (name !== undefined) return `${declares}, or change its name`;
  if (followedBy !== undefined) return `${declares}, or change the text of this entry`;
  if (isOfType(parseUrn(by).type, "Incident")) return `${declares}, or change the text of this update`;
  return `${declares}. To post the same text again, declare both updates as entries of an IncidentTimeline`;
}
