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
