import * as pulumi from "@pulumi/pulumi";
import type { AuditReport, Counts, Finding } from "../../audit";
import { AlertChannelAuditError } from "../../audit/sources/auditError";
import { assertNoProvider, registerGate } from "../gates";
import { withLogErrors } from "../logErrors";
import { allConnections } from "../stackConnections";
import type { AlertChannelAuditArgs } from "./AlertChannelAuditArgs";

/**
 * Audits alert channels (operation `getAlertChannel`) in preview and update, with the rules of `monitoring audit`.
 * A mandatory audit that finds an error fails the run and lists the findings. In TypeScript and JavaScript, resources of
 * this package that are declared after the audit wait for its result; all other resources wait with `dependsOn`. The log of
 * the run shows warnings and the findings of an advisory audit. Findings and reports never contain credentials.
 *
 * @throws AlertChannelAuditError when a mandatory audit fails. Invalid arguments or rules also fail an advisory audit,
 * with an error that lists all problems.
 *
 * @example
 * const audit = new AlertChannelAudit("channels", { rules: "audit.yaml", report: "audit.html" });
 * export const warnings = audit.counts.warnings;
 */
export class AlertChannelAudit extends pulumi.ComponentResource<AuditReport> {
  /** The findings, errors first. */
  readonly findings: pulumi.Output<readonly Finding[]>;
  /** The number of channels, rules, errors, warnings and so on. */
  readonly counts: pulumi.Output<Counts>;
  /** Path of the report, known after it is written; undefined when no report was requested. */
  readonly report: pulumi.Output<string | undefined>;

  constructor(name: string, args: AlertChannelAuditArgs = {}, options?: pulumi.ComponentResourceOptions) {
    // As a function, which Pulumi doesn't send to the engine: custom rules are code.
    assertNoProvider("AlertChannelAudit", name, options);
    super("monitoring:index:AlertChannelAudit", name, { args: () => args }, options);
    if (args.enforcement !== "advisory") registerGate(this);
    const done = pulumi.output(this.getData());
    this.findings = done.apply(({ findings }) => findings);
    this.counts = done.apply(({ counts }) => counts);
    this.report = done.apply(() => args.report);
  }

  /** Dependents of a component wait for this promise, and fail with it. */
  protected override async initialize(
    { args }: { args: () => AlertChannelAuditArgs },
    _options?: pulumi.ComponentResourceOptions,
    name = "",
  ): Promise<AuditReport> {
    return withLogErrors(async () => {
      const { alertChannelAudit } = await import("../../audit/sources/alertChannelAudit");
      const { runLookup } = await import("../../provider/lookups/lookup");
      const title = `AlertChannelAudit ${JSON.stringify(name)}`;
      const context = { connections: await allConnections() };
      const { report, text, fails } = await runLookup(alertChannelAudit(title, true), args(), context);
      if (fails) throw new AlertChannelAuditError(title, report, text);
      if (report.findings.length + report.counts.blocking > 0)
        await pulumi.log.warn(`${title}:\n${text}`, this);
      return report;
    });
  }
}
