/**
 * Defines the inputs and outputs of an `IncidentUpdate`: each field once, with its checks, its facts and its doc comment. Checks
 * declarations without requests to the service, and reads and writes the state.
 */
import { z } from "zod";
import {
  type Origin,
  publicDate,
  sameSecond,
  type StatusPageIncidentUpdate,
  updateStatuses,
  type Without,
} from "../api";
import { InvalidInputError } from "../client";
import { type AccountArgs } from "../connection";
import { boolean, type InputsOf, castSchema, oneOf, type OutputsOf, string } from "../problems";
import { findRefusals } from "../proofreading";
import { normalizeText, type Problem, sameText } from "../texts";
import {
  account,
  checkFields,
  type Context,
  type DeclaredInputs,
  fieldFacts,
  idSchema,
  type PreviewContext,
  type Properties,
} from "./lifecycle";
import { parseDeclaredContent, findChangedField } from "./timeline";

const maxDescriptionLength = 65_536;
const controlCharacter = /[^\P{Cc}\t\n\r]/u;
/** The engine replaces a lone surrogate with U+FFFD. */
const loneSurrogate = /[\p{Cs}\uFFFD]/u;

export const compareStringsWith = (same: (a: string, b: string) => boolean) => (a: unknown, b: unknown) =>
  a === b || (typeof a === "string" && typeof b === "string" && same(a, b));

export const defaults = { notifySubscribers: false } as const;

const inputs = {
  /** ID of the status-page incident. Changes are rejected. */
  incidentId: castSchema<string, string>(idSchema("a status-page incident")),
  /**
   * ID of the incident's status page. Required for pages with components, not allowed for pages with cards. Changes are rejected. After a
   * page is migrated, declare the update as a new resource with this ID: it adopts the public update and posts nothing.
   */
  statusPageId: castSchema<string, string>(idSchema("a status page with components")).optional(),
  /** Status of the incident that the update announces. Changes are rejected, except in an entry of a timeline. */
  status: oneOf(updateStatuses),
  /**
   * Text of the update, which is public. Surrounding white space is trimmed. Changes are rejected, except in an entry of a timeline, and
   * except invisible ones (white space, invisible characters, HTML entities, Unicode normalization).
   */
  description: string
    .trim()
    // `min` and `max` would report a second problem for a list.
    .refine((value) => normalizeText(value) !== "", { error: "must not be empty" })
    .refine((value) => value.length <= maxDescriptionLength, {
      error: `must have at most ${maxDescriptionLength} characters`,
    })
    .refine((value) => !controlCharacter.test(value), { error: "must not contain control characters" })
    .refine((value) => !loneSurrogate.test(value), {
      error: "must be well-formed Unicode, but contains a lone surrogate (or U+FFFD, its replacement)",
    })
    .register(fieldFacts, { secret: true, repeatedIn: "published", same: compareStringsWith(sameText) }),
  /** Whether to email all subscribers when the update is posted. Default: false. */
  notifySubscribers: boolean.default(defaults.notifySubscribers),
  /** Public date, as an ISO 8601 date-time. Use a fixed date, because `new Date()` changes in every run. Default: the time of the post. */
  publicIncidentUpdateDate: publicDate
    .optional()
    .register(fieldFacts, { same: compareStringsWith(sameSecond) }),
};

export interface IncidentUpdateInputs extends InputsOf<typeof inputs>, AccountArgs {}

/** An update as the service shows it. */
export interface PublishedIncidentUpdate extends Without<StatusPageIncidentUpdate, "id" | "created_at"> {}

export const computed = {
  /** ID of the update. */
  incidentUpdateId: string,
  /** Creation time, as recorded by the service. Null or undefined if the service doesn't return it. */
  createdAt: string.nullish(),
  /**
   * The update as the service showed it at the last refresh, with manual edits. A Pulumi secret when `description` is an
   * output.
   */
  published: z.custom<PublishedIncidentUpdate>(),
  /** Whether the update or its incident was missing at the last refresh. A missing update isn't posted again. */
  missing: boolean,
};

export interface IncidentUpdateOutputs
  extends OutputsOf<typeof inputs>, AccountArgs, OutputsOf<typeof computed> {}

export const fields = { ...inputs, account };

