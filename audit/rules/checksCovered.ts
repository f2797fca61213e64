import { isActive } from "../channel";
import { defineRule } from "../rule";
import { listOf, strict, text } from "../schemas";

export const checksCovered = defineRule({
  id: "checks-covered",
  title: "Every listed check alerts when it fails",
  why: "A check without active subscriptions fails silently.",
  fix: "Subscribe the check to a channel that sends failures.",
  severity: "error",
  options: strict({ checks: listOf(text).describe("Ids of the checks that must be covered.") }),
  checkFleet: ({ checks }, { channels, partial }) => {
    const covered = new Set(
      channels
        .filter(({ sendFailure }) => sendFailure !== false)
        .flatMap(({ subscriptions }) => subscriptions.filter(isActive).map(({ checkId }) => String(checkId))),
    );
    return [...new Set(checks)]
      .filter((check) => !covered.has(check))
      .map((check) => {
        const field = `subscriptions[${check}]`;
        if (partial !== undefined) return { field, reason: partial };
        return { field, actual: "none", expected: "an active subscription to a channel that sends failures" };
      });
  },
});
