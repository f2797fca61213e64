/** The facts about a credential that an expectation may name. */
import { z } from "zod";
import { fingerprintLength } from "./credentialFingerprint";
import { hostClasses } from "./hostClass";
import { receiverKinds } from "./receiverHosts";
import { type RedactedCredential } from "./redactedCredential";
import { secretParts } from "./secretPart";

/** Errors of an expectation never quote its value, which may be the credential itself. */
export const redactedCredential = z.object(
  {
    fingerprint: z.string().regex(new RegExp(`^[0-9a-f]{${fingerprintLength}}$`), {
      error: `must be the ${fingerprintLength} hex digits that the output \`config\` shows`,
    }),
    scheme: z
      .string()
      .regex(/^[a-z][a-z0-9+.-]*$/, { error: "must be the scheme of a URL, such as https" })
      .optional(),
    hostClass: z.enum(hostClasses, { error: `must be one of ${hostClasses.join(", ")}` }).optional(),
    isReference: z.boolean(),
    secretPart: z.enum(secretParts, { error: `must be one of ${secretParts.join(", ")}` }).optional(),
    receiver: z.enum(receiverKinds, { error: `must be one of ${receiverKinds.join(", ")}` }).optional(),
    isPlaceholder: z.literal(true, { error: "must be true, or not set" }).optional(),
    isMalformed: z.literal(true, { error: "must be true, or not set" }).optional(),
  },
  {
    error:
      "is a credential, which is never stored: expect an object with any of fingerprint, scheme, hostClass, isReference, secretPart, receiver, isPlaceholder, isMalformed",
  },
) satisfies z.ZodType<RedactedCredential>;
