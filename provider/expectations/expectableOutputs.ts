/** What can be expected of an alert channel: facts about its credentials, never their values. */
import { z } from "zod";
import { alertChannel } from "../api/alertChannel";
import { isShown } from "../credentials/settingKinds";
import { redactedCredential } from "../credentials/credentialSchema";
import { valuesByKey } from "../values/documentedFields";

const config = z.record(z.string(), z.unknown());
valuesByKey.set(config, (key) => (isShown(key) ? z.unknown() : redactedCredential));

/** The outputs of an alert channel. */
export const alertChannelOutputs = alertChannel.omit({ id: true }).extend({ config });
