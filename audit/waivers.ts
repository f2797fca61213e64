/** Sets waived findings apart, and finds waivers that are over or not needed. */
import { waiverExpired, waiverUnused } from "./ownRules";
import type { ChannelReference, Finding, WaivedFinding } from "./report";
import { findingOf, referenceTo, type Results } from "./results";
import type { LocatedWaiver, RuleSet } from "./ruleSet";

interface Scope {
  readonly unreadable: readonly ChannelReference[];
  readonly partial: boolean;
  readonly now: Date;
}

export function waive(
  ruleSet: RuleSet,
  results: Results,
  scope: Scope,
): { findings: Finding[]; waived: WaivedFinding[] } {
  const today = scope.now.toISOString().slice(0, 10);
  const inForce = ruleSet.waivers.filter(({ expires }) => expires >= today);
  const findings: Finding[] = [];
  const waived: WaivedFinding[] = [];
  const used = new Set<LocatedWaiver>();
  for (const finding of results.findings) {
    const waiver = inForce.find((one) => one.rule === finding.rule && isFor(one, finding.channel));
    if (waiver === undefined) {
      findings.push(finding);
      continue;
    }
    const { reason, owner, expires } = waiver;
    used.add(waiver);
    waived.push({ ...finding, waiver: { reason, owner, expires } });
  }
  const unused = inForce.filter((waiver) => !used.has(waiver) && isJudged(waiver, results, scope));
  return { findings: [...findings, ...onWaivers(ruleSet, results, today, unused)], waived };
}

function isFor({ channel: wanted, named }: LocatedWaiver, channel: ChannelReference | undefined): boolean {
  if (wanted === undefined) return true;
  if (channel === undefined) return false;
  return [wanted, named].some((id) => String(id) === String(channel.id)) || channel.name === wanted;
}

/** Whether this audit can tell that there is nothing to waive. */
function isJudged(waiver: LocatedWaiver, results: Results, { unreadable, partial }: Scope): boolean {
  const isOpen = results.notEvaluable.some(
    ({ rule, channel }) => rule === waiver.rule && isFor(waiver, channel),
  );
  if (isOpen || unreadable.some((channel) => isFor(waiver, channel))) return false;
  return (
    !partial || (waiver.channel !== undefined && results.channels.some((channel) => isFor(waiver, channel)))
  );
}

function onWaivers(
  ruleSet: RuleSet,
  { channels }: Results,
  today: string,
  unused: LocatedWaiver[],
): Finding[] {
  const expiredRule = ruleSet.rule(waiverExpired);
  const unusedRule = ruleSet.rule(waiverUnused);
  return ruleSet.waivers.flatMap((waiver, index) => {
    const { rule, channel: named, owner, expires, location } = waiver;
    const channel = named === undefined ? undefined : channels.find((one) => isFor(waiver, one));
    const about = {
      channel: channel && referenceTo(channel),
      location,
      subject: `${rule}/${named ?? "all"}`,
    };
    if (expiredRule && expires < today) {
      const actual = `${expires}, for ${rule} by ${owner}`;
      return [
        findingOf(
          expiredRule,
          { field: `waivers[${index}].expires`, actual, expected: `${today} or later` },
          about,
        ),
      ];
    }
    if (unusedRule && unused.includes(waiver)) {
      const expected = `a finding of ${rule}${named === undefined ? "" : ` on ${named}`}`;
      return [
        findingOf(unusedRule, { field: `waivers[${index}]`, actual: "nothing to waive", expected }, about),
      ];
    }
    return [];
  });
}
