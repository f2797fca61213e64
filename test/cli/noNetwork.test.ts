import "../lifecycles/idleClock";
import { nobodyListens } from "../client/services";
import { audit, environmentOf, fileWith, named } from "./auditing";

test("no network is one message, and no further channel is tried", async () => {
  const service = { url: nobodyListens, apiKey: "mon_0123456789abcdef", accountId: "" };
  const { code, stdout } = await audit(["--rules", fileWith(named)], environmentOf(service));
  expect(code).toBe(3);
  expect(stdout.match(/channel-read {2}channel/g)).toHaveLength(1);
  expect(stdout).toMatch(/^not evaluable {2}\d+ on-call, \d+ mail {2}/m);
});
