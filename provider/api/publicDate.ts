/** The form of a public date. */
import { z } from "zod";

const notADate = "must be an ISO 8601 date-time with a zone, such as 2026-01-31T09:30:00Z";

/** A full ISO 8601 date-time, as UTC: the only form that every deployment accepts for a public date. */
export const publicDate = z.iso
  .datetime({ offset: true, error: notADate })
  .transform((value) => (value.endsWith("Z") ? value : new Date(value).toISOString()))
  // The conversion to UTC may leave the years 0 to 9999, which ISO 8601 writes with four digits.
  .refine((value) => /^\d{4}-/.test(value), { error: notADate });
