/** Applies waivers, and reports expired and unused ones. */
import { channelRead } from "./rules/channelRead";
import { waiverExpired } from "./rules/waiverExpired";
import { waiverUnused } from "./rules/waiverUnused";
import type { ChannelReference } from "./channels/channelReference";
import type { Finding, WaivedFinding } from "./report/report";
import { toFinding, toReference } from "./finding";
import type { Results } from "./results";
import type { LocatedWaiver, RuleSet } from "./ruleFile/ruleSet";
import { isId } from "./definition/schemas";

interface Scope {
  readonly partial: boolean;
  readonly now: Date;
}

export function waive(
  ruleSet: RuleSet,
  results: Results,
  scope: Scope,
): { findings: Finding[]; waived: WaivedFinding[] } {
  const today = scope.now.toISOString().slice(0, 10);
  const valid = ruleSet.waivers.filter(({ expires }) => expires >= today);
  const findings: Finding[] = [];
  const waived: WaivedFinding[] = [];
  const used = new Set<LocatedWaiver>();
  for (const finding of results.findings) {
    const waiver = valid.find((one) => one.rule === finding.rule && appliesTo(one, finding.channel, ruleSet));
    if (waiver === undefined) {
      findings.push(finding);
      continue;
    }
    const { reason, owner, expires } = waiver;
    used.add(waiver);
    waived.push({ ...finding, waiver: { reason, owner, expires } });
  }
  const unused = valid.filter((waiver) => !used.has(waiver) && isEvaluated(waiver, results, scope, ruleSet));
  return { findings: [...findings, ...waiverFindings(ruleSet, results, today, unused)], waived };
}

function appliesTo(
  { channel: waived }: LocatedWaiver,
  channel: ChannelReference | undefined,
  ruleSet: RuleSet,
): boolean {
  if (waived === undefined) return true;
  if (channel === undefined) return false;
  return isId(waived) ? String(channel.id) === String(waived) : ruleSet.namesOf(channel).includes(waived);
}

/** Whether this audit could have found what the waiver is for. */
function isEvaluated(waiver: LocatedWaiver, results: Results, { partial }: Scope, ruleSet: RuleSet): boolean {
  const isWaived = (channel: ChannelReference | undefined) => appliesTo(waiver, channel, ruleSet);
  const isNotEvaluable = results.notEvaluable.some(
    ({ rule, channel }) => [waiver.rule, channelRead.id].includes(rule) && isWaived(channel),
  );
  if (isNotEvaluable) return false;
  return !partial || (waiver.channel !== undefined && results.channels.some(isWaived));
}

function waiverFindings(
  ruleSet: RuleSet,
  { channels }: Results,
  today: string,
  unused: LocatedWaiver[],
): Finding[] {
  const expiredRule = ruleSet.rule(waiverExpired);
  const unusedRule = ruleSet.rule(waiverUnused);
  return ruleSet.waivers.flatMap((waiver, index) => {
    const { rule, channel: named, owner, expires, location } = waiver;
    const channel = named === undefined ? undefined : channels.find((one) => appliesTo(waiver, one, ruleSet));
    const details = {
      channel: channel && toReference(channel),
      location,
      subject: `${rule}/${named ?? "all"}`,
    };
    if (expiredRule && expires < today) {
      const actual = `${expires}, for ${rule} by ${owner}`;
      return [
        toFinding(
          expiredRule,
          { field: `waivers[${index}].expires`, actual, expected: `${today} or later` },
          details,
        ),
      ];
    }
    if (unusedRule && unused.includes(waiver)) {
      const expected = `a finding of ${rule}${named === undefined ? "" : ` on ${named}`}`;
      return [toFinding(unusedRule, { field: `waivers[${index}]`, actual: "no finding", expected }, details)];
    }
    return [];
  });
}
