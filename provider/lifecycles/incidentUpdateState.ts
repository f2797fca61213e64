/** The fields, the ids and the state of an `IncidentUpdate`. */
import { digestOf } from "../texts";
import { publicDate, updateStatuses, sameSecond, type Origin } from "../api";
import { z } from "zod";
import { account, checkFields, fieldFacts, idOf } from "./fieldFacts";
import { type DeclaredInputs, type Properties } from "./lifecycle";
import { decode, encode, type Recorded, sameText } from "../protocol";
import { InvalidInputError, type StatusPageIncidentUpdate } from "../client";

// Ids of `IncidentUpdate` resources: `<incidentId>/<incidentUpdateId>`, or a placeholder after a post without a response.

export function joinId(incidentId: string, incidentUpdateId: string): string {
  return `${incidentId}/${incidentUpdateId}`;
}

/** The two parts, or undefined for another format. Incident ids contain no slash. */
export function splitId(id: string): { incidentId: string; incidentUpdateId: string } | undefined {
  const slash = id.indexOf("/");
  if (slash < 1 || slash === id.length - 1) return undefined;
  return { incidentId: id.slice(0, slash), incidentUpdateId: id.slice(slash + 1) };
}

/**
 * The id of an update that was sent, until a refresh gives it the one of the update. Of no text: the description may be a
 * secret, and ids are visible.
 */
export function sentId(incidentId: string, nonce: string): string {
  return joinId(incidentId, `update-${digestOf(nonce)}`);
}

// The fields of `IncidentUpdate`: what a program declares, and what the state stores.

const maxDescriptionLength = 65_536;
const controlCharacter = /[^\P{Cc}\t\n\r]/u;
/** The engine replaces a lone surrogate by U+FFFD. */
const loneSurrogate = /[\p{Cs}\uFFFD]/u;

const sameString = (same: (a: string, b: string) => boolean) => (a: unknown, b: unknown) =>
  a === b || (typeof a === "string" && typeof b === "string" && same(a, b));

const oneOf = (values: readonly string[]): { error: string } => ({
  error: `must be one of ${values.join(", ")}`,
});

const onChangeValues = ["post", "refuse"] as const;

export const incidentUpdateFields = {
  incidentId: idOf("a status-page incident"),
  status: z.enum(updateStatuses, oneOf(updateStatuses)).register(fieldFacts, { replaces: true }),
  description: z
    .string({ error: "must be a string" })
    .trim()
    // Not `min` and `max`, which would report a second problem for a list.
    .refine((value) => value !== "", { error: "must not be empty" })
    .refine((value) => value.length <= maxDescriptionLength, {
      error: `must have at most ${maxDescriptionLength} characters`,
    })
    .refine((value) => !controlCharacter.test(value), { error: "must not contain control characters" })
    .refine((value) => !loneSurrogate.test(value), {
      error: "must be well-formed Unicode: it contains a lone surrogate (U+FFFD replaces one)",
    })
    .register(fieldFacts, {
      replaces: true,
      secret: true,
      repeatedIn: "published",
      same: sameString(sameText),
    }),
  notifySubscribers: z.boolean({ error: "must be true or false" }).default(false),
  publicIncidentUpdateDate: publicDate
    .optional()
    .register(fieldFacts, { replaces: true, same: sameString(sameSecond) }),
  occurrence: z
    .int({ error: "must be a whole number from 1" })
    .min(1, { error: "must be a whole number from 1" })
    .default(1)
    .register(fieldFacts, {
      replaces: true,
    }),
  onChange: z.enum(onChangeValues, oneOf(onChangeValues)).default("post"),
  // Describes other entries of the timeline, so it is not an output of this update.
  followedBy: z
    .array(z.string(), { error: "must be a list of strings" })
    .optional()
    .register(fieldFacts, { internal: true }),
  follows: z.string({ error: "must be a string" }).optional().register(fieldFacts, { internal: true }),
  // The key of the entry itself, as the timeline computed it.
  entry: z.string({ error: "must be a string" }).optional().register(fieldFacts, { internal: true }),
  // Identifies the resource: the engine doesn't tell a dynamic provider which one it calls for, and shows no `__` property.
  __resource: z.string({ error: "must be a string" }).optional().register(fieldFacts, { internal: true }),
  account,
};

const declared = z.object(incidentUpdateFields);

/** The validated declaration. */
export type Inputs = z.output<typeof declared>;

export function readInputs(properties: unknown): Inputs {
  return declared.parse(properties);
}

// Without the default of `notifySubscribers`, which would stand for a value that is not known.
const previewed = declared
  .pick({ incidentId: true, status: true, description: true })
  .extend({ notifySubscribers: z.boolean() })
  .partial();

/** What a preview knows of a declaration. */
export function knownOf({ known }: DeclaredInputs): z.output<typeof previewed> {
  return previewed.parse(known);
}

const partial = declared.partial();

/** The valid values of a declaration, as far as they are known. */
export function knownInputs(declaration: DeclaredInputs): Partial<Inputs> {
  return partial.parse(checkFields(incidentUpdateFields, declaration).inputs);
}

/** Undefined while a declared value is unknown or invalid. */
export function readDeclared(properties: unknown): Inputs | undefined {
  return declared.safeParse(properties).data;
}

// The state of an `IncidentUpdate`: what the protocol reads of it, and what it stores.

/**
 * Undefined for what no program declares: `IncidentUpdate.get` stores any update that the service shows.
 * @throws InvalidInputError when the state can't be read: what is missing may be why nothing is posted.
 */
export function recordedIn(id: string, { origin, ...state }: Properties): Recorded | undefined {
  const decoded = decode(state);
  switch (decoded.kind) {
    case "recorded":
      return decoded.recorded;
    case "read":
      return undefined;
    case "unreadable":
      throw new InvalidInputError(`IncidentUpdate ${id}`, [
        { property: decoded.field, reason: unreadableReason },
      ]);
  }
}

const unreadableReason =
  "can't be read from the state. Nothing was posted. If a newer version of pulumi-monitoring-service wrote it, install " +
  "that version. If the state was edited, restore it with `pulumi stack import`. Otherwise check the public page, then " +
  "remove the resource from the state with `pulumi state delete`: the next `pulumi up` adopts its update, or posts it if " +
  "the incident doesn't show it";

/** The outputs of a resource. */
export function outputsOf(recorded: Recorded, origin: Origin): Properties {
  const { __resource, entry, ...outputs } = encode(recorded);
  return { ...outputs, origin };
}

/** The update as the service shows it. */
export function publishedOf({
  status,
  description,
  publicIncidentUpdateDate,
  notifySubscribers,
}: Partial<StatusPageIncidentUpdate>): Properties {
  return { status, description, publicIncidentUpdateDate, notifySubscribers };
}

/** Of an update that a program only reads. */
export function existingOutputs(
  old: Properties,
  incidentId: string,
  update: StatusPageIncidentUpdate,
  origin: Origin,
): Properties {
  const {
    id,
    status,
    description,
    notifySubscribers,
    publicIncidentUpdateDate,
    created_at: createdAt,
  } = update;
  return {
    ...old,
    incidentId,
    status,
    description,
    notifySubscribers: notifySubscribers ?? false,
    publicIncidentUpdateDate,
    incidentUpdateId: id,
    createdAt,
    published: publishedOf(update),
    missing: false,
    origin,
  };
}
