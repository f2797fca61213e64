/** Writes a report as SARIF 2.1.0, for code-scanning services. */
import { computeDigest, toSafeJson, toOneLine } from "../../provider/texts";
import { getChannelKey, formatChannelLabel, type ChannelReference } from "../channel";
import { computeFingerprint, type RuleResult } from "../report";
import type { Location } from "../rule";
import { createReportFormat, type Result, formatResultLine, listResults, formatResult } from "./reportText";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

export interface SarifOptions {
  /**
   * Returns the path where the consumer looks for a file. Without a file, returns the path for results that have no line in a rule file.
   * Default: the name in the report, or `Pulumi.yaml`, because every project contains that file.
   */
  readonly pathOf?: (file?: string) => string;
}

/** Writes blocking reasons as results, because code hosts don't show notifications. */
export const sarif = createReportFormat<SarifOptions>(".sarif", (report, options = {}) => {
  const { rules, excluded, counts, auditedAt, tool, preset } = report;
  const { pathOf = (file = "Pulumi.yaml") => file } = options;
  const all = listResults(report);
  const isNote = ({ status, blocks }: Result) => status === "not evaluable" && !blocks;
  // Code scanning shows a waived finding as an open alert even if it contains a suppression.
  const isShown = (one: Result) => !isNote(one) && one.status !== "waived";
  const run = {
    tool: {
      driver: { name: tool.name, semanticVersion: tool.version, rules: rules.map(toDescriptor) },
    },
    columnKind: "utf16CodeUnits",
    properties: { preset, ...(excluded.length > 0 && { excluded }) },
    invocations: [
      {
        executionSuccessful: counts.blocking === 0,
        endTimeUtc: auditedAt,
        toolExecutionNotifications: all.filter(isNote).map(toNotification),
      },
    ],
    results: all.filter(isShown).map((one) => toSarifResult(one, rules, pathOf)),
  };
  return [`${toSafeJson({ $schema: schema, version: "2.1.0", runs: [run] })}\n`];
});

function toDescriptor({ id, title, why, fix, docs, severity }: RuleResult) {
  return {
    id,
    shortDescription: { text: toOneLine(`${title}.`) },
    fullDescription: { text: toOneLine(why) },
    help: { text: toOneLine(fix) },
    helpUri: docs,
    defaultConfiguration: { level: severity },
  };
}

function toSarifResult(one: Result, rules: readonly RuleResult[], pathOf: (file?: string) => string) {
  const { rule, status, channel, field, finding } = one;
  const ruleIndex = rules.findIndex(({ id }) => id === rule);
  const { severity = "error", confidence, location = rules[ruleIndex]?.location } = finding ?? {};
  const { fingerprint = computeFingerprint(rule, channel, field) } = finding ?? {};
  const text = finding
    ? formatResultLine(one)
    : `${formatChannelLabel(channel)}: ${status}: ${formatResult(one)}`;
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    ...(confidence && { rank: ranks[confidence], properties: { confidence } }),
    message: { text },
    locations: [{ ...toPhysicalLocation(location, pathOf), ...toLogicalLocation(channel) }],
    partialFingerprints: {
      "alertChannelFinding/v1": fingerprint,
      // By default, code scanning uses the hash of the line, so that it would show a single alert for all channels of a rule.
      primaryLocationLineHash: `${computeDigest(fingerprint)}:1`,
    },
  };
}

/** Ranks from 0 to 100, for consumers that sort results by rank. */
const ranks = { certain: 100, likely: 50 } as const;

function toNotification(one: Result) {
  const { rule, channel } = one;
  return {
    level: "note",
    associatedRule: { id: rule },
    message: { text: `${formatChannelLabel(channel)}: ${formatResult(one)}` },
    ...(channel && { locations: [toLogicalLocation(channel)] }),
  };
}

/** Returns line 1 by default, because code scanning rejects results without a line, and rules that are an object have no lines. */
function toPhysicalLocation(location: Location | undefined, pathOf: (file?: string) => string) {
  const { file, line = 1, column = 1 } = { ...location };
  return {
    physicalLocation: {
      artifactLocation: {
        uri: encodeURI(pathOf(file).replace(/\\/g, "/")).replace(/[?#]/g, encodeURIComponent),
      },
      region: { startLine: line, startColumn: column },
    },
  };
}

function toLogicalLocation(channel: ChannelReference | undefined) {
  if (channel === undefined) return undefined;
  return {
    logicalLocations: [
      {
        name: formatChannelLabel(channel),
        fullyQualifiedName: `alert-channels/${getChannelKey(channel)}`,
        kind: "resource",
      },
    ],
  };
}
