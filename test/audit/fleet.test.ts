/** The audit of channels in the shapes that a real service stores. */
import type { AlertChannel } from "../../provider/api/objects";
import { redactConfig } from "../../provider/credentials";
import { alertChannelPolicies } from "../../policy";
import { fleet, fleetNames } from "../../sandbox/seed";
import { allConnections } from "../../sdk/connections";
import { type AuditReport, type Finding, formats, resultLine, resultsOf, type Rules } from "../../audit";
import { alertChannelAudit } from "../../audit/sources";
import { send, serve } from "../client/services";
import { audit as auditCommand, environmentOf, exported, fileWith, observed } from "../cli/running";
import fleets from "../fixtures/fleets.json";
import { create, phase } from "../lifecycles/phases";
import { stackViolations } from "../policy/validation";
import { audit, now } from "./channels";

const all = fleet(now);
const named: Rules = { channels: fleetNames };

/** As read from the service, without HTTP. */
const redacted = (channels: readonly AlertChannel[]) =>
  channels.map((channel) => ({ ...channel, config: redactConfig(channel, "acme") }));
const auditAll = (rules: Rules) => audit(redacted(all), { ...named, ...rules });

test.each(["recommended", "strict"] as const)("reads true to the person on call: %s", (preset) => {
  expect(formats.text(auditAll({ extends: preset }))).toMatchSnapshot();
});

test("the same fleet has the same findings live, from a stack's state, in the policy pack and in AlertChannelAudit", async () => {
  const { url } = await serve((response, request) =>
    send(
      response,
      all.find(({ id }) => request.url.endsWith(`/${id}`)),
    ),
  );
  const service = { url, accountId: "acme", apiKey: "key-of-the-fleet" };
  const environment = { ...environmentOf(service), MONITORING_MAX_REQUESTS_PER_MINUTE: "60000" };
  Object.assign(process.env, environment);
  const rules: Rules = {
    extends: "strict",
    channels: Object.fromEntries(all.map(({ id }) => [`channel-${id}`, id])),
    // The policy pack and the component know the present time, not that of the test.
    rules: { stale: "off" },
  };

  const linesOf = (report: AuditReport) => resultsOf(report).map(resultLine).sort();
  const rulesFile = fileWith(JSON.stringify(rules), "audit.json");
  const command = async (...args: string[]) => {
    const { stdout } = await auditCommand(["--rules", rulesFile, "--format", "json", ...args], environment);
    return linesOf(JSON.parse(stdout) as AuditReport);
  };

  const live = await command();
  expect(live).toContainEqual(expect.stringMatching(/^218714 \S+: config.url: http, expected https/));

  const provider = await phase("AlertChannel", service);
  const resources = await Promise.all(
    all.map(async ({ id }) => ({
      name: `channel-${id}`,
      props: (await create(provider, { channelId: id })).outs,
    })),
  );
  const state = exported(...resources.map(({ name, props }) => observed(name, props)));
  expect(await command("--state", fileWith(state, "stack.json"))).toEqual(live);

  const declared = resources.map((one) => ({ kind: "AlertChannel", ...one }) as const);
  const violations = await stackViolations(alertChannelPolicies(rules), declared);
  expect(violations.map(({ message }) => message).sort()).toEqual(live);

  const run = { connections: await allConnections(), warn: () => undefined };
  const args = { rules, enforcement: "advisory" } as const;
  expect(linesOf(await alertChannelAudit("fleet", args, run))).toEqual(live);
});

/** What is wrong with a fleet as people declare it; names and addresses are replaced. */
interface Problem {
  channel?: number;
  about: string;
  fields: string[];
}

/** A finding is right when it names a problem of its channel, or of the fleet, that no finding has named yet. */
function rightIn(findings: readonly Finding[], problems: readonly Problem[]): Problem[] {
  const open = new Set(problems);
  return findings.flatMap(({ channel, field }) => {
    const problem = [...open].find(
      (one) => one.fields.includes(field) && [undefined, channel?.id].includes(one.channel),
    );
    return problem !== undefined && open.delete(problem) ? problem : [];
  });
}

function measured(preset: "recommended" | "strict"): string {
  const results = fleets.map(({ channels, problems }: { channels: AlertChannel[]; problems: Problem[] }) => {
    const { findings } = audit(redacted(channels), { extends: preset });
    return {
      findings: findings.length,
      right: rightIn(findings, problems).length,
      problems: problems.length,
    };
  });
  const sum = (of: "findings" | "right" | "problems") => results.reduce((all, one) => all + one[of], 0);
  const percent = (of: "findings" | "problems") => ((100 * sum("right")) / sum(of)).toFixed(1);
  return `${preset}: of ${sum("findings")} findings ${percent("findings")} % are right, of ${sum("problems")} problems ${percent("problems")} % are found`;
}

test("most findings are right, and most problems are found", () => {
  expect([measured("recommended"), measured("strict")]).toMatchInlineSnapshot(`
[
  "recommended: of 61 findings 95.1 % are right, of 61 problems 95.1 % are found",
  "strict: of 62 findings 93.5 % are right, of 61 problems 95.1 % are found",
]
`);
});
