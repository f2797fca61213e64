import { type Recorded, sameText } from "../../protocol";

/** What a user should know of a text that differs and is the same update: the public one stays as it is. */
export function respelledNotices(
  id: string,
  recorded: Recorded | undefined,
  inputs: { readonly description: string },
): string[] {
  if (recorded?.kind !== "posted") return [];
  const { description } = recorded.declared;
  if (inputs.description === description || !sameText(inputs.description, description)) return [];
  return [
    `IncidentUpdate ${id}: description differs only in white space, HTML entities or Unicode from what was published, so it is ` +
      "the same update: nothing is posted, nobody is emailed, and the public text stays as it is.",
  ];
}
