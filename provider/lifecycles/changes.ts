/**
 * Rejects changes of public entries: compares a declaration with the page before it is rejected, and finds the incident of an update whose
 * ID a preview doesn't know.
 */
import { isMonitoringError, MonitoringError } from "../client";
import { type Connection } from "../connection";
import {
  type Comparison,
  type Declaration,
  isEditable,
  isPredictedId,
  listChangedFields,
  normalizeContent,
  type Rejection,
} from "../protocol";
import { sameText } from "../texts";
import { formatRejection } from "../wording";
import { type EntryKind } from "./entries";
import {
  type Context,
  type DeclaredInputs,
  getConnection,
  type PreviewContext,
  type Properties,
} from "./lifecycle";

export function toOldInputs(kind: EntryKind, old: Properties, context: Context) {
  const declared = kind.toKnown({ known: old, unknown: new Set() }, { ...context, program: undefined });
  return { kind: "inputs", declared } as const;
}

/**
 * Rejects a change of a public entry in the preview of a dynamic provider, so that the preview reports all rejections at once: the engine
 * stops at the first failure of `diff`. Only the old inputs are known. If the page shows neither the old nor the new content, `diff` decides.
 */
export async function rejectPublicChange(
  kind: EntryKind,
  news: DeclaredInputs,
  old: Properties,
  context: Context,
): Promise<void> {
  const { declared: before } = toOldInputs(kind, old, context);
  const { declared, opener } = locateIncident(kind, news, context, true);
  if (opener !== undefined) throw createMovedError(kind, before, declared, opener, context);
  const after = kind.toKnown(declared, context);
  const fields = listChangedFields(before, after);
  if (declared.unknown.size > 0 || fields.length === 0 || isEditable(after)) return;
  const content = kind.toDeclaration(declared.known, context);
  const connection = getConnection(declared.known, context);
  // A page lists only the incidents of one name.
  const names = [...new Set([before.name, content.name])];
  const read = names.map((name) => context.publishing.readEntries(connection, { ...content, name }));
  const entries = await ignoreErrors(Promise.all(read));
  const shows = ({ status, text, name }: Partial<Declaration>) =>
    entries
      ?.flat()
      .find((each) => each.status === status && each.text === text && sameText(each.name ?? "", name ?? ""));
  const shown = shows(after) ? undefined : shows(before);
  if (!shown) return;
  throw createRejectionError({ kind: "changed", fields, shown, from: before.containerId }, after, context);
}

export function createRejectionError(
  rejection: Rejection,
  declared: Partial<Declaration>,
  context: Context,
): MonitoringError {
  const options = { title: context.title, isTextSecret: isAnyTextSecret(context) };
  return new MonitoringError(formatRejection(rejection, declared, options));
}

/** Creates the error for an update that is public on one incident, and is declared on another one that this run opens. */
export function createMovedError(
  kind: EntryKind,
  { containerId: from }: Partial<Declaration>,
  declared: DeclaredInputs,
  opener: string,
  context: Context,
): MonitoringError {
  const rejection = { kind: "changed", fields: ["containerId"], from, opener } as const;
  return createRejectionError(rejection, kind.toKnown(declared, context), context);
}

/**
 * Completes the ID of an incident of this program, which a preview doesn't know while the incident is opened or, with a dynamic provider,
 * changed. `opener`: the resource that opens the incident in this run.
 *
 * @param isPosted True if the update is public.
 * @throws MonitoringError if the update repeats the first update of the incident that this run opens.
 */
export function locateIncident(
  kind: EntryKind,
  declared: DeclaredInputs,
  context: Context,
  isPosted: boolean,
): { readonly declared: DeclaredInputs; readonly opener?: string | undefined } {
  const { known, unknown } = declared;
  const { containerId } = kind.names;
  if (containerId !== "incidentId" || !unknown.has(containerId) || unknown.has("account"))
    return { declared };
  const connection = getConnection(known, context);
  const { statusPageId } = known;
  const incidents = context.program?.incidents;
  const found = context.publishing.findDeclaredIncident(connection, statusPageId, incidents, isPosted);
  if (!found) return { declared };
  const { by, recorded } = found;
  const { id } = recorded;
  if (!isPredictedId(id)) {
    const others = new Set([...unknown].filter((name) => name !== containerId));
    return { declared: { known: { ...known, [containerId]: id }, unknown: others } };
  }
  const content = kind.toKnown(declared, context);
  const isFirst = content.status === recorded.declared.status && content.text === recorded.declared.text;
  if (!isPosted && isFirst) throw createRejectionError({ kind: "twin", by, id }, content, context);
  return { declared, opener: by };
}

/** Compares a declaration with the state and, if the change would be rejected, with the page, which may already show it. */
export async function compareWithPage(
  kind: EntryKind,
  comparison: Comparison,
  connection: Connection | undefined,
  { publishing }: Context,
) {
  const compared = publishing.diff(connection, comparison);
  const { difference } = compared;
  const { was } = comparison;
  if (difference.kind !== "reject" || difference.rejection.kind !== "changed" || was.kind !== "posted")
    return compared;
  const shown = connection && (await ignoreErrors(kind.readShown(was, connection)));
  if (!shown) return compared;
  return publishing.diff(connection, { ...comparison, was: { ...was, published: normalizeContent(shown) } });
}

/** Resolves to undefined if the service can't be read. */
async function ignoreErrors<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  return reading.catch((error: unknown) => {
    if (isMonitoringError(error)) return undefined;
    throw error;
  });
}

export const isTextSecret = ({ secrets }: PreviewContext): boolean => secrets?.has("description") ?? true;

/** Returns true if the declared text or the text in the state may be a secret. */
const isAnyTextSecret = (context: PreviewContext): boolean =>
  isTextSecret(context) || context.oldSecrets?.has("description") === true;
