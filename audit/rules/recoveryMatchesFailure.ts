import { defineRule } from "../rule";
import { notReturned } from "./flag";

export const recoveryMatchesFailure = defineRule({
  id: "recovery-matches-failure",
  title: "The channel sends failures and recoveries, or neither",
  why: "A failure without its recovery keeps people investigating; a recovery without its failure is noise.",
  fix: "Turn both on in the channel's settings, or both off.",
  check:
    () =>
    ({ sendFailure, sendRecovery }) => {
      const field = "sendRecovery";
      if (typeof sendFailure !== "boolean") return [{ field: "sendFailure", reason: notReturned }];
      if (typeof sendRecovery !== "boolean") return [{ field, reason: notReturned }];
      if (sendFailure === sendRecovery) return [];
      return [{ field, actual: String(sendRecovery), expected: `${sendFailure}, as sendFailure` }];
    },
});
