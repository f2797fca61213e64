/** Markdown for a comment on a pull request. */
import type { AuditReport, Finding } from "../report";
import { code, escape, list, table } from "./markdownParts";
import {
  channelLabel,
  fixes,
  notEvaluableGroups,
  notEvaluableText,
  scope,
  findingText,
  verdict,
  waiverText,
} from "./reportText";

/** Characters for each part: with the links, less than the 65,536 that code hosts allow in a comment. */
const maxCharacters = {
  findings: 30_000,
  fixes: 8_000,
  waived: 7_000,
  baselined: 7_000,
  notEvaluable: 7_000,
} as const;

const badges = { error: "🔴 error", warning: "🟡 warning" } as const;

export function markdown(report: AuditReport): string {
  const { counts, findings, waived, baselined } = report;
  const parts = [
    `## Alert channel audit: ${verdict(counts)}`,
    scope(counts),
    table(
      ["Severity", "Channel", "Rule", "Finding"],
      [
        ...notEvaluableGroups(report, true).map((group) => [
          "🔴 not evaluable",
          code(group.channels),
          `\`${group.rule}\``,
          code(notEvaluableText(group)),
        ]),
        ...findings.map((finding) => [
          badges[finding.severity],
          ...cellsOf(finding),
          code(findingText(finding)),
        ]),
      ],
      maxCharacters.findings,
      "more finding",
    ),
    folded(
      "How to fix",
      list(
        fixes(report).map(
          ({ rule, text, place }) =>
            `- \`${rule}\`: ${escape(text)}${place === "" ? "" : ` (${code(place)})`}`,
        ),
        maxCharacters.fixes,
        "more rule",
      ),
    ),
    folded(
      "Waived",
      table(
        ["Channel", "Rule", "Waiver"],
        waived.map((finding) => [...cellsOf(finding), escape(waiverText(finding.waiver))]),
        maxCharacters.waived,
        "more waived finding",
      ),
    ),
    folded(
      "Known findings of the baseline",
      table(
        ["Channel", "Rule", "Finding"],
        baselined.map((finding) => [...cellsOf(finding), code(findingText(finding))]),
        maxCharacters.baselined,
        "more known finding",
      ),
    ),
    folded(
      "Not evaluable",
      list(
        notEvaluableGroups(report, false).map(
          (result) => `- \`${result.rule}\`: ${code(notEvaluableText(result))} (${code(result.channels)})`,
        ),
        maxCharacters.notEvaluable,
        "more reason",
      ),
    ),
    linkDefinitions([...findings, ...waived, ...baselined]),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** One for each rule, because a link in each row would take the space of findings. */
function linkDefinitions(findings: readonly Finding[]): string {
  const definitions = findings.map(({ rule, docs }) => (docs === undefined ? "" : `[\`${rule}\`]: ${docs}`));
  return [...new Set(definitions)].filter((definition) => definition !== "").join("\n");
}

function cellsOf({ channel, rule, docs }: Finding): [channel: string, rule: string] {
  return [code(channelLabel(channel)), docs === undefined ? `\`${rule}\`` : `[\`${rule}\`]`];
}

function folded(title: string, body: string): string {
  return body === "" ? "" : `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}
