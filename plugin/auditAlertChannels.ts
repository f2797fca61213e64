import { alertChannelAudit } from "../audit/sources/alertChannelAudit";
import type { Counts, Finding } from "../audit";
import { MonitoringError } from "../provider/client";
import { lookup } from "../provider/lookups/lookup";

/** The result of an audit that doesn't fail the run. */
export interface AuditAlertChannelsResult {
  /** The findings, errors first. */
  readonly findings: readonly Finding[];
  /** The number of channels, rules, errors, warnings and so on. */
  readonly counts: Counts;
  /** Whether there is no error and every channel could be read. */
  readonly passed: boolean;
}

/** gRPC for Python drops errors of more than 8 KB, in which each byte beyond ASCII takes three. */
const maxBytes = 2_500;

/** The first lines. */
function shortened(text: string): string {
  const lines = text.split("\n");
  let bytes = 0;
  const beyond = lines.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > maxBytes);
  if (beyond === -1) return text;
  const more = `and ${lines.length - beyond} more lines: set report to a file to get them all`;
  return [...lines.slice(0, beyond), more].join("\n");
}

const name = "auditAlertChannels";
const audit = alertChannelAudit(name, false);

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
    if (fails)
      throw new MonitoringError(`${name}: the audit failed (enforcement: mandatory).\n${shortened(text)}`);
    return { findings: report.findings, counts: report.counts, passed };
  },
});
