/** Policies on the incident updates that a program declares, judged before anything is posted. */
import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import { isOfType } from "../provider/resourceTypes";
import { normalizeText } from "../provider/lifecycles/updateContent";

/** Who may mail subscribers. */
export interface MailOnlyFromArgs {
  /** Stacks as `<stack>` or `<project>/<stack>`. None: no stack may. */
  readonly stacks: readonly string[];
}

/** Only the listed stacks may declare an `IncidentUpdate` that mails subscribers. Mandatory. */
export function mailOnlyFrom({ stacks }: MailOnlyFromArgs): ResourceValidationPolicy {
  const allowed = stacks.length === 0 ? "no stack" : `only ${stacks.join(", ")}`;
  return {
    name: "mail-only-from",
    displayName: "Only some stacks mail subscribers",
    description: "Only some stacks mail subscribers. A mail to every subscriber can't be taken back.",
    remediationSteps: "Declare notifySubscribers: false, or declare the update in a stack that may mail.",
    enforcementLevel: "mandatory",
    validateResource: (resource, reportViolation) => {
      if (!isIncidentUpdate(resource) || resource.props.notifySubscribers !== true) return;
      const { stack, project } = originOf(resource.urn);
      if (stacks.includes(stack) || stacks.includes(`${project}/${stack}`)) return;
      reportViolation(
        `notifySubscribers: true, but ${allowed} may mail subscribers, and this is ${project}/${stack}. ` +
          "Declare notifySubscribers: false, or declare the update in a stack that may.",
      );
    },
  };
}

/**
 * No `IncidentUpdate` may hold one of these words in its description. Mandatory. Case and the way of writing a
 * character make no difference, and a word in a longer one doesn't count. The description is never quoted: it may be
 * a secret until it is public.
 */
export function forbiddenWords(words: readonly string[]): ResourceValidationPolicy {
  const patterns = words.map(patternOf);
  return {
    name: "forbidden-words",
    displayName: "The description holds no forbidden word",
    description: "The description holds no forbidden word. The public reads it, and it can't be taken back.",
    remediationSteps: "Choose other words.",
    enforcementLevel: "mandatory",
    validateResource: (resource, reportViolation) => {
      if (!isIncidentUpdate(resource)) return;
      const text = normalizeText(String(resource.props.description ?? ""));
      const found = patterns.flatMap((pattern, index) =>
        pattern.test(text) ? [`forbiddenWords[${index}]`] : [],
      );
      if (found.length === 0) return;
      reportViolation(`description: holds what ${found.join(", ")} of the pack forbids. Choose other words.`);
    },
  };
}

function isIncidentUpdate({ type }: ResourceValidationArgs): boolean {
  return isOfType(type, "IncidentUpdate");
}

/** A URN begins with `urn:pulumi:<stack>::<project>::`. */
function originOf(urn: string): { stack: string; project: string } {
  const [start = "", project = ""] = urn.split("::");
  return { stack: start.replace("urn:pulumi:", ""), project };
}

/** Scripts whose letters have no case often put no space between words, so there a word counts anywhere. */
function patternOf(word: string): RegExp {
  const escaped = normalizeText(word).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const letter = "[\\p{Lu}\\p{Ll}\\p{N}]";
  return new RegExp(`(?<!${letter})${escaped}(?!${letter})`, "iu");
}
