import * as pulumi from "@pulumi/pulumi";
import type { AuditReport, Counts, Finding, Rules, RuleSet } from "../../audit";
import type { AccountArgs } from "../dataSources/dataSource";
import { assertNoProvider } from "../program/explicitProvider";
import { registerGate } from "../program/gates";
import { withLogErrors } from "../program/logErrors";
import { allConnections } from "../program/stackConnections";

/** The alert channels to audit, and the rules. Plain values, because the audit also runs in a preview. */
export interface AlertChannelAuditArgs extends AccountArgs {
  /**
   * Channels to audit: their ids, or their names in `monitoring:alertChannels` or under `channels` in the rules. With an
   * explicit provider (in Python, Go and YAML), its `alertChannels` count instead of `monitoring:alertChannels`.
   * Default: all named channels.
   */
  channels?: (string | number)[];
  /**
   * Path of a rule file, relative to the program's folder, or its content as an object.
   * Default: `{ extends: "recommended" }`.
   */
  rules?: string | Rules | RuleSet;
  /** Whether errors, and channels that can't be evaluated, fail the run (`mandatory`) or are only reported (`advisory`). Default: `mandatory`. */
  enforcement?: "mandatory" | "advisory";
  /**
   * File for the report, relative to the program's folder; also written in previews. The extension sets the format, such as
   * `.html`, `.sarif`, or `.xml` for JUnit. SARIF locates findings of rules that are an object
   * in `Pulumi.yaml`. Default: none.
   */
  report?: string;
}

/**
 * Audits alert channels (operation `getAlertChannel`) in preview and update, with the rules of `monitoring audit`.
 * A mandatory audit that finds an error fails the run and lists the findings. The log of the run shows warnings, and the findings
 * of an advisory audit. In TypeScript and JavaScript, resources of this package that are declared after the audit wait for its
 * result; all other resources wait with `dependsOn`. Findings and reports never contain credentials.
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
      const warn = (text: string): Promise<void> => pulumi.log.warn(text, this);
      const run = { connections: await allConnections(), warn, runsModules: true };
      return alertChannelAudit(name, args(), run);
    });
  }
}
