import { Connections } from "../../provider/connection/connections";
import { deprecationNotice } from "../../provider/connection/connections";
import { notice } from "../../provider/notice";
import { apiKey, serve, update } from "../client/services";
import { noticesDuring } from "../lifecycles/phases";

it("prints one line without control characters", async () => {
  const printed = await noticesDuring(() => {
    notice(" Update \u001b[2J\u009bx:\r\n\tadopted.\0 ");
    return Promise.resolve();
  });
  expect(printed).toEqual(["Update [2J x: adopted."]);
});

it("gives one notice of a deprecated operation in a process, whichever account calls it", async () => {
  const sunset = "Wed, 11 Nov 2026 23:59:59 GMT";
  const { url } = await serve((response) =>
    response.writeHead(200, { deprecation: "true", sunset }).end(JSON.stringify(update)),
  );
  const settings: Record<string, string> = {
    baseUrl: url,
    accounts: JSON.stringify({ eu: { apiKey }, us: { apiKey } }),
  };
  const notices: string[] = [];
  const connections = new Connections((name) => settings[name], {}, { notice: (text) => notices.push(text) });
  for (const account of ["eu", "us"]) await connections.connect(account).client.getIncidentUpdate("i1", "u1");
  expect(notices).toEqual([
    `The service announces that its operation getIncidentUpdate is deprecated (Deprecation: true; Sunset: ${sunset}). ` +
      "Ask the service what replaces it, and look for a release of pulumi-monitoring-service that uses the replacement.",
  ]);
});

it("shows what the service sends about a deprecation as text, not as a command of a CI system", () => {
  const deprecation = "\u001b[2J##vso[task.setvariable variable=A]x";
  const text = deprecationNotice({ operation: "getAlertChannel", deprecation, sunset: undefined });
  expect(text).toContain("(Deprecation: [2J# #vso[task.setvariable variable=A]x)");
});
