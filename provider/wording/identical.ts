/** Formats rejections because of other updates with the same content, or resources that declare it. */
import { type Declaration, otherProvider, type Refusal } from "../protocol";
import { formatCount } from "../texts";
import { formatResourceName } from "./labels";
import { getNouns } from "./nouns";

export function formatMissingOccurrences(count: number, occurrence: number, isEntry: boolean): string {
  const has = count === 0 ? "no identical update" : `only ${formatCount(count, "identical update")}`;
  const problem = `\`occurrence\` is ${occurrence}, but the incident has ${has}`;
  if (isEntry)
    return (
      `${problem}, because an earlier entry with the same text was deleted or changed on the service. Nothing was posted. Change the ` +
      "description of this entry"
    );
  const [earlier, them] =
    occurrence === 2 ? ["occurrence 1", "it"] : [`occurrences 1 to ${occurrence - 1}`, "them"];
  return `${problem}. Nothing was posted. Declare ${earlier} first, and make this resource depend on ${them}`;
}

export function formatMiscounted(
  { count, occurrence }: Extract<Refusal, { kind: "miscounted" }>,
  { name, followedBy }: Partial<Declaration>,
): string {
  const { entry, container, posted } = getNouns({ name });
  const others = formatCount(count, `other ${entry}`);
  if (count < occurrence - 1)
    return (
      `\`occurrence\` is ${occurrence}, but after this edit, ${count === 0 ? `no other ${entry}` : `only ${others}`} on the ${container} would be ` +
      "identical. Nothing was edited. Restore the old text, use a different one or set " +
      `\`occurrence: ${count + 1}\``
    );
  const identical = `this edit would make the ${entry} identical to ${others} on the ${container}`;
  const isAgain = `a later entry would be ${posted} again`;
  if (followedBy !== undefined)
    return (
      `${count === 0 ? `after this edit, ${isAgain}` : `${identical}, or ${isAgain}`}. Nothing was edited. Restore the old text or use a ` +
      "different one, and add new entries at the end. If another entry is to get a different text as well, correct that entry first, in a " +
      "separate `pulumi up`"
    );
  const both = name === undefined ? ` or, if you want both, set \`occurrence: ${count + 1}\`` : "";
  return `${identical}. Nothing was edited. Restore the old text${both === "" ? " or use a different one" : `, use a different one${both}`}`;
}

export function formatTaken(
  { by, isEdit, isShift }: Extract<Refusal, { kind: "taken" }>,
  declared: Partial<Declaration>,
): string {
  const { entry, posted, verb } = getNouns(declared);
  const other = by === undefined ? "" : formatResourceName(by);
  const problem = isEdit
    ? `this edit replaces the text that ${other} declares, so ${by === otherProvider ? "that resource" : other} would ` +
      `${verb} it again. Nothing was edited`
    : isShift
      ? `${other} had this text until it was edited. This ${entry} wasn't edited`
      : by === undefined
        ? `an ${entry} had this text until an earlier run edited it. Nothing was ${posted}`
        : `the ${entry} with this text belongs to ${other}, and this run edits it to a different text. Nothing was ${posted}`;
  if (declared.key !== undefined)
    return `${problem}. Edit the text in one \`pulumi up\`, and declare this text again in the next one`;
  const names = `${problem}. The resource names have probably shifted: restore the earlier texts, then name resources by topic instead of list position`;
  if (declared.name !== undefined) return `${names}, or give this incident a different name`;
  if (isShift)
    return `${names}, or use an IncidentTimeline with keys. If the names haven't shifted, change a word of this text`;
  return (
    `${names}, or use an IncidentTimeline with keys. To post this text again, change a word of it`
  );
}

export function formatTwin(
  { by, id, differs, isPosted }: Extract<Refusal, { kind: "twin" }>,
  { name, occurrence = 1, followedBy }: Partial<Declaration>,
): string {
  const other = formatResourceName(by);
  if (name !== undefined)
    return `${other} already declares this incident${formatId(id)}. Nothing was opened. Remove one of the two, or change its name`;
  if (differs === "content") {
    return (
      `\`description\` matches update ${id}, which already belongs to ${other}. Nothing was posted. Remove this resource, or change its ` +
      "description"
    );
  }
  if (differs === "occurrence") {
    return (
      `update ${id} also belongs to ${other}, which declares a different occurrence. Nothing was posted. Run \`pulumi state delete\` on ` +
      "this resource. The next `pulumi up` adopts the update of this resource"
    );
  }
  const declares = `${other} already declares this update${formatId(id)}. Nothing was posted. Remove one of the two`;
  if (followedBy !== undefined) return `${declares}, or change the text of this entry`;
  if (isPosted) return `${declares}, or declare the new update below the public ones`;
  const first = by === otherProvider ? "the other resource" : other;
  return `${declares} or, to post it again, set \`occurrence: ${occurrence + 1}\` with \`dependsOn\` on ${first}`;
}

/** Omits the ID that a preview gives to an entry that isn't posted yet, because no service has it. */
function formatId(id: string): string {
  return id.startsWith("[") ? "" : ` (${id})`;
}
