/** The fields of `IncidentUpdate`: what a program declares, and what the stack remembers. */
import { z } from "zod";
import { updateStatuses } from "../api";
import { account, facts, idOf } from "./fields";
import { sameSecond } from "../api/timestamps";
import { sameText } from "./updateContent";

const longestDescription = 65_536;
const controlCharacter = /[^\P{Cc}\t\n\r]/u;
/** U+FFFD is what becomes of one on its way through the engine. */
const halfOfACharacter = /[\p{Cs}\uFFFD]/u;

const notADate = "must be an ISO 8601 date-time with a zone, such as 2026-01-31T09:30:00Z";

const texts = (same: (a: string, b: string) => boolean) => (a: unknown, b: unknown) =>
  a === b || (typeof a === "string" && typeof b === "string" && same(a, b));

const oneOf = (values: readonly string[]): { error: string } => ({
  error: `must be one of ${values.join(", ")}`,
});

const onChangeValues = ["post", "refuse"] as const;
const onUnconfirmedValues = ["fail", "resend"] as const;

export const incidentUpdateFields = {
  incidentId: idOf("a status-page incident"),
  status: z.enum(updateStatuses, oneOf(updateStatuses)).register(facts, { replaces: true }),
  description: z
    .string({ error: "must be a string" })
    .trim()
    // Not min and max: these would also measure a list, which is told already that it is no text.
    .refine((value) => value !== "", { error: "must not be empty" })
    .refine((value) => value.length <= longestDescription, {
      error: `must have at most ${longestDescription} characters`,
    })
    .refine((value) => !controlCharacter.test(value), { error: "must not hold control characters" })
    .refine((value) => !halfOfACharacter.test(value), {
      error: "must be well-formed Unicode: it holds half of a character (U+FFFD stands for one)",
    })
    .register(facts, {
      replaces: true,
      secret: true,
      repeatedIn: "published",
      same: texts(sameText),
    }),
  notifySubscribers: z.boolean({ error: "must be true or false" }).default(false),
  publicIncidentUpdateDate: z.iso
    .datetime({ offset: true, error: notADate })
    .transform((value) => (value.endsWith("Z") ? value : new Date(value).toISOString()))
    // In UTC it may lie before the year 0 or after 9999, which is written in another way.
    .refine((value) => /^\d{4}-/.test(value), { error: notADate })
    .optional()
    .register(facts, { replaces: true, same: texts(sameSecond) }),
  occurrence: z
    .int({ error: "must be a whole number from 1" })
    .min(1, { error: "must be a whole number from 1" })
    .default(1)
    .register(facts, {
      replaces: true,
    }),
  onChange: z.enum(onChangeValues, oneOf(onChangeValues)).default("post"),
  onUnconfirmed: z.enum(onUnconfirmedValues, oneOf(onUnconfirmedValues)).default("fail"),
  // What is known of the entries around it is no part of an update, and none of its outputs.
  followedBy: z
    .array(z.string(), { error: "must be a list of strings" })
    .optional()
    .register(facts, { internal: true }),
  account,
};

const declared = z.object(incidentUpdateFields);

/** What a program declares, checked. */
export type Inputs = z.output<typeof declared>;

export function readInputs(properties: unknown): Inputs {
  return declared.parse(properties);
}

/** Undefined while something that is declared isn't known, or can't be right. */
export function readDeclared(properties: unknown): Inputs | undefined {
  return declared.safeParse(properties).data;
}

/** Read leniently: a state may have been written by any release. */
const remembered = z.object({
  incidentId: z.string(),
  status: z.enum(updateStatuses),
  description: z.string(),
  notifySubscribers: z.boolean().default(false),
  publicIncidentUpdateDate: z.string().optional(),
  occurrence: z.number().default(1),
  account: z.string().optional(),
  incidentUpdateId: z.string().optional(),
  published: z
    .object({
      status: z.string().nullish(),
      description: z.string(),
      publicIncidentUpdateDate: z.string().nullish(),
    })
    .optional()
    // What an unknown release wrote there must not cost the rest.
    .catch(undefined),
  missing: z.boolean().default(false),
  unconfirmed: z.object({ ids: z.array(z.string()), newest: z.string().optional() }).optional(),
});

/** What the stack remembers of an update, as far as the lifecycle needs it. */
export type State = z.output<typeof remembered>;

/** Undefined for a resource that was made by `IncidentUpdate.get`, of which nothing but the id is known yet. */
export function readState(properties: unknown): State | undefined {
  return remembered.safeParse(properties).data;
}
