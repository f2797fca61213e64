import "../lifecycles/idleClock";
import { nobodyListens } from "../client/services";
import { doctor } from "./doctoring";
import { audit, environmentOf, fileWith, named } from "./audit/auditing";

const service = { url: nobodyListens, apiKey: "mon_0123456789abcdef", accountId: "" };

test("no network is one message, and no further channel is tried", async () => {
  const { code, stdout } = await audit(["--rules", fileWith(named)], environmentOf(service));
  expect(code).toBe(3);
  expect(stdout.match(/channel-read {2}channel/g)).toHaveLength(1);
  expect(stdout).toMatch(/^not evaluable {2}\d+ on-call, \d+ mail {2}/m);
});

test("the doctor says so, and where it looked", async () => {
  const { code, lines } = await doctor(service);
  expect(code).toBe(1);
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^FAILED {2}service {2}.* could not be reached at http:\/\/127\.0\.0\.1:9 \(ECONNREFUSED\)/,
    ),
  );
  expect(lines).toContain(
    "--  not checked: key, account, status pages, open incidents, alert channels, clock",
  );
});
