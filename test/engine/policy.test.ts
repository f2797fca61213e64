/** A policy pack in a run of the engine. What else it does: test/journeys/policyPack.test.ts. */
import { inlineStack } from "../policy/inlineStack";
import { incidentId, Service } from "./service";

const pack = {
  "index.js": `
    const { monitoringPolicyPack } = require("pulumi-monitoring-service/policy");
    monitoringPolicyPack("monitoring", {
      mailOnlyFrom: { stacks: ["shop/production"] },
      forbiddenWords: ["blame"],
    });`,
};

const update = {
  incidentId,
  status: "IDENTIFIED",
  description: "Nobody is to blame.",
  notifySubscribers: true,
};

const service = new Service();

it("fails a run over an update that may not mail, in the preview: nothing is posted", async () => {
  const run = await inlineStack({ sandbox: service.sandbox, name: "test", pack });
  const program = `new (require("pulumi-monitoring-service").IncidentUpdate)("found", ${JSON.stringify(update)});`;
  const refused = await run("up", program);
  expect(refused.code).not.toBe(0);
  for (const rule of ["mail-only-from", "forbidden-words"])
    expect(refused.output).toMatch(
      new RegExp(`\\[mandatory\\] +${rule} +\\(pulumi-nodejs:dynamic/monitoring:IncidentUpdate: found\\)`),
    );
  expect(refused.output).toContain("only shop/production may email subscribers, and this is shop/test.");
  expect(refused.output).not.toContain("Nobody is to");
  expect(service.posts).toEqual([]);
});

it("posts nothing if a policy changes an update after its preview", async () => {
  const remediating = {
    "index.js": `
      const { PolicyPack } = require("@pulumi/policy");
      const remediateResource = ({ type, props }) =>
        type.endsWith(":IncidentUpdate")
          ? { ...props, description: props.description + " Sorry.", notifySubscribers: true }
          : undefined;
      const policy = { name: "mails-everybody", description: "Mails.", enforcementLevel: "remediate" };
      new PolicyPack("remediating", { policies: [{ ...policy, remediateResource }] });`,
  };
  const run = await inlineStack({ sandbox: service.sandbox, name: "remediated", pack: remediating });
  const words = JSON.stringify({ ...update, notifySubscribers: false });
  const refused = await run(
    "up",
    `new (require("pulumi-monitoring-service").IncidentUpdate)("calm", ${words});`,
  );
  expect(refused.code).not.toBe(0);
  expect(refused.output).toMatch(
    /"calm": description, notifySubscribers changed after the check, probably by a policy/,
  );
  expect(service.posts).toEqual([]);
});
