/** The component `AlertChannelAudit` of the plugin, as programs in YAML, Python and Go declare it. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unknownValue } from "../../provider/engine/wire";
import { wellKnown } from "../../sandbox";
import { sandboxForEachTest } from "../lifecycles/phases";
import { temporaryFolder } from "../temporaryFolder";
import { declare } from "./declaration";

const { legacyHook, onCall } = wellKnown.alertChannels;
const absent = 999;
/** The part of the hook's URL that nobody may read. */
const credential = "not-a-secret-tickets";

const service = sandboxForEachTest();
const audit = (args: object) => declare("AlertChannelAudit", args, service());
const failureOf = (args: object) => audit(args).then(() => "it passed", String);

it("returns and logs the findings of an advisory audit, without a credential", async () => {
  const rules = {
    rules: { "https-hook": "error", "public-hook": "warning" },
    channels: { tickets: legacyHook },
  };
  const channels = [onCall, legacyHook, absent];
  const { outputs, warnings } = await audit({ channels, rules, enforcement: "advisory" });
  expect(outputs).toMatchObject({
    counts: { channels: 2, errors: 1, warnings: 1, blocking: 1 },
    findings: [
      {
        rule: "https-hook",
        severity: "error",
        channel: { id: legacyHook, name: "tickets", type: "WEBHOOK" },
        field: "config.url",
        expected: "https",
      },
      { rule: "public-hook", severity: "warning" },
    ],
  });
  expect(warnings).toEqual([
    expect.stringMatching(/^AlertChannelAudit "story":\nnot evaluable .*channel-read.*\nerror .*https-hook/),
  ]);
  expect(JSON.stringify(outputs) + warnings.join()).not.toContain(credential);
});

it("logs an advisory audit that could read nothing", async () => {
  const { warnings } = await audit({
    channels: [absent],
    rules: { extends: "strict" },
    enforcement: "advisory",
  });
  expect(warnings).toEqual([
    expect.stringMatching(/^AlertChannelAudit "story":\nnot evaluable .*channel-read/),
  ]);
});

it("fails with the findings unless it is advisory, without a credential", async () => {
  const message = await failureOf({ channels: [legacyHook, absent], rules: { extends: "strict" } });
  expect(message).toMatch(/^AlertChannelAuditError: AlertChannelAudit "story": the audit failed\./);
  expect(message).toMatch(
    /^error +4106 WEBHOOK +https-hook +config\.url: http, expected https\. Use the hook's https URL/m,
  );
  expect(message).toMatch(/^not evaluable +999 +channel-read .*not found/m);
  expect(message).not.toContain(credential);
});

it("runs no code of a rule file, because any user of this machine can call a plugin", async () => {
  const folder = temporaryFolder();
  const [file, ran] = [join(folder, "rules.cjs"), join(folder, "ran")];
  writeFileSync(file, `require("fs").writeFileSync(${JSON.stringify(ran)}, ""); module.exports = {};`);
  expect(await failureOf({ channels: [onCall], rules: file })).toContain(
    "rules must be a YAML or JSON file: the plugin runs no code of rule files",
  );
  expect(existsSync(ran)).toBe(false);
});

it("with unknown arguments has unknown outputs, without a request", async () => {
  const { outputs } = await audit({ channels: [unknownValue] });
  expect(outputs).toEqual({ findings: unknownValue, counts: unknownValue });
  expect(service().requests).toEqual([]);
});
