import { type AuditedChannel, isActive } from "../channels/channel";
import { notReturned } from "../definition/notEvaluable";
import { channelLabel } from "../channels/channelReference";
import { defineRule } from "../definition/rule";
import { nonEmptyListOf, strict, text } from "../definition/schemas";

export const checksCovered = defineRule({
  id: "checks-covered",
  title: "Every listed check alerts when it fails",
  why: "A check without active subscriptions fails silently.",
  fix: "Subscribe the check to a channel that sends failures.",
  asCode: "Add a channel that sends failures to `alertChannels` of the check.",
  offWhen: "It is in no preset: remove a check from its list when the check is deleted.",
  severity: "error",
  options: strict({ checks: nonEmptyListOf(text).describe("Ids of the checks that must be covered.") }),
  checkFleet: ({ checks }, { channels, partial }) => {
    const covered = new Set(channels.filter(({ sendFailure }) => sendFailure === true).flatMap(checksOf));
    const whyUnknown = unknownCoverage(channels);
    return [...new Set(checks)]
      .filter((check) => !covered.has(check))
      .map((check) => {
        const field = `subscriptions[${check}]`;
        const reason = partial ?? whyUnknown(check);
        if (reason !== undefined) return { field, reason };
        return { field, actual: "none", expected: "an active subscription to a channel that sends failures" };
      });
  },
});

function checksOf({ subscriptions = [] }: AuditedChannel): string[] {
  return subscriptions.filter(isActive).map(({ checkId }) => String(checkId));
}

/** Why a check may be covered although no channel is known to cover it. */
function unknownCoverage(channels: readonly AuditedChannel[]): (check: string) => string | undefined {
  const possible = channels.filter(({ sendFailure }) => sendFailure !== false);
  const open = possible.find(({ subscriptions }) => subscriptions === undefined);
  const byCheck = new Map(
    possible
      .filter(({ sendFailure }) => sendFailure !== true)
      .flatMap((channel) => checksOf(channel).map((check) => [check, channel] as const)),
  );
  return (check) => {
    const unsure = byCheck.get(check);
    if (unsure) return `sendFailure of ${channelLabel(unsure)}: ${notReturned}`;
    return open && `subscriptions of ${channelLabel(open)}: ${notReturned}`;
  };
}
