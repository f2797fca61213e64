/** What can be expected of an alert channel: facts about its credentials, never their values. */
import { z } from "zod";
import { alertChannel } from "../api/alertChannel";
import { isShown } from "../credentials/channelConfig";
import {
  fingerprintLength,
  hostClasses,
  receiverKinds,
  type RedactedCredential,
  secretParts,
} from "../credentials/redactedCredential";
import { valuesByKey } from "../values/outputs";

/** What replaces a credential. Errors never quote its value, which may be the credential itself. */
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

const config = z.record(z.string(), z.unknown());
valuesByKey.set(config, (key) => (isShown(key) ? z.unknown() : redactedCredential));

/** The outputs of an alert channel. */
export const alertChannelOutputs = alertChannel.omit({ id: true }).extend({ config });
