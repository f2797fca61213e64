/** The function `auditAlertChannels` of the plugin, which programs in YAML, Python and Go call. */
import { wellKnown } from "../../sandbox";
import { plugin } from "./adapters";
import { Service } from "./drivenProject";
import { ProviderProcess } from "./provider";

const { legacyHook, onCall } = wellKnown.alertChannels;
const token = "monitoring:index:auditAlertChannels";
const absent = 999;

const service = new Service();
let provider: ProviderProcess;
beforeEach(async () => {
  const { url, accountId, apiKey } = service.sandbox;
  provider = await ProviderProcess.start(
    { "monitoring:baseUrl": url, "monitoring:accountId": accountId, "monitoring:apiKey": apiKey },
    { adapter: plugin },
  );
});
afterEach(() => provider.end());

/** The part of the hook's URL that nobody may read. */
const credential = "not-a-secret-tickets";

it("returns the findings, their counts and whether the audit passes, without a credential", async () => {
  const audit = (channels: unknown[], rules: object) =>
    provider.invoke(token, { channels, rules, enforcement: "advisory" });
  const rules = { rules: { "https-hook": "error", "public-hook": "warning" } };

  const found = await audit([onCall, legacyHook], { ...rules, channels: { tickets: legacyHook } });
  expect(found).toMatchObject({
    passed: false,
    counts: { channels: 2, rules: expect.any(Number), errors: 1, warnings: 1, unreadable: 0 },
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
  expect(await audit([onCall], rules)).toMatchObject({ passed: true, findings: [] });
  expect(await audit([absent], rules)).toMatchObject({ passed: false, counts: { unreadable: 1 } });
});

it("fails with the first findings when there are more than gRPC for Python accepts", async () => {
  const customRules = Array.from({ length: 200 }, (_, index) => ({
    ...{ id: `ours-${index}`, title: "Ours", path: "type", equals: "CALL" },
  }));
  const audit = provider.invoke(token, { channels: [legacyHook], rules: { customRules } });
  const message = await audit.then(() => "it passed", String);
  expect(message).toContain("ours-10 ");
  expect(message).toMatch(/\nand \d+ more lines: set report to a file to get them all$/);
  expect(message.length).toBeLessThan(3_000);
});

it("fails with the findings unless it is advisory, without a credential", async () => {
  const audit = provider.invoke(token, { channels: [legacyHook, absent], rules: { extends: "strict" } });
  const message = await audit.then(() => "it passed", String);
  expect(message).toMatch(/^Error: auditAlertChannels: the audit failed \(enforcement: mandatory\)\.\n/);
  expect(message).toMatch(/^error +4106 +https-hook +config\.url: http, expected https$/m);
  expect(message).toMatch(/^error +999 +channel-read .*not found/m);
  expect(message + provider.said).not.toContain(credential);
});

it("names every invalid argument, rule and channel before any request", async () => {
  const failing = (args: Record<string, unknown>, ...said: string[]) =>
    Promise.all(said.map((text) => expect(provider.invoke(token, args)).rejects.toThrow(text)));
  await failing(
    { chanels: [onCall], channels: onCall, enforcement: "sometimes", report: "report.doc" },
    "chanels is not known; expected one of channels, rules,",
    "channels must be a list of ids or names",
    "enforcement must be one of mandatory, advisory",
    "report must be a file that ends in .html,",
  );
  await failing(
    { channels: [onCall], rules: { extends: "strickt", rules: { "https-hok": "error" } } },
    'extends must be one of recommended, strict (did you mean "strict"?)',
    'https-hok is not known (did you mean "https-hook"?)',
  );
  await failing({ rules: "absent.yaml" }, "absent.yaml can't be read: ");
  await failing(
    { channels: ["pager"], account: "eu" },
    'channels: "pager" is neither an id nor a name',
    "account must be a name in monitoring:accounts",
  );
  await failing({}, "channels must be given, because no channel has a name in monitoring:alertChannels");
  expect(service.sandbox.requests).toEqual([]);
});
