/** The built-in rules, in the order of reports. To add one, add its file and an entry here. */
import type { Rule } from "../rule";
import { allowedTargets } from "./allowedTargets";
import { allowedTypes } from "./allowedTypes";
import { checksCovered } from "./checksCovered";
import { credentialReference } from "./credentialReference";
import { credentialShared } from "./credentialShared";
import { documentedBounds } from "./documentedBounds";
import { duplicateTarget } from "./duplicateTarget";
import { emptyTarget } from "./emptyTarget";
import { forbiddenTargets } from "./forbiddenTargets";
import { httpsHook } from "./httpsHook";
import { independentTypes } from "./independentTypes";
import { inspectionHook } from "./inspectionHook";
import { knownType } from "./knownType";
import { managedAsCode } from "./managedAsCode";
import { onCallType } from "./onCallType";
import { placeholder } from "./placeholder";
import { publicHook } from "./publicHook";
import { sendDegraded } from "./sendDegraded";
import { sendFailure } from "./sendFailure";
import { sendRecovery } from "./sendRecovery";
import { singleRecipient } from "./singleRecipient";
import { sslExpiry } from "./sslExpiry";
import { sslExpiryThreshold } from "./sslExpiryThreshold";
import { stale } from "./stale";
import { subscribed } from "./subscribed";
import { webhookSecret } from "./webhookSecret";

export const builtInRules: readonly Rule[] = [
  sendFailure,
  sendRecovery,
  sendDegraded,
  subscribed,
  placeholder,
  emptyTarget,
  sslExpiry,
  sslExpiryThreshold,
  documentedBounds,
  knownType,
  allowedTypes,
  allowedTargets,
  forbiddenTargets,
  duplicateTarget,
  httpsHook,
  publicHook,
  inspectionHook,
  webhookSecret,
  credentialReference,
  credentialShared,
  stale,
  managedAsCode,
  onCallType,
  singleRecipient,
  independentTypes,
  checksCovered,
];

/** The rules of version 0.1 that others replace, by id. */
export const removedRules: Readonly<Record<string, string>> = {
  "consistent-thresholds": "use ssl-expiry-threshold with the option each",
  "on-call-auto-subscribe": "use subscribed, because autoSubscribe acts on checks of the web interface only",
  "recovery-matches-failure": "use send-failure and send-recovery",
  "subscriptions-active": "use subscribed, which also reports paused subscriptions",
};
