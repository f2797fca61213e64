import { builtInRules, metaRules } from "./rules";

/** The rules that this package documents: those of channels, and those of the audit itself. */
export const documentedRules = [...builtInRules, ...metaRules] as const;

const ids: ReadonlySet<string> = new Set(documentedRules.map(({ id }) => id));

/** Whether the rule has a page, and `monitoring audit --explain` says why it matters. */
export function isDocumented({ id }: { readonly id: string }): boolean {
  return ids.has(id);
}
