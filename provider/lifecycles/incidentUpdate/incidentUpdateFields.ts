/** The fields of `IncidentUpdate`: what a program declares, and what the state stores. */
import { z } from "zod";
import { updateStatuses } from "../../api";
import { publicDate } from "../../api/publicDate";
import { account, checkFields, fieldFacts, idOf } from "../fieldFacts";
import { type DeclaredInputs } from "../lifecycle";
import { sameSecond } from "../../api/timestamps";
import { sameText } from "../../protocol";

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
