/** Audits channels in the forms that real services store. */
import type { AlertChannel } from "../../provider/api/objects";
import { redactConfig } from "../../provider/credentials";
import { alertChannelPolicies } from "../../policy";
import { fleet } from "../../sandbox/seed";
import { getConnections } from "../../sdk/program";
import { type AuditReport, type Finding, formatResultLine, listResults, type Rules } from "../../audit";
import { runAlertChannelAudit } from "../../audit/sources";
import { send, serve } from "../client/services";
import { audit as auditCommand, toEnvironment, writeTemporaryFile } from "../cli/running";
import fleets from "../fixtures/fleets.json";
import { create, phase } from "../lifecycles/phases";
import { stackViolations } from "../policy/validation";
import { audit, now } from "./channels";

const all = fleet(now);

/** Converts channels as a read from the service does, without HTTP. */
const redacted = (channels: readonly AlertChannel[]) =>
  channels.map((channel) => ({ ...channel, config: redactConfig(channel, "acme") }));

test("the same fleet has the same findings live, in the policy pack and in AlertChannelAudit", async () => {
  const findChannel = (url: string) => all.find(({ id }) => url.endsWith(`/${id}`));
  const { url } = await serve((response, request) => send(response, findChannel(request.url)));
  const service = { url, accountId: "acme", apiKey: "key-of-the-fleet" };
  const environment = toEnvironment(service);
  Object.assign(process.env, environment);
  const rules: Rules = {
    extends: "strict",
    channels: Object.fromEntries(all.map(({ id }) => [`channel-${id}`, id])),
    // The policy pack and the component use the present time instead of the test's time.
    rules: { stale: "off" },
  };

  const listResultLines = (report: AuditReport) => listResults(report).map(formatResultLine).sort();
  const rulesFile = writeTemporaryFile(JSON.stringify(rules), "audit.json");
  const { stdout } = await auditCommand(["--rules", rulesFile, "--format", "json"], environment);
  const live = listResultLines(JSON.parse(stdout) as AuditReport);
  expect(live).toContainEqual(expect.stringMatching(/^218714 \S+: config.url: http, expected https/));

  const provider = await phase("AlertChannel", service);
  const declareChannel = async ({ id }: AlertChannel) => {
    return { name: `channel-${id}`, props: (await create(provider, { channelId: id })).outs };
  };
  const resources = await Promise.all(all.map(declareChannel));
  const declared = resources.map((one) => ({ kind: "AlertChannel", ...one }) as const);
  const violations = await stackViolations(alertChannelPolicies(rules), declared);
  expect(violations.map(({ message }) => message).sort()).toEqual(live);

  const run = { connections: await getConnections(), warn: () => undefined };
  const args = { rules, enforcement: "advisory" } as const;
  expect(listResultLines(await runAlertChannelAudit("fleet", args, run))).toEqual(live);
});

/** A problem of a fleet that people declared. Names and addresses are replaced. */
interface Problem {
  channel?: number;
  about: string;
  fields: string[];
}

/** Counts the findings that are right: they name a problem of their channel or of the fleet that no earlier finding names. */
function countCorrectFindings(findings: readonly Finding[], problems: readonly Problem[]): number {
  const open = new Set(problems);
  for (const { channel, field } of findings) {
    const isNamed = ({ fields, channel: of }: Problem) =>
      fields.includes(field) && [undefined, channel?.id].includes(of);
    open.delete([...open].find(isNamed) ?? { about: "nothing", fields: [] });
  }
  return problems.length - open.size;
}

test.each([
  ["recommended", 61],
  ["strict", 62],
] as const)("the preset %s finds 58 of 61 problems, with %i findings", (preset, count) => {
  const measured = fleets.map(({ channels, problems }: { channels: AlertChannel[]; problems: Problem[] }) => {
    const { findings } = audit(redacted(channels), { extends: preset });
    return [findings.length, countCorrectFindings(findings, problems)] as const;
  });
  const sum = (at: 0 | 1) => measured.reduce((total, one) => total + one[at], 0);
  expect([sum(0), sum(1)]).toEqual([count, 58]);
});
