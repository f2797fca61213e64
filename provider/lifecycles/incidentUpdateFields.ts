/** Declares what an `IncidentUpdate` takes and has: each field once, with its checks, its facts and its doc comment. */
import { z } from "zod";
import { publicDate, sameSecond, type StatusPageIncidentUpdate, updateStatuses, type Without } from "../api";
import { type AccountArgs } from "../connection";
import { boolean, type InputsOf, named, oneOf, type OutputsOf, string } from "../problems";
import { normalizeText, sameText } from "../texts";
import { account, fieldFacts, idOf, ownIdOf } from "./lifecycle";

const maxDescriptionLength = 65_536;
const controlCharacter = /[^\P{Cc}\t\n\r]/u;
/** The engine replaces a lone surrogate by U+FFFD. */
const loneSurrogate = /[\p{Cs}\uFFFD]/u;

const sameString = (same: (a: string, b: string) => boolean) => (a: unknown, b: unknown) =>
  a === b || (typeof a === "string" && typeof b === "string" && same(a, b));

export const onChangeValues = ["post", "refuse", "edit"] as const;
export const defaults = { notifySubscribers: false, occurrence: 1, onChange: "post" } as const;

const inputs = {
  /** Id of the status-page incident. A change posts a new update, unless `onChange` says otherwise. */
  incidentId: named<string, string>(ownIdOf("a status-page incident")),
  /**
   * Id of the status page that has the incident, if it is a page with components. Omit it for a page with cards. When a page was
   * migrated, add it, with the incident's new id, if it has one: that changes the state and posts nothing.
   */
  statusPageId: named<string, string>(idOf("a status page with components")).optional(),
  /** Status that the update announces. A change posts a new update, unless `onChange` says otherwise. */
  status: oneOf(updateStatuses),
  /**
   * Public text. Surrounding white space is trimmed. A change posts a new update, unless `onChange` says otherwise or a reader sees
   * none: of white space, invisible characters, HTML entities or Unicode.
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
      error: "must be well-formed Unicode: it contains a lone surrogate (U+FFFD replaces one)",
    })
    .register(fieldFacts, { secret: true, repeatedIn: "published", same: sameString(sameText) }),
  /** Whether to email all subscribers when the update is posted. Default: false. */
  notifySubscribers: boolean.default(defaults.notifySubscribers),
  /** Public date, as an ISO 8601 date-time. Default: the time of the post. Declare a fixed date: a change posts, and `new Date()` changes in each run. */
  publicIncidentUpdateDate: publicDate.optional().register(fieldFacts, { same: sameString(sameSecond) }),
  /** 1-based index among identical updates of the incident. Default: 1. */
  occurrence: z.int({ error: "must be a whole number from 1" }).min(1).default(defaults.occurrence),
  /**
   * What happens to changed content: `post` posts a new update, `refuse` rejects the change, and `edit` edits the update where it stands,
   * which emails nobody. `edit` needs `statusPageId`. Default: `post`.
   */
  onChange: oneOf(onChangeValues).default(defaults.onChange),
};

export interface IncidentUpdateInputs extends InputsOf<typeof inputs>, AccountArgs {}

/** An update as the service shows it. */
export interface PublishedIncidentUpdate extends Without<StatusPageIncidentUpdate, "id" | "created_at"> {}

export const computed = {
  /** Identifier of the update. */
  incidentUpdateId: string,
  /** Creation time, as recorded by the service; null or undefined when the service doesn't return it. */
  createdAt: string.nullish(),
  /**
   * The update as the service showed it at the last refresh, with manual edits. A Pulumi secret when `description` is an
   * output.
   */
  published: z.custom<PublishedIncidentUpdate>(),
  /** Whether the update or its incident was deleted, as the last refresh found. The update isn't posted again. */
  missing: boolean,
};

export interface IncidentUpdateOutputs
  extends OutputsOf<typeof inputs>, AccountArgs, OutputsOf<typeof computed> {}

export const fields = { ...inputs, account };
