import * as pulumi from "@pulumi/pulumi";
import { MonitoringError } from "../../provider/client/errors";
import type { AuditReport, Counts, Finding } from "../../audit";
import { registerGate } from "../gates";
import { withLogErrors } from "../logErrors";
import type { AlertChannelAuditArgs } from "./AlertChannelAuditArgs";

/** A mandatory {@link AlertChannelAudit} found errors, or couldn't read a channel. */
export class AlertChannelAuditError extends MonitoringError {
  /** All that was found, errors first. */
  readonly findings: readonly Finding[];

  override get name(): string {
    return "AlertChannelAuditError";
  }

  /** @param text The report, for the log of a run. */
  constructor(audit: string, { findings }: AuditReport, text: string) {
    super(`AlertChannelAudit "${audit}": no resource that waits for it was changed.\n${text}`);
    this.findings = findings;
  }
}

/**
 * Audits alert channels (section 4.5 of the service's API) in preview and update, by the rules of `monitoring audit`.
 * A mandatory audit that finds an error fails the run with its findings: every resource of this package that is
 * declared after it waits for its verdict, and resources of other packages wait with `dependsOn`. Warnings, and what
 * an advisory audit finds, are told in the log of the run. No credential is in a finding or a report.
 *
 * @throws AlertChannelAuditError, which fails the run and lists the findings; for mistakes in the arguments or the
 * rules, advisory or not, an error that names them all.
 *
 * @example
 * const audit = new AlertChannelAudit("channels", { rules: "audit.yaml", report: "audit.html" });
 * export const warnings = audit.counts.warnings;
 */
export class AlertChannelAudit extends pulumi.ComponentResource<AuditReport> {
  /** What was found, errors first. */
  readonly findings: pulumi.Output<readonly Finding[]>;
  /** How many channels, rules, errors, warnings and so on there were. */
  readonly counts: pulumi.Output<Counts>;
  /** Path of the report, known once it is written; undefined when none was asked for. */
  readonly report: pulumi.Output<string | undefined>;

  constructor(name: string, args: AlertChannelAuditArgs = {}, options?: pulumi.ComponentResourceOptions) {
    // As a function, which Pulumi doesn't send to the engine: rules of one's own are code.
    super("monitoring:index:AlertChannelAudit", name, { args: () => args }, options);
    if (args.enforcement !== "advisory") registerGate(this);
    const done = pulumi.output(this.getData());
    this.findings = done.apply(({ findings }) => findings);
    this.counts = done.apply(({ counts }) => counts);
    this.report = done.apply(() => args.report);
  }

  /** What depends on a component waits for this, and fails with it. */
  protected override async initialize(
    { args }: { args: () => AlertChannelAuditArgs },
    _options?: pulumi.ComponentResourceOptions,
    name = "",
  ): Promise<AuditReport> {
    return withLogErrors(async () => {
      const { runAlertChannelAudit } = await import("./AlertChannelAuditRun");
      const { report, text, fails } = await runAlertChannelAudit(name, args());
      if (fails) throw new AlertChannelAuditError(name, report, text);
      if (report.findings.length > 0) await pulumi.log.warn(`AlertChannelAudit "${name}":\n${text}`, this);
      return report;
    });
  }
}
