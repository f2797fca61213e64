/** What a program says about the keys of its stack's configuration. */
import * as pulumi from "@pulumi/pulumi";
import { AlertChannel } from "../../sdk";
import { startMocks } from "./connected";

/** The warnings of a program of this project, whose stack has these keys. */
async function warningsIn(project: string, settings: Record<string, string>): Promise<unknown[]> {
  const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
  await startMocks(undefined, project);
  pulumi.runtime.setAllConfig(settings);
  new AlertChannel("mail", { channelId: 4107 });
  await pulumi.runtime.disconnect();
  const warnings = warn.mock.calls.map(([text]) => text);
  warn.mockRestore();
  return warnings;
}

it("warns of an unknown key in the namespace of this package, unless it is the project's own", async () => {
  const settings = {
    "monitoring:incidentId": "inc_1",
    "monitoring:timeoutMs": "1",
    "shop:incidentId": "inc_1",
  };
  expect(await warningsIn("shop", settings)).toEqual([
    expect.stringContaining("monitoring:incidentId is not a known setting and has no effect"),
  ]);
  expect(await warningsIn("monitoring", settings)).toEqual([]);
});
