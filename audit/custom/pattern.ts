import { z } from "zod";

/** A regular expression. Run it with `runWithTimeLimit`. */
export const pattern = z
  .string({ error: "must be a string" })
  .max(1000, { error: "must have at most 1000 characters" })
  .superRefine((text, context) => {
    try {
      new RegExp(text, "u");
    } catch {
      context.addIssue({ code: "custom", message: "must be a regular expression" });
    }
  });
