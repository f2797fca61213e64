import { type Recorded, sameText } from "../../protocol";
import { respelledText } from "../../protocol/texts/noticeText";

/** What a user should know of a text that differs and is the same update: the public one stays as it is. */
export function respelledNotices(
  id: string,
  recorded: Recorded | undefined,
  inputs: { readonly description: string },
): string[] {
  if (recorded?.kind !== "posted") return [];
  const { description } = recorded.declared;
  if (inputs.description === description || !sameText(inputs.description, description)) return [];
  return [respelledText(id)];
}
