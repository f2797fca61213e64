/** The refusals and notices of an `up`. None quotes a description: it may be a secret until it is public. */
import { type Declaration, type Identity, sameText } from "./content";
import { type Resource } from "./ledger";
import { type Notice, type Refusal, type SearchMiss } from "./task";

/** @param was The unconfirmed update, when there is one. */
export function refusalText(refusal: Refusal, declared: Declaration, was: Identity = declared): string {
  const on = (incidentId: string): string => `IncidentUpdate on incident ${incidentId}: `;
  const isEntry = declared.followedBy !== undefined;
  switch (refusal.why) {
    case "failed":
      return refusal.text;
    case "lost": {
      const problem =
        refusal.problem ??
        `createIncidentUpdate ${was.incidentId}: ${responseText(refusal.answered, was, isEntry)}.`;
      return (
        `${problem} ${missText(declared, refusal.miss)} The state records it: run \`pulumi up\` again to ` +
        "search for it; nothing is posted until its result is known."
      );
    }
    case "unconfirmed":
      return (
        `${on(was.incidentId)}a previous run sent this update and ${responseText(refusal.answered, was, isEntry)}. ${missText(was, refusal.miss)} ` +
        `This run posted nothing. ${nextStep(was, refusal.miss, declared.onUnconfirmed)}`
      );
    default:
      return `${on(declared.incidentId)}${reasonOf(refusal, declared)}.`;
  }
}

/** How the service responded to a post whose result is unknown. */
function responseText(answered: string | undefined, { incidentId }: Identity, isEntry: boolean): string {
  if (answered === undefined) return "received no response";
  if (answered === incidentId) return "the service responded with the incident instead of the new update";
  return (
    `the service responded with update ${answered}, which existed before. If it keeps one of identical updates, ` +
    (isEntry ? "change the words of this entry" : "remove this declaration")
  );
}

type ProtocolRefusal = Exclude<Refusal, { why: "failed" | "lost" | "unconfirmed" }>;

/** The rest of a sentence: what is wrong, and what to do. */
function reasonOf(refusal: ProtocolRefusal, { occurrence, followedBy, onUnconfirmed }: Declaration): string {
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
      const again = refusal.hasOwn
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
      return refusal.fields.map((field) => `${field} ${changeReason(isEntry)}`).join("; ");
    case "later":
      return (
        `description would be published after a later entry of this timeline (${refusal.id}). Nothing was posted. If this ` +
        "entry is public already, restore the state of the stack; otherwise append it as the last entry"
      );
    case "noted": {
      const what = refusal.isLater ? "a later entry of this timeline" : "an identical update";
      const at = new Date(refusal.at).toISOString();
      const consent = consentText(onUnconfirmed);
      return refusal.id === undefined
        ? `${what} was sent at ${at} and received no response, and it isn't in the incident so far. Nothing was posted. Run ` +
            `\`pulumi up\` again later; if you are sure that it was not published, ${consent}${furtherText(refusal.others)}`
        : `${what} was posted as ${refusal.id} at ${at}, and the service doesn't show it yet. Nothing was posted. Run ` +
            `\`pulumi up\` again later; if it was deleted on the service, ${consent}${furtherText(refusal.others)}`;
    }
    case "repeat":
      return (
        "description is unchanged, but the incident doesn't show the update that the state recorded for it: it was edited or " +
        "deleted on the service, or isn't shown yet. Nothing was posted. Declare the text that the incident shows, or run " +
        `\`pulumi up\` again later; to publish the update once more, ${consentText(onUnconfirmed)}`
      );
    case "full":
      return (
        `description may already be public: the service shows the latest ${refusal.count} updates of the incident, and this ` +
        "one isn't among them. Nothing was posted. Check the public page: if the update is there, remove its declaration; if it isn't, " +
        consentText(onUnconfirmed)
      );
    case "idRejected":
      return (
        `${refusal.text} Nothing was posted. The service has accepted ids of this package before. If it rejects the id of ` +
        "this update, set monitoring:clientIds to false"
      );
  }
}

/** What a consent is about, too. */
function furtherText(others: Extract<Refusal, { why: "noted" }>["others"] = []): string {
  if (others.length === 0) return "";
  const each = others.map(
    ({ id, at }) => `${id ?? "a post without a response"} (${new Date(at).toISOString()})`,
  );
  return `. The consent is also about ${each.join(", ")}: give it only if the public page shows none of them`;
}

