/** The built-in rules, in the order of reports. To add one, add its file and an entry here. */
import type { Rule } from "../rule";
import { allowedTargets } from "./allowedTargets";
import { allowedTypes } from "./allowedTypes";
import { checksCovered } from "./checksCovered";
import { consistentThresholds } from "./consistentThresholds";
import { credentialReference } from "./credentialReference";
import { credentialShared } from "./credentialShared";
import { documentedBounds } from "./documentedBounds";
import { duplicateTarget } from "./duplicateTarget";
import { forbiddenTargets } from "./forbiddenTargets";
import { httpsHook } from "./httpsHook";
import { independentTypes } from "./independentTypes";
import { knownType } from "./knownType";
import { onCallAutoSubscribe } from "./onCallAutoSubscribe";
import { onCallType } from "./onCallType";
import { publicHook } from "./publicHook";
import { recoveryMatchesFailure } from "./recoveryMatchesFailure";
import { sendDegraded } from "./sendDegraded";
import { sendFailure } from "./sendFailure";
import { sendRecovery } from "./sendRecovery";
import { singleRecipient } from "./singleRecipient";
import { sslExpiry } from "./sslExpiry";
import { sslExpiryThreshold } from "./sslExpiryThreshold";
import { stale } from "./stale";
import { subscribed } from "./subscribed";
import { subscriptionsActive } from "./subscriptionsActive";
import { webhookSecret } from "./webhookSecret";

export const builtInRules: readonly Rule[] = [
  sendFailure,
  sendRecovery,
  sendDegraded,
  recoveryMatchesFailure,
  subscribed,
  subscriptionsActive,
  sslExpiry,
  sslExpiryThreshold,
  consistentThresholds,
  documentedBounds,
  knownType,
  allowedTypes,
  allowedTargets,
  forbiddenTargets,
  duplicateTarget,
  httpsHook,
  publicHook,
  webhookSecret,
  credentialReference,
  credentialShared,
  stale,
  onCallType,
  onCallAutoSubscribe,
  independentTypes,
  singleRecipient,
  checksCovered,
];
