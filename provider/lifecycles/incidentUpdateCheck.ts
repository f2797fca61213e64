/** Says what is wrong with the declaration of an `IncidentUpdate` by itself, before anything is asked of the service. */
import { refusedIn } from "../proofreading";
import { type Problem, sameText } from "../texts";
import { noEdit } from "../wording";
import {
  checkFields,
  type Context,
  type DeclaredInputs,
  type PreviewContext,
  type Properties,
} from "./lifecycle";
import { fields } from "./incidentUpdateFields";
import { declaredContent, fieldUnlike } from "./timeline";

/** What is wrong with a declaration by itself. */
export function checkUpdate(
  declared: DeclaredInputs,
  old: Properties = {},
  { program }: Pick<PreviewContext, "program"> = {},
) {
  const checked = checkFields(fields, declared);
  const problems = [
    ...checked.problems,
    ...transformedProblem(checked.inputs, program),
    ...textProblems(checked.inputs, old),
    ...onChangeProblems(checked.inputs, declared, program),
  ];
  return { ...checked, problems };
}

/**
 * What is wrong with the entries after a new one, which is posted before they are checked. A preview tells it of each entry itself.
 *
 * @param problemsOf What is wrong with one of them.
 */
export function laterProblems(
  declared: DeclaredInputs,
  old: Properties,
  program: Context["program"],
  problemsOf: (entry: DeclaredInputs) => readonly Problem[],
): Problem[] {
  const place = placeIn({ program });
  if (!place || program?.collects || Object.keys(old).length > 0) return [];
  const { status, description, publicIncidentUpdateDate, notifySubscribers, ...common } = declared.known;
  const isCommon = (property: string) =>
    Object.hasOwn({ incidentId: true, account: true, ...common }, property);
  return (place.later ?? []).flatMap((entry, index) => {
    return problemsOf({ known: { ...common, ...entry }, unknown: declared.unknown })
      .filter(({ property }) => !isCommon(property))
      .map(({ property, reason }) => ({
        property: `updates[${place.index + 1 + index}].${property}`,
        reason,
      }));
  });
}

/** A text that the state has was imported, or posted before it was refused: it stays as it is. */
function textProblems({ description }: Properties, old: Properties = {}): Problem[] {
  const { description: before } = old;
  if (typeof description !== "string") return [];
  if (typeof before === "string" && sameText(description, before)) return [];
  return refusedIn(description).map((reason) => ({ property: "description", reason }));
}

/** Nobody may believe that a change is an edit where it is another update, or none. */
function onChangeProblems(
  { onChange, statusPageId }: Properties,
  { unknown }: DeclaredInputs,
  program: Context["program"],
): Problem[] {
  const property = "onChange";
  if (onChange === "edit" && statusPageId === undefined && !unknown.has("statusPageId"))
    return [{ property, reason: `"edit" needs statusPageId. ${noEdit}` }];
  if (onChange === "post" && program?.place !== undefined)
    return [
      { property, reason: 'must be "refuse" or "edit" in a timeline, whose order a new update would break' },
    ];
  return [];
}

/** Rejects an entry that a transformation changed after its timeline computed the keys, because they would stand for other texts. */
function transformedProblem(inputs: Properties, program: Context["program"]): Problem[] {
  const { keys, index } = placeIn({ program }) ?? { keys: [], index: 0 };
  const key = keys[index];
  const content = declaredContent(inputs);
  const property = content && key ? fieldUnlike(key, content) : undefined;
  if (property === undefined) return [];
  const reason =
    `${property === "description" ? "or status " : ""}was changed by a transformation of the program ` +
    "(`transforms` or `transformations`), so the order of the " +
    "timeline can't be checked. Make the change in `updates` of the IncidentTimeline, and leave its entries as they are";
  return [{ property, reason }];
}

/** The place of an entry in its timeline, if its keys are known. */
export const placeIn = ({ program }: Pick<PreviewContext, "program">) =>
  program?.place === "later" ? undefined : program?.place;