/** A consent that was there before the question answers nothing. */
function consentText(onUnconfirmed: Declaration["onUnconfirmed"]): string {
  return onUnconfirmed === "resend"
    ? 'run `pulumi up` once without onUnconfirmed "resend", then once with it: it permits no post that it was set before'
    : 'set onUnconfirmed to "resend" for one run';
}

/** Why changed content of a public update is refused. */
export function changeReason(isEntry: boolean): string {
  return isEntry
    ? "must not change: the update is public. Restore the value, and declare the change as a new last entry of the timeline"
    : 'must not change: the update is public and onChange is "refuse". Restore the value, and declare the change as a new update';
}

/** The name that the program gave to a resource. */
export function nameOf(resource: Resource): string {
  // Stryker disable next-line OptionalChaining: a text that is split has a part
  const name = resource.split("::").at(-1)?.split("$").at(-1) ?? resource;
  return JSON.stringify(name);
}

/** What a search that did not find the update tells about it. */
export function missText(declared: Identity, { lookalike, readProblem }: SearchMiss): string {
  if (readProblem?.incidentMissing) return "The incident was not found on the service.";
  if (readProblem) return `Reading the incident to search for it failed: ${readProblem.text}`;
  if (!lookalike) return "Not found in the incident so far.";
  const differs = sameText(declared.description, lookalike.description)
    ? `a different public date (${lookalike.publicIncidentUpdateDate ?? "none"})`
    : "a different description";
  return `Not found in the incident, but the new update ${lookalike.id} has the same status and ${differs}.`;
}

/** No step sends a second email, unless the user verified on the public page that the first post failed. */
function nextStep(
  was: Identity,
  { lookalike, readProblem }: SearchMiss,
  onUnconfirmed: Declaration["onUnconfirmed"],
): string {
  if (readProblem?.incidentMissing) {
    return (
      "If the incident exists in another account, point the stack back to that account. If it was deleted, the update is no " +
      "longer public: remove this resource from the state with `pulumi state delete`, then remove it from the program " +
      "or declare another incidentId, where the next `pulumi up` publishes it."
    );
  }
  if (readProblem) return "Run `pulumi up` again when the incident can be read.";
  if (lookalike) {
    const adopt = sameText(was.description, lookalike.description)
      ? "declare its publicIncidentUpdateDate or omit yours"
      : "declare its description";
    return (
      `If that is this update, changed by the service, ${adopt}; \`pulumi up\` then adopts it and posts nothing. ` +
      "Otherwise, check the public status page: only if this update is not there, remove this resource from the state with " +
      '`pulumi state delete`, run `pulumi up` once, then once with onUnconfirmed "resend", which publishes it.'
    );
  }
  if (onUnconfirmed === "resend") {
    return (
      'onUnconfirmed was "resend" when it was sent, and permits no second post. When you are sure that it was not ' +
      'published, run `pulumi up` once without "resend", then once with it; or run `pulumi up` again later.'
    );
  }
  return 'When you are sure that it was not published, set onUnconfirmed to "resend"; or run `pulumi up` again later.';
}

export function noticeText(
  notice: Notice,
  { incidentId, notifySubscribers, description }: Declaration,
): string {
  switch (notice.tell) {
    case "adopted": {
      const { id, created_at: since, notifySubscribers: shown } = notice.update;
      const flag =
        typeof shown === "boolean" && shown !== notifySubscribers
          ? ` It shows notifySubscribers ${shown}, not ${notifySubscribers} as declared; no email is sent.`
          : "";
      const what = sameText(notice.update.description, description)
        ? `an identical update (${id})`
        : `this update (${id}), edited since,`;
      return `IncidentUpdate: ${what} has existed in incident ${incidentId} since ${since ?? "an unknown time"}; adopted, nothing posted.${flag}`;
    }
    case "several":
      return `IncidentUpdate: ${notice.count} new updates of incident ${incidentId} match; the oldest, ${notice.id}, is assumed to be the one that was posted.`;
    case "found":
      return `IncidentUpdate: update ${notice.id} was published on incident ${notice.incidentId} by a previous run, whose response was lost. It was not posted again.`;
    case "resent":
      return `IncidentUpdate: the update that a previous run sent to incident ${notice.incidentId} was not found, and onUnconfirmed is "resend", so the declared update is published now.`;
    case "waits":
      return (
        `IncidentUpdate: this machine sent ${notice.isLater ? "a later entry of the timeline" : "an identical update"} to incident ${incidentId} moments ago, and the ` +
        `service doesn't show it yet. Searching for it for up to ${Math.ceil(notice.ms / 1000)} s before anything is posted.`
      );
  }
}
