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
import { validSettings } from "./validSettings";
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
  validSettings,
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
