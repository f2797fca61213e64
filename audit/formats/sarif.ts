/** SARIF 2.1.0 for code-scanning services. */
import {
  type AuditReport,
  channelKey,
  type ChannelReference,
  type Finding,
  type NotEvaluable,
  type RuleResult,
} from "../report";
import type { Location } from "../ruleSet";
import { jsonList } from "./json";
import { oneLine } from "../../provider/api/printable";
import { channelLabel, unevaluatedText, findingText, waiverText } from "./reportText";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** Waived and known findings are results with a suppression. */
export function sarif(report: AuditReport): string {
  const { rules, findings, waived, baselined, notEvaluable, counts, auditedAt, tool, preset } = report;
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const results = [
    ...findings.map((finding) => resultOf(finding, indexes)),
    ...baselined.map((finding) => resultOf(finding, indexes, "known in the baseline")),
    ...waived.map((finding) => resultOf(finding, indexes, waiverText(finding.waiver))),
  ];
  return `{
  "$schema": ${JSON.stringify(schema)},
  "version": "2.1.0",
  "runs": [{
    "tool": { "driver": { "name": ${JSON.stringify(tool.name)}, "semanticVersion": ${JSON.stringify(tool.version)}, "rules": ${jsonList(rules.map(descriptorOf), "    ")} } },
    "columnKind": "utf16CodeUnits",
    "properties": ${JSON.stringify({ preset })},
    "invocations": [{
      "executionSuccessful": ${counts.unreadable === 0},
      "endTimeUtc": ${JSON.stringify(auditedAt)},
      "toolExecutionNotifications": ${jsonList(notEvaluable.map(notificationOf), "      ")}
    }],
    "results": ${jsonList(results, "    ")}
  }]
}
`;
}

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

function resultOf(finding: Finding, indexes: ReadonlyMap<string, number>, justification?: string) {
  const { rule, severity, channel, fix, fingerprint, location } = finding;
  return {
    ruleId: rule,
    ruleIndex: indexes.get(rule) ?? -1,
    level: severity,
    message: { text: `${channelLabel(channel)}: ${findingText(finding)}. ${oneLine(fix)}` },
    locations: [{ ...physical(location), ...logical(channel) }],
    partialFingerprints: { "alertChannelFinding/v1": fingerprint },
    ...(justification !== undefined && {
      suppressions: [{ kind: "external", status: "accepted", justification }],
    }),
  };
}

function notificationOf(result: NotEvaluable) {
  return {
    level: result.unreadable ? "error" : "note",
    associatedRule: { id: result.rule },
    message: { text: `${channelLabel(result.channel)}: ${unevaluatedText(result)}` },
    ...(result.channel && { locations: [logical(result.channel)] }),
  };
}

/** Code scanning rejects results without a line, and rules that are an object have none: every project has this file. */
const projectFile: Location = { file: "Pulumi.yaml", line: 1, column: 1 };

function physical({ file, line, column }: Location = projectFile) {
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(file.replace(/\\/g, "/")).replace(/[?#]/g, encodeURIComponent) },
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
