/** One of each observed kind in a stack: outputs for the program, drift by refresh, and no credential anywhere. */
import { wellKnown } from "../../sandbox";
import { sandboxWith } from "../sandbox/sandboxes";
import { createStack, expectSuccess, resourcesOf } from "./stack";

const { legacyHook, slackIncidents } = wellKnown.alertChannels;
const credentials = ["canary-credential-7f3a", "not-a-secret-tickets"] as const;

it("is read by up, and compared by refresh, field by field: what another release derived from the same settings is no drift", async () => {
  const sandbox = await sandboxWith();
  const [page] = sandbox.data.accounts[0].statusPages;
  const stack = await createStack({
    sandbox,
    program: `
      const { AlertChannel, StatusPage } = require("pulumi-monitoring-service");
      const channel = new AlertChannel("hook", {
        channelId: ${legacyHook},
        expect: { sendFailure: true, config: { url: { hostClass: { not: "loopback" } } } },
      });
      new AlertChannel("drifted", { channelId: ${slackIncidents} });
      const page = new StatusPage("page", { statusPageId: "${page?.id}", expect: { cards: { contains: {} } } });

      exports.hostClass = channel.config.apply(({ url }) => Object(url).hostClass);
      exports.cards = page.cards.apply((all) => all.map(({ name }) => name));
    `,
  });

  const up = await stack.up();
  expect(up).toMatchObject({ ok: true });
  expect(await stack.outputs()).toEqual({
    hostClass: "private",
    cards: sandbox.data.accounts[0].statusPages[0]?.cards.map(({ name }) => name),
  });

  // A release that knows other services at hosts derives other facts from the same URL.
  const ofOtherRelease = '"hostClass": "public", "receiver": "ticket"';
  const exported = await stack.exported();
  stack.write("state.json", exported.replace(/"hostClass": "private"(?=,\s*"isReference")/, ofOtherRelease));
  await stack.mustRun("stack", "import", "--file", "state.json");
  expect(await stack.exported()).toContain('"receiver": "ticket"');
  sandbox.byHand.change(({ accounts: [{ alertChannels }] }) => {
    const channel = alertChannels.find(({ id }) => id === slackIncidents);
    const config = { ...channel?.config, url: `https://hooks.example/${credentials[0]}` };
    if (channel) Object.assign(channel, { sslExpiryThreshold: 7, config });
  });
  const drift = await stack.refresh("--diff");
  expect(drift).toMatchObject({ ok: true });
  expect(drift.output).toMatch(/~ sslExpiryThreshold: \d+ => 7/);
  expect(drift.output).toMatch(/~ fingerprint: "[0-9a-f]{12}" => "[0-9a-f]{12}"/);
  expect(drift.output).toMatch(/~ 1 updated\s+3 unchanged/);
  expect(await stack.exported()).not.toContain('"receiver": "ticket"');
  expectSuccess(await stack.preview("--expect-no-changes"));

  const observed = await resourcesOf(stack);
  expect(observed.map(({ outputs }) => outputs["__provider"]).sort()).toEqual(
    ["AlertChannel", "AlertChannel", "StatusPage"].map(
      (kind) => `exports.handler=()=>require("pulumi-monitoring-service/provider").${kind}`,
    ),
  );
  const said = [up.output, drift.output, JSON.stringify(observed)].join();
  for (const credential of credentials) expect(said).not.toContain(credential);
});
