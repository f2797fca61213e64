/** SARIF 2.1.0 for code-scanning services. */
import {
  type AuditReport,
  channelKey,
  type ChannelReference,
  type Finding,
  type NotEvaluable,
  type RuleResult,
  type WaivedFinding,
} from "../report";
import type { Location } from "../ruleSet";
import { jsonList } from "./json";
import { oneLine } from "../../provider/api/printable";
import { channelLabel, unevaluatedText, findingText, waiverText } from "./reportText";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/**
 * Waived findings are notifications, not suppressed results: GitHub ignores suppressions and would show each as an
 * open alert (github/codeql-action#1230).
 */
export function* sarif({
  rules,
  findings,
  waived,
  notEvaluable,
  counts,
  auditedAt,
  tool,
  preset,
}: AuditReport): Generator<string> {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  yield `{
  "$schema": ${JSON.stringify(schema)},
  "version": "2.1.0",
  "runs": [{
    "tool": { "driver": { "name": ${JSON.stringify(tool.name)}, "semanticVersion": ${JSON.stringify(tool.version)}, "rules": `;
  yield* jsonList(rules, descriptorOf, "    ");
  yield ` } },
    "columnKind": "utf16CodeUnits",
    "properties": ${JSON.stringify({ preset })},
    "invocations": [{
      "executionSuccessful": ${counts.unreadable === 0},
      "endTimeUtc": ${JSON.stringify(auditedAt)},
      "toolExecutionNotifications": `;
  yield* jsonList([...waived, ...notEvaluable], notificationOf, "      ");
  yield `
    }],
    "results": `;
  yield* jsonList(findings, (finding) => resultOf(finding, indexes), "    ");
  yield `
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

function resultOf(finding: Finding, indexes: ReadonlyMap<string, number>) {
  const { rule, severity, channel, fix, fingerprint, location } = finding;
  return {
    ruleId: rule,
    ruleIndex: indexes.get(rule) ?? -1,
    level: severity,
    message: { text: `${channelLabel(channel)}: ${findingText(finding)}. ${oneLine(fix)}` },
    locations: [{ ...physical(location), ...logical(channel) }],
    partialFingerprints: { "alertChannelFinding/v1": fingerprint },
  };
}

function notificationOf(result: WaivedFinding | NotEvaluable) {
  const text =
    "waiver" in result ? `${findingText(result)} (${waiverText(result.waiver)})` : unevaluatedText(result);
  return {
    level: "note",
    associatedRule: { id: result.rule },
    message: { text: `${channelLabel(result.channel)}: ${text}` },
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
