import { Connections } from "../../provider/connection";
import { deprecationNotice } from "../../provider/deprecationNotice";
import { apiKey, serve, update } from "../client/services";

const sunset = "Wed, 11 Nov 2026 23:59:59 GMT";

test("a process gives one notice of an operation, whichever account calls it", async () => {
  const notices: string[] = [];
  const { url } = await serve((response) =>
    response.writeHead(200, { deprecation: "true", sunset }).end(JSON.stringify(update)),
  );
  const accounts = JSON.stringify({ eu: { apiKey }, us: { apiKey } });
  const connections = new Connections(
    (name) =>
      new Map([
        ["baseUrl", url],
        ["accounts", accounts],
      ]).get(name),
    {},
    { notice: (text) => notices.push(text) },
  );
  for (const account of ["eu", "us"]) {
    await connections.connect(account).client.getIncidentUpdate("i1", "u1");
  }
  expect(notices).toEqual([
    `The service announces that its operation getIncidentUpdate is deprecated (Deprecation: true; Sunset: ${sunset}). ` +
      "Ask the service what replaces it, and look for a release of pulumi-monitoring-service that uses the replacement.",
  ]);
});

test("the notice shows what a service sends as text, not as a command of a CI system", () => {
  const deprecation = "\u001b[2J##vso[task.setvariable variable=A]x";
  const notice = deprecationNotice({ operation: "getAlertChannel", deprecation, sunset: undefined });
  expect(notice).toContain("(Deprecation: [2J# #vso[task.setvariable variable=A]x)");
});
