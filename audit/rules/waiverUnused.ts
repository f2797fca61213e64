import type { MetaRule } from "../definition/rule";

export const waiverUnused: MetaRule = {
  id: "waiver-unused",
  title: "Every waiver is needed",
  why: "A waiver without a finding would hide the next one.",
  fix: "Remove the waiver.",
  severity: "warning",
};
