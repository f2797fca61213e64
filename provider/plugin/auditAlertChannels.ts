import { alertChannelAudit } from "../../audit/sources/alertChannelAudit";
import type { Counts, Finding } from "../../audit";
import { MonitoringError } from "../client";
import { lookup } from "../lookups/lookup";

/** The result of an audit that doesn't fail the run. */
export interface AuditAlertChannelsResult {
  /** The findings, errors first. */
  readonly findings: readonly Finding[];
  /** The number of channels, rules, errors, warnings and so on. */
  readonly counts: Counts;
  /** Whether there is no error and every channel could be read. */
  readonly passed: boolean;
}

const name = "auditAlertChannels";
const audit = alertChannelAudit(name);

/**
 * Audits alert channels (operation `getAlertChannel`) in preview and update, with the rules of `monitoring audit`. A
 * mandatory audit that finds an error fails the run and lists the findings; an advisory one returns them. Findings and
 * reports never contain credentials. Only Python, Go and YAML have this function. Other resources can wait for the
 * component `AlertChannelAudit`, which every language has, with `dependsOn`.
 */
export const auditAlertChannels = lookup({
  name,
  takes: audit.takes,
  read: async (args, context): Promise<AuditAlertChannelsResult> => {
    const { report, text, passed, fails } = await audit.read(args, context);
    if (fails) throw new MonitoringError(`${name}: the audit failed (enforcement: mandatory).\n${text}`);
    return { findings: report.findings, counts: report.counts, passed };
  },
});
