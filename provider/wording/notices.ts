/** Formats notices about an update, which don't fail the run. */
import { type Declaration, type Notice } from "../protocol";
import { sameText } from "../texts";
import { formatTime, formatTypeLabel, getNouns, type Label, type Nouns, toProperty } from "./labels";

const respelled = "description, which differs only in HTML entities or Unicode normalization";

/** @param declared The values that the notice needs. A notice about the state needs none. */
export function formatNotice(
  notice: Notice,
  { containerId, notifySubscribers, description = "", name }: Partial<Declaration>,
  label?: Label,
): string {
  const nouns = getNouns({ name });
  const { entry, container, posted, verb } = nouns;
  const formatLabel = label ?? ((id?: string) => formatTypeLabel(nouns.type, id));
  const where = `${container} ${containerId}`;
  switch (notice.kind) {
    case "adopted": {
      const { id, created_at: createdAt, notifySubscribers: shownFlag } = notice.update;
      const isReset = shownFlag === false ? " (an edit resets it)" : "";
      const flag =
        typeof shownFlag === "boolean" && shownFlag !== notifySubscribers
          ? ` On the service, its notifySubscribers is ${shownFlag}${isReset}, but ${notifySubscribers} is declared. No email is sent now.`
          : "";
      const isIdentical = sameText(notice.update.description, description);
      return (
        `${formatLabel()}: adopted ${isIdentical ? "the identical " : ""}${entry} ${id} on ${where}, created at ` +
        `${createdAt ?? "an unknown time"}${isIdentical ? "" : " and edited later"}. Nothing was ${posted}.${flag}`
      );
    }
    case "found":
      return (
        `${formatLabel()}: a previous run ${posted} ${entry} ${notice.id} on ${where}, but its response was lost. The ${entry} was not ` +
        `${posted} again.`
      );
    case "resent":
      return (
        `${formatLabel()}: sending the ${entry} again, as allowed by monitoring:resend, because the ${entry} that was sent at ` +
        `${formatTime(notice.at)} isn't on ${where}. Remove the code after this run.`
      );
    case "altered":
      return (
        `${formatLabel()}: the service stored a different text for ${entry} ${notice.id} than was sent. If the resource is renamed or its ` +
        `state is lost, the provider may not recognize the ${entry} and may ${verb} it again. Use only characters that the service keeps.`
      );
    case "waits":
      return (
        `${formatLabel()}: ${formatEarlierPost(notice, nouns)}. Waiting up to ${Math.ceil(notice.ms / 1000)} s before ` +
        `${verb}ing.`
      );
    case "rewrites":
      return (
        `${formatLabel()}: the edit replaces nearly the whole text of ${entry} ${notice.id}, and no email is sent. If the new text is news, ` +
        "restore the old text, and declare the new text as a separate update (in a timeline, with a new key)."
      );
    case "early":
      return (
        `${formatLabel()}: the ${entry} that was sent may still appear on ${where} until ${formatTime(notice.from)}. Searching until then. ` +
        "The resend code takes effect after that."
      );
    case "behind":
      return `This ${entry} will be ${posted} after the result of the previous one is known.`;
    case "unread":
      return notice.why === "" ? "" : `The preview could not read the service. ${notice.why}`;
    case "notKnown": {
      const fields = notice.fields.map((field) => toProperty(field, nouns)).join(", ");
      const them = notice.fields.length === 1 ? "it turns out" : "they turn out";
      const consequence = notice.isRejected
        ? ` If ${them} to be different, \`pulumi up\` rejects the change.`
        : "";
      return `Unknown until \`pulumi up\`: ${fields}.${consequence}`;
    }
    case "stateOnly": {
      const fields = notice.fields.map((field) => (field === "description" ? respelled : field)).join("; ");
      return (
        `${formatLabel(notice.id)}: only the state changes (${fields}), because the ${entry} is already public. Nothing is ${posted} or ` +
        "emailed, and the public text is unchanged."
      );
    }
  }
}

export function formatEarlierPost(
  { isLater }: { readonly isLater: boolean },
  { entry, posted }: Nouns,
): string {
  const what = isLater ? "a later entry of the timeline" : `this ${entry}`;
  return `an earlier run on this machine may have ${posted} ${what} moments ago, but the service doesn't return it yet`;
}
