/**
 * Edits on the real engine: one of a run that is killed, and a list that shifts. Drift: docs/guides/correcting-an-update.md. All
 * scenarios, by runs: test/driver/edits.test.ts.
 */
import { outage } from "../driver/expecting";
import { until } from "../client/services";
import { Service } from "../engine/service";
import { createStack, expectFailure, expectSuccess } from "../engine/stack";

describe.each(["pulumi-monitoring-service", "pulumi-monitoring-service/native"])(
  "the engine and %s",
  (from) => {
    const service = new Service();
    const shown = () =>
      service.sandbox
        .incident(outage.incidentId, outage.statusPageId)
        .incidentUpdates.map(({ description }) => description);
    /** The words of an update, and of a list whose resources are named by their places. */
    const createProgram = (text: string, list: readonly string[]): string => `
const { IncidentUpdate } = require("${from}");
const common = { ...${JSON.stringify(outage)}, status: "MONITORING", notifySubscribers: true, onChange: "edit" };
const update = new IncidentUpdate("update", { ...common, description: ${JSON.stringify(text)} });
${JSON.stringify(list)}.forEach((description, index) => {
  new IncidentUpdate("list-" + index, { ...common, description }, { dependsOn: update });
});`;

    it("an edit of a killed run can be reverted, and a list that shifts is rejected", async () => {
      const { sandbox } = service;
      const stack = await createStack({ program: createProgram("Kill A.", ["Old."]), sandbox });
      if (from.endsWith("native")) stack.declarePlugin();
      expectSuccess(await stack.up());
      const mailed = sandbox.mailed();

      stack.write("index.js", createProgram("Kill B.", ["Old."]));
      sandbox.faults.add({ kind: "hang", operation: "editComponentPageIncidentUpdate", applied: true });
      const { ended, kill } = stack.start("up", "--yes", "--skip-preview");
      await until(() => shown().includes("Kill B."));
      const endOrphans = kill("SIGKILL");
      await ended;
      endOrphans();
      sandbox.faults.clear();
      await stack.run("cancel", "--yes");
      stack.write("index.js", createProgram("Kill A.", ["Old."]));
      expect(expectSuccess(await stack.preview())).toMatch(/1 to update/);
      expectSuccess(await stack.up());
      expect(shown().slice(0, 2)).toEqual(["Old.", "Kill A."]);
      expect(expectSuccess(await stack.up("--expect-no-changes"))).toMatch(/unchanged/);

      stack.write("index.js", createProgram("Kill A.", ["New.", "Old."]));
      sandbox.clearRequests();
      expectFailure(await stack.preview(), "The resource names have probably shifted");
      // The SDK orders the list, so that the engine doesn't ask about the second before the first is edited.
      expectFailure(await stack.up(), "The resource names have probably shifted");
      expectFailure(await stack.up(), "The resource names have probably shifted");
      expect(service.posts.map(({ method }) => method)).toEqual(["PUT"]);
      expect(sandbox.mailed()).toBe(mailed);
    });
  },
);
