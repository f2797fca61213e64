import { Connections } from "../../provider/connection";
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