/** Checks a declaration without requests to the service. */
export function checkUpdate(
  declared: DeclaredInputs,
  old: Properties = {},
  { program }: Pick<PreviewContext, "program"> = {},
) {
  const checked = checkFields(fields, declared);
  const problems = [
    ...checked.problems,
    ...findTransformationProblem(checked.inputs, program),
    ...findTextProblems(checked.inputs, old),
  ];
  return { ...checked, problems };
}

/**
 * Returns the problems of the entries after a new entry, because it is posted before the engine checks them. A preview reports them for
 * each entry separately.
 *
 * @param problemsOf Returns the problems of one entry.
 */
export function findLaterProblems(
  declared: DeclaredInputs,
  old: Properties,
  program: Context["program"],
  problemsOf: (entry: DeclaredInputs) => readonly Problem[],
): Problem[] {
  const place = getPlace({ program });
  if (!place || program?.collects || Object.keys(old).length > 0) return [];
  const { status, description, publicIncidentUpdateDate, notifySubscribers, ...common } = declared.known;
  const isCommon = (property: string) =>
    Object.hasOwn({ incidentId: true, account: true, ...common }, property);
  return (place.later ?? []).flatMap((entry, index) => {
    const { key, ...content } = entry;
    return problemsOf({ known: { ...common, ...content }, unknown: declared.unknown })
      .filter(({ property }) => !isCommon(property))
      .map(({ property, reason }) => ({
        property: `updates[${place.index + 1 + index}].${property}`,
        reason,
      }));
  });
}

/** Returns the problems of the text. A text in the state is accepted, because it was imported, or posted before the rule existed. */
function findTextProblems({ description }: Properties, old: Properties): Problem[] {
  const { description: before } = old;
  if (typeof description !== "string") return [];
  if (typeof before === "string" && sameText(description, before)) return [];
  return findRefusals(description).map((reason) => ({ property: "description", reason }));
}

/** Rejects an entry that a transformation changed after its timeline computed the keys, because the keys no longer match the content. */
function findTransformationProblem(inputs: Properties, program: Context["program"]): Problem[] {
  const place = getPlace({ program });
  const key = place?.keys[place.index];
  // An invalid entry has an empty key.
  const content = key ? parseDeclaredContent(inputs) : undefined;
  const property = key && content && findChangedField(key, content);
  if (!property) return [];
  const reason =
    `${property === "description" ? "or status " : ""}was changed by a transformation of the program ` +
    "(`transforms` or `transformations`), so the order of the " +
    "timeline can't be checked. Make the change in `updates` of the IncidentTimeline instead";
  return [{ property, reason }];
}

/** Returns the place of an entry in its timeline, if the keys are known. */
export const getPlace = ({ program }: Pick<PreviewContext, "program">) =>
  program?.place === "later" ? undefined : program?.place;

export interface Ids {
  readonly statusPageId: string | undefined;
  readonly incidentId: string;
  readonly incidentUpdateId: string;
}

/** Splits the ID of a resource at slashes, because IDs of the service contain no slash. @throws InvalidInputError if a part is missing. */
export function parseIds(id: string, operation: string): Ids {
  const parts = id.split("/");
  const [incidentUpdateId = "", incidentId = "", statusPageId] = parts.toReversed();
  if (parts.length <= 3 && parts.length >= 2 && !parts.includes(""))
    return { statusPageId, incidentId, incidentUpdateId };
  const reason =
    "must be <incidentId>/<incidentUpdateId> or, on a page with components, <statusPageId>/<incidentId>/<incidentUpdateId>";
  throw new InvalidInputError(operation, [{ property: "id", reason }]);
}

/** Returns the outputs of an update that a program only reads. */
export function toExistingOutputs(
  old: Properties,
  { statusPageId, incidentId }: Ids,
  update: StatusPageIncidentUpdate,
  origin: Origin,
): Properties {
  const { status, description, publicIncidentUpdateDate } = update;
  const { id: incidentUpdateId, created_at: createdAt, notifySubscribers } = update;
  const published = { status, description, publicIncidentUpdateDate, notifySubscribers };
  const own = { statusPageId, incidentId, ...published, notifySubscribers: notifySubscribers ?? false };
  return { ...old, ...own, incidentUpdateId, createdAt, published, missing: false, origin };
}
