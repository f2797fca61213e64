import type { MetaRule } from "../definition/rule";

export const selectUnused: MetaRule = {
  id: "select-unused",
  title: "Every selection of channels matches one",
  why: "A rule that selects no channel, such as by a misspelled name, passes without checking anything.",
  fix: "Correct the selection, or remove it.",
  severity: "warning",
};
