/** The updates that a program declares: none twice. */
import {
  type DeclaredContent,
  declaredContent,
} from "../../provider/lifecycles/incidentUpdate/declaredContent";
import { matches } from "../../provider/protocol/identity";
import { perRun } from "../program/run";
import { declarationError } from "../program/declarationError";

interface DeclaredUpdate {
  readonly name: string;
  readonly content: DeclaredContent;
}

/** The declarations of this run, by incident and occurrence. */
const declared = perRun(() => new Map<string, DeclaredUpdate[]>());

/** Otherwise the second resource would adopt the update of the first. The provider rejects duplicates of unknown values. */
export function assertNoDuplicate(
  name: string,
  args: { readonly [Name in keyof DeclaredContent | "occurrence"]?: unknown },
  incident: string,
): void {
  const { occurrence = 1 } = args;
  const content = declaredContent(args);
  if (!content || typeof occurrence !== "number") return;
  const key = `${incident} ${occurrence}`;
  const earlier = declared().get(key) ?? [];
  const duplicate = earlier.find((one) => matches(content, one.content));
  if (duplicate !== undefined) {
    throw declarationError(
      "IncidentUpdate",
      name,
      `"${duplicate.name}" declares an identical update on the same incident. To post it again, set \`occurrence: ${occurrence + 1}\` and \`dependsOn\` on "${duplicate.name}".`,
    );
  }
  declared().set(key, [...earlier, { name, content }]);
}
