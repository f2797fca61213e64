import type { MetaRule } from "../definition/rule";

export const waiverExpired: MetaRule = {
  id: "waiver-expired",
  title: "No waiver has expired",
  why: "The exception was granted until a date that has passed.",
  fix: "Fix the finding and remove the waiver, or have its owner extend it.",
  severity: "error",
};
