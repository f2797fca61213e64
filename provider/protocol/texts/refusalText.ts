/** The refusals of an `up` or a preview. None quotes a description: it may be a secret until it is public. */
import { type Declaration } from "../identity";
import { type Resource, type Sent } from "../ledger";
import { type NotFound, type Refusal } from "../task";

/** How many posts a refusal names. */
const mostPosts = 10;

const inOtherWords = "If the public page shows it in other words, declare those";

/** How the user sets a value of `monitoring:resend`. */
type HowToAnswer = (codes: string) => string;

const bySetting: HowToAnswer = (codes) =>
  `run \`pulumi config set monitoring:resend ${codes.includes(" ") ? `"${codes}"` : codes}\``;

export function refusalText(refusal: Refusal, declared: Declaration, answer = bySetting): string {
  const on = `IncidentUpdate on incident ${declared.incidentId}: `;
  const isEntry = declared.followedBy !== undefined;
  switch (refusal.why) {
    case "failed":
      return refusal.text;
    case "idRejected":
      return (
        `${refusal.text} If the service rejects the id that this package sent, and not the content, an update with that id may be ` +
        "public already: only if the public page doesn't show it, set monitoring:clientIds to false."
      );
    case "lost": {
      const { problem, sent, codes } = refusal;
      const why = problem ?? `createIncidentUpdate ${declared.incidentId}: ${responseText(sent, isEntry)}.`;
      const answered = `Once the public page shows that it was not published, ${resendText(codes, answer)}.`;
      return (
        `${why} ${notFoundText(refusal)} The state records it: run \`pulumi up\` again, which searches for it and posts nothing ` +
        `until its result is known.${codes.length > 0 ? ` ${answered}` : ""}`
      );
    }
    case "unconfirmed": {
      const sent = `${on}a previous run sent this update at ${timeOf(refusal.sent.at)}, and ${responseText(refusal.sent, isEntry)}.`;
      return `${sent} ${notFoundText(refusal)} Nothing was posted: ${nextStep(refusal, answer)}`;
    }
    default:
      return `${on}${reasonOf(refusal, declared, answer)}.`;
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** How the service responded to a post whose result is unknown. */
function responseText({ answered, declared: { incidentId } }: Sent, isEntry: boolean): string {
  if (answered === undefined) return "received no response";
  if (answered === incidentId) return "the service responded with the incident instead of the new update";
  return (
    `the service responded with update ${answered}, which existed before. If it keeps one of identical updates, ` +
    (isEntry ? "change the words of this entry" : "remove this declaration")
  );
}

function notFoundText({ readProblem }: NotFound): string {
  if (readProblem?.incidentMissing) return "The incident was not found on the service.";
  if (readProblem) return `Reading the incident to search for it failed: ${readProblem.text}`;
  return "It isn't in the incident so far.";
}

/** No step sends a second email, unless the user has seen on the public page that the first post failed. */
function nextStep({ readProblem, codes }: NotFound, answer: HowToAnswer): string {
  if (readProblem?.incidentMissing) {
    return (
      "if the incident exists in another account, point the stack back to that account. If it was deleted, remove this " +
      "resource from the state with `pulumi state delete`, then from the program, or declare another incidentId."
    );
  }
  if (readProblem) return "run `pulumi up` again when the incident can be read.";
  return `run \`pulumi up\` again later. ${inOtherWords}; if it doesn't show it, ${resendText(codes, answer)}.`;
}

/** How the user answers a question. */
function resendText(codes: readonly string[], answer: HowToAnswer): string {
  return `${answer(codes.join(" "))}, then \`pulumi up\``;
}

type ProtocolRefusal = Exclude<Refusal, { why: "failed" | "idRejected" | "lost" | "unconfirmed" }>;

/** The rest of a sentence: what is wrong, and what to do. */
function reasonOf(
  refusal: ProtocolRefusal,
  { occurrence, followedBy }: Declaration,
  answer: HowToAnswer,
): string {
  const isEntry = followedBy !== undefined;
  switch (refusal.why) {
    case "twin": {
      if (refusal.differs === "content") {
        return (
          `description is that of update ${refusal.id}, which ${nameOf(refusal.by)} has, although it declares another one. Nothing ` +
          "was posted. Remove this declaration, or change its description"
        );
      }
      if (refusal.differs === "occurrence") {
        return (
          `update ${refusal.id} is recorded for ${nameOf(refusal.by)}, too, which declares another occurrence. Nothing was posted. ` +
          "Remove this resource from the state with `pulumi state delete`: the next `pulumi up` adopts its own update"
        );
      }
      const declares = `${nameOf(refusal.by)} already declares this update (${refusal.id}). Nothing was posted.`;
      if (isEntry) return `${declares} Remove one of them, or change the words of this entry`;
      const again = refusal.isPosted
        ? ""
        : `, or set \`occurrence: ${occurrence + 1}\` to publish it once more, with \`dependsOn\` on ${nameOf(refusal.by)}`;
      return `${declares} Remove one of them${again}`;
    }
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
      return refusedChange(refusal.fields, isEntry);
    case "later":
      return (
        `description would be published after a later entry of this timeline (${refusal.id}). Nothing was posted. If this ` +
        "entry is public already, restore the state of the stack; otherwise append it as the last entry"
      );
    case "earlier":
      return (
        "the entry before this one isn't shown, and this run doesn't post it. Nothing was posted: run `pulumi up` without " +
        "`--exclude` and `--target`"
      );
    case "noted": {
      const what = refusal.isLater ? "a later entry of this timeline" : "an identical update";
      const posts = refusal.posts.map(({ id, at }) => `${id ?? "no response"}, ${timeOf(at)}`);
      const more = posts.length > mostPosts ? `; and ${posts.length - mostPosts} more` : "";
      return (
        `${what} was sent (${posts.slice(0, mostPosts).join("; ")}${more}) and isn't shown. Nothing was posted: run \`pulumi up\` ` +
        `again later. ${inOtherWords}; if it shows ${posts.length > 1 ? "none of them" : "no such update"}, ` +
        (refusal.codes.length > 0
          ? resendText(refusal.codes, answer)
          : "delete the lock directory, then `pulumi up`")
      );
    }
    case "repeat":
      return (
        "the incident no longer shows the update that the state has. Nothing was posted: declare the text that it shows or, to " +
        "publish once more, run `pulumi state delete` on this resource"
      );
    case "full":
      return (
        `this update may be public: the service shows only its latest ${refusal.count} updates. Nothing was posted. ` +
        `${inOtherWords}; if it shows it as declared, remove the declaration; otherwise ${resendText(refusal.codes, answer)}`
      );
    case "moved":
      return (
        `a previous run sent this update to incident ${refusal.from}, and its result is unknown. Nothing was posted: restore ` +
        "`incidentId` until the result is known or, if that incident was deleted, run `pulumi state delete` on this resource"
      );
  }
}

/** An update whose turn came after a failure. */
export function skippedText(incidentId: string): string {
  return (
    `IncidentUpdate on incident ${incidentId}: not posted, because the previous update of this incident failed or ` +
    "its result is unknown. Run `pulumi up` again."
  );
}

/** Changes of an update that may be public and must not change. */
export function refusedChange(fields: readonly string[], isEntry: boolean): string {
  const reason = isEntry
    ? "must not change: the update is public. Restore the value, and declare the change as a new last entry of the timeline"
    : 'must not change: the update is public and onChange is "refuse". Restore the value, and declare the change as a new update';
  return fields.map((field) => `${field} ${reason}`).join("; ");
}

/** The name that the program gave to a resource. */
export function nameOf(resource: Resource): string {
  // Stryker disable next-line OptionalChaining: a text that is split has a part
  const name = resource.split("::").at(-1)?.split("$").at(-1) ?? resource;
  return JSON.stringify(name);
}
