/** An edit of a killed run on the real engine. docs/guides/correcting-an-update.md tests drift, and test/explore tests every interleaving. */
import { outage } from "../driver/expecting";
import { until } from "../client/services";
import { Service } from "../engine/service";
import { createStack, expectSuccess } from "../engine/stack";

describe.each(["pulumi-monitoring-service", "pulumi-monitoring-service/native"])(
  "the engine and %s",
  (from) => {
    const service = new Service();
    const shown = () =>
      service.sandbox
        .incident(outage.incidentId, outage.statusPageId)
        .incidentUpdates.map(({ description }) => description);
    const createProgram = (description: string): string => `
const { IncidentTimeline } = require("${from}");
const entry = { key: "01", status: "MONITORING", notifySubscribers: true, description: ${JSON.stringify(description)} };
new IncidentTimeline("story", { ...${JSON.stringify(outage)}, updates: [entry] });`;

    it("an edit of a killed run can be reverted", async () => {
      const { sandbox } = service;
      const stack = await createStack({ program: createProgram("Kill A."), sandbox });
      if (from.endsWith("native")) stack.declarePlugin();
      expectSuccess(await stack.up());
      const mailed = sandbox.emailsSent();

      stack.write("index.js", createProgram("Kill B."));
      sandbox.faults.add({ kind: "hang", operation: "editComponentPageIncidentUpdate", applied: true });
      const { ended, kill } = stack.start("up", "--yes", "--skip-preview");
      await until(() => shown().includes("Kill B."));
      const endOrphans = kill("SIGKILL");
      await ended;
      endOrphans();
      sandbox.faults.clear();
      await stack.run("cancel", "--yes");
      stack.write("index.js", createProgram("Kill A."));
      expect(expectSuccess(await stack.preview())).toMatch(/1 to update/);
      expectSuccess(await stack.up());
      expect(shown()[0]).toBe("Kill A.");
      expect(expectSuccess(await stack.up("--expect-no-changes"))).toMatch(/unchanged/);
      expect(sandbox.emailsSent()).toBe(mailed);
    });
  },
);
