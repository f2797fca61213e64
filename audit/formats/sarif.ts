/** Writes a report as SARIF 2.1.0, for code-scanning services. */
import { digestOf, oneLine } from "../../provider/texts";
import { channelKey, channelLabel, type ChannelReference } from "../channel";
import {
  type AuditReport,
  type Finding,
  fingerprintOf,
  type NotEvaluableResult,
  type RuleResult,
} from "../report";
import type { Location } from "../rule";
import { jsonList } from "./json";
import { findingMessage, notEvaluableText, waiverText } from "./reportText";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

interface SarifOptions {
  /** Includes waived and known findings as results with a suppression. Code scanning ignores it, and keeps each as an open alert. */
  readonly suppressed?: boolean;
  /** Path of a file as the consumer looks for it. Default: its name in the report. */
  readonly pathOf?: (file: string) => string;
}

/** Writes blocking reasons as results, because code hosts show nothing else. */
export function sarif(report: AuditReport, { suppressed = false, pathOf }: SarifOptions = {}): string {
  const { rules, findings, waived, baselined, notEvaluable, excluded, counts, auditedAt, tool, preset } =
    report;
  const accepted = [
    ...baselined.map((finding) => ({ ...toResult(finding), justification: "known in the baseline" })),
    ...waived.map((finding) => ({ ...toResult(finding), justification: waiverText(finding.waiver) })),
  ];
  const results = [
    ...notEvaluable.filter(({ blocks }) => blocks).map(toBlockingResult),
    ...findings.map(toResult),
    ...(suppressed ? accepted : []),
  ].map((result) => resultOf(result, rules, pathOf));
  return `{
  "$schema": ${JSON.stringify(schema)},
  "version": "2.1.0",
  "runs": [{
    "tool": { "driver": { "name": ${JSON.stringify(tool.name)}, "semanticVersion": ${JSON.stringify(tool.version)}, "rules": ${jsonList(rules.map(descriptorOf), "    ")} } },
    "columnKind": "utf16CodeUnits",
    "properties": ${JSON.stringify({ preset, ...(excluded.length > 0 && { excluded }) })},
    "invocations": [{
      "executionSuccessful": ${counts.blocking === 0},
      "endTimeUtc": ${JSON.stringify(auditedAt)},
      "toolExecutionNotifications": ${jsonList(notEvaluable.filter(({ blocks }) => !blocks).map(notificationOf), "      ")}
    }],
    "results": ${jsonList(results, "    ")}
  }]
}
`;
}

sarif.extension = ".sarif" as const;

function descriptorOf({ id, title, why, fix, docs, severity }: RuleResult) {
  return {
    id,
    shortDescription: { text: oneLine(`${title}.`) },
    fullDescription: { text: oneLine(why) },
    help: { text: oneLine(fix) },
    helpUri: docs,
    defaultConfiguration: { level: severity },
  };
}

interface Result extends Pick<Finding, "rule" | "severity" | "channel" | "fingerprint" | "location"> {
  readonly text: string;
  /** The reason for the suppression. */
  readonly justification?: string;
}

function toResult(finding: Finding): Result {
  return { ...finding, text: findingMessage(finding) };
}

function toBlockingResult(result: NotEvaluableResult): Result {
  const { rule, channel, field } = result;
  const text = `not evaluable: ${notEvaluableText(result)}`;
  return { rule, severity: "error", channel, fingerprint: fingerprintOf(rule, channel, field), text };
}

function resultOf(one: Result, rules: readonly RuleResult[], pathOf?: SarifOptions["pathOf"]) {
  const { rule, severity, channel, fingerprint, text, justification } = one;
  const ruleIndex = rules.findIndex(({ id }) => id === rule);
  const location = one.location ?? rules[ruleIndex]?.location;
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: { text: `${channelLabel(channel)}: ${text}` },
    locations: [{ ...physical(location, pathOf), ...logical(channel) }],
    partialFingerprints: {
      "alertChannelFinding/v1": fingerprint,
      // The default is the hash of the line, so that code scanning would show one alert for all channels of a rule.
      primaryLocationLineHash: `${digestOf(fingerprint)}:1`,
    },
    ...(justification !== undefined && {
      suppressions: [{ kind: "external", status: "accepted", justification }],
    }),
  };
}

function notificationOf(result: NotEvaluableResult) {
  return {
    level: "note",
    associatedRule: { id: result.rule },
    message: { text: `${channelLabel(result.channel)}: ${notEvaluableText(result)}` },
    ...(result.channel && { locations: [logical(result.channel)] }),
  };
}

/** Code scanning rejects results without a line, and rules that are an object have none: every project has this file. */
const projectFile: Location = { file: "Pulumi.yaml", line: 1, column: 1 };

function physical({ file, line, column } = projectFile, pathOf = (one: string) => one) {
  return {
    physicalLocation: {
      artifactLocation: {
        uri: encodeURI(pathOf(file).replace(/\\/g, "/")).replace(/[?#]/g, encodeURIComponent),
      },
      region: { startLine: line, startColumn: column },
    },
  };
}

function logical(channel: ChannelReference | undefined) {
  if (channel === undefined) return undefined;
  return {
    logicalLocations: [
      {
        name: channelLabel(channel),
        fullyQualifiedName: `alert-channels/${channelKey(channel)}`,
        kind: "resource",
      },
    ],
  };
}
