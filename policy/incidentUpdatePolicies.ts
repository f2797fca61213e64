/** Creates the policies on `IncidentUpdate` and `Incident` resources. They are checked before anything is posted. */
import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import { z } from "zod";
import { toMistakes, RulesError, strict } from "../audit";
import { isOfType, parseUrn, removeStack } from "../provider/engine";
import { filledList, list, string } from "../provider/problems";
import { normalizeText } from "../provider/texts";

const invalidStack = { error: "must be <stack> or <project>/<stack>" };

export const emailOnlyFromSchema = strict({
  stacks: list(z.string(invalidStack).regex(/^[^/:]+(\/[^/:]+)?$/, invalidStack)),
});

/** Rejects words of only invisible characters, because every description would contain them. */
export const forbiddenWordsSchema = filledList(
  string.refine((word) => normalizeText(word) !== "", { error: "must not be empty" }),
);

/** @throws RulesError with all errors */
function assertValid(schema: z.ZodType, value: unknown, name: string): void {
  const { error } = schema.safeParse(value);
  if (error) throw removeStack(RulesError.of(toMistakes(error.issues, [name])));
}

/** Stacks that may email subscribers. */
export interface EmailOnlyFromArgs {
  /** Stacks as `<stack>` or `<project>/<stack>`. An empty list allows no stack. */
  readonly stacks: readonly string[];
}

/** Returns a mandatory policy: only the listed stacks may declare an `IncidentUpdate` or an `Incident` that emails subscribers. */
export function emailOnlyFrom(args: EmailOnlyFromArgs): ResourceValidationPolicy {
  assertValid(emailOnlyFromSchema, args, "emailOnlyFrom");
  const { stacks } = args;
  const allowed = stacks.length === 0 ? "no stack" : `only ${stacks.join(", ")}`;
  return {
    name: "email-only-from",
    displayName: "Only listed stacks email subscribers",
    description: "Only listed stacks email subscribers. An email can't be recalled.",
    remediationSteps: "Declare notifySubscribers: false, or declare the resource in a listed stack.",
    enforcementLevel: "mandatory",
    validateResource: (resource, reportViolation) => {
      if (!isPublished(resource) || resource.props.notifySubscribers !== true) return;
      const { stack, project } = parseUrn(resource.urn);
      if (stacks.includes(stack) || stacks.includes(`${project}/${stack}`)) return;
      reportViolation(
        `notifySubscribers is true in ${project}/${stack}, but ${allowed} may email subscribers. ` +
          "Declare notifySubscribers: false, or declare the resource in a listed stack.",
      );
    },
  };
}

/**
 * Returns a mandatory policy: the description of an `IncidentUpdate` or an `Incident`, and the name of an `Incident`, must not contain any
 * of these words. Only whole words match. Case (`STRASSE` matches `straße`) and invisible characters are ignored, and typographic
 * apostrophes and hyphens match typed ones. Messages never quote the text, because it may be a secret until it is public.
 */
export function forbiddenWords(words: readonly string[]): ResourceValidationPolicy {
  assertValid(forbiddenWordsSchema, words, "forbiddenWords");
  const patterns = words.map(toWordPattern);
  return {
    name: "forbidden-words",
    displayName: "Public text contains no forbidden words",
    description: "Public text contains no forbidden words. It can't be recalled.",
    remediationSteps: "Reword the text.",
    enforcementLevel: "mandatory",
    validateResource: (resource, reportViolation) => {
      if (!isPublished(resource)) return;
      for (const property of publicTexts) {
        const text = foldCase(String(resource.props[property] ?? ""));
        const matches = patterns.flatMap((pattern, index) =>
          pattern.test(text) ? [`forbiddenWords[${index}]`] : [],
        );
        if (matches.length === 0) continue;
        reportViolation(
          `${property} contains forbidden words of the policy pack (${matches.join(", ")}). Reword the ${property}.`,
        );
      }
    },
  };
}

/** Properties with text that is public. Only an `Incident` has a name. */
const publicTexts = ["name", "description"];

/** Returns true if the resource publishes an update. An incident is opened with its first update. */
function isPublished({ type }: ResourceValidationArgs): boolean {
  return isOfType(type, "IncidentUpdate") || isOfType(type, "Incident");
}

/** Matches whole words. In scripts without upper and lower case, matches anywhere, because such scripts often don't use spaces. */
function toWordPattern(word: string): RegExp {
  const escaped = foldCase(word).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const letter = "[\\p{Lu}\\p{Ll}\\p{N}]";
  return new RegExp(`(?<!${letter})${escaped}(?!${letter})`, "iu");
}

/** Normalizes text, so that words that only differ in case, apostrophes or hyphens are equal. Uses the full case folding of Unicode. */
function foldCase(text: string): string {
  return normalizeText(text)
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFC")
    .replace(/[\u2018\u2019\u201b\u02bc\u2032\uff07`\u00b4]/g, "'")
    .replace(/[\u2010\u2011\u2212\ufe63\uff0d]/g, "-");
}
