/** The function `auditAlertChannels` of the plugin, which programs in YAML, Python and Go call. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wellKnown } from "../../sandbox";
import { Service } from "../engine/service";
import { temporaryFolder } from "../temporaryFolder";
import { plugin } from "./adapters";
import { configOf } from "./drivenProject";
import { ProviderProcess } from "./provider";

const { legacyHook, onCall } = wellKnown.alertChannels;
const absent = 999;

const service = new Service();
let provider: ProviderProcess;
beforeEach(async () => {
  provider = await ProviderProcess.start(configOf(service.sandbox), { adapter: plugin });
});
afterEach(() => provider.end());

/** The part of the hook's URL that nobody may read. */
const credential = "not-a-secret-tickets";

const audit = (args: Record<string, unknown>) => provider.invoke("monitoring:index:auditAlertChannels", args);
const failureOf = (args: Record<string, unknown>) => audit(args).then(() => "it passed", String);

it("returns the findings, their counts and whether the audit passes, without a credential", async () => {
  const advisory = (channels: unknown[], rules: object) =>
    audit({ channels, rules, enforcement: "advisory" });
  const rules = { rules: { "https-hook": "error", "public-hook": "warning" } };

  const found = await advisory([onCall, legacyHook], { ...rules, channels: { tickets: legacyHook } });
  expect(found).toMatchObject({
    passed: false,
    counts: { channels: 2, rules: expect.any(Number), errors: 1, warnings: 1, blocking: 0 },
    findings: [
      {
        rule: "https-hook",
        severity: "error",
        channel: { id: legacyHook, name: "tickets", type: "WEBHOOK" },
        field: "config.url",
        expected: "https",
        fix: expect.stringContaining("https URL"),
      },
      { rule: "public-hook", severity: "warning" },
    ],
  });
  expect(JSON.stringify(found)).not.toContain(credential);
  expect(await advisory([onCall], rules)).toMatchObject({ passed: true, findings: [] });
  expect(await advisory([absent], rules)).toMatchObject({ passed: false, counts: { blocking: 1 } });
});

it("fails with the first findings when there are more than gRPC for Python accepts", async () => {
  const custom = { title: "Ours", expect: { type: "CALL" } };
  const customRules = Array.from({ length: 200 }, (_, index) => ({ ...custom, id: `ours-${index}` }));
  const message = await failureOf({ channels: [legacyHook], rules: { customRules } });
  expect(message).toContain("ours-10 ");
  expect(message).toMatch(/\nand \d+ more lines: set report to a file to get them all$/);
  expect(message.length).toBeLessThan(3_000);
});

it("fails with the findings unless it is advisory, without a credential", async () => {
  const message = await failureOf({ channels: [legacyHook, absent], rules: { extends: "strict" } });
  expect(message).toMatch(/^Error: auditAlertChannels: the audit failed \(enforcement: mandatory\)\.\n/);
  expect(message).toMatch(/^error +4106 +https-hook +config\.url: http, expected https$/m);
  expect(message).toMatch(/^not evaluable +999 +channel-read .*not found/m);
  expect(message + provider.said).not.toContain(credential);
});

it("runs no code of a rule file, because any user of this machine can call a plugin", async () => {
  const folder = temporaryFolder();
  const [file, ran] = [join(folder, "rules.cjs"), join(folder, "ran")];
  writeFileSync(file, `require("fs").writeFileSync(${JSON.stringify(ran)}, ""); module.exports = {};`);
  const message = await failureOf({ channels: [onCall], rules: file });
  expect(message).toContain("rules must be a YAML or JSON file: the plugin runs no code of rule files");
  expect(existsSync(ran)).toBe(false);
});

it.each<[Record<string, unknown>, string[]]>([
  [
    { chanels: [onCall], channels: onCall, enforcement: "sometimes", report: "report.doc" },
    [
      "chanels is not known; expected one of channels, rules,",
      "channels must be a list of ids or names",
      "enforcement must be one of mandatory, advisory",
      "report must be a file that ends in .html,",
    ],
  ],
  [
    { channels: [onCall], rules: { extends: "strickt", rules: { "https-hok": "error" } } },
    [
      'extends must be one of recommended, strict (did you mean "strict"?)',
      'https-hok is not known (did you mean "https-hook"?)',
    ],
  ],
  [{ rules: "absent.yaml" }, ["absent.yaml can't be read: "]],
  [
    { channels: ["pager"], account: "eu" },
    ['channels: "pager" is neither an id nor a name', "account must be a name in monitoring:accounts"],
  ],
  [{}, ["channels must be given, because no channel has a name in monitoring:alertChannels"]],
])("names every mistake in %j before any request", async (args, said) => {
  const message = await failureOf(args);
  for (const text of said) expect(message).toContain(text);
  expect(service.sandbox.requests).toEqual([]);
});
